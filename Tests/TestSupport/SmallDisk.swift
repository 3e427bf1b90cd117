// SPDX-License-Identifier: MIT

internal import Foundation

/// A file system of a few kilobytes in memory, which only root can have.
public final class SmallDisk: Sendable {
    private let folder: TemporaryFolder

    /// Where it is.
    public var path: String { folder.path }

    /// Whether one can be made here.
    public static let isPermitted = (try? SmallDisk(kilobytes: 64)) != nil

    /// Makes an empty one.
    public init(kilobytes: Int, inodes: Int? = nil) throws {
        folder = try TemporaryFolder()
        let options = "size=\(kilobytes)k" + (inodes.map { ",nr_inodes=\($0)" } ?? "")
        try Self.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder.path])
    }

    deinit { try? Self.run("umount", ["--lazy", folder.path]) }

    /// Changes how it is mounted: `ro`, `size=128k`.
    public func remount(_ options: String) throws {
        try Self.run("mount", ["-o", "remount,\(options)", folder.path])
    }

    /// Takes it away from its path; who has something of it open goes on with that.
    public func unmount() throws { try Self.run("umount", ["--lazy", folder.path]) }

    private static func run(_ tool: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
