// SPDX-License-Identifier: MIT

internal import Foundation

/// A small file system in memory (tmpfs); only root can mount one.
public final class SmallDisk: Sendable {
    private let folder: TemporaryFolder

    /// The mount point.
    public var path: String { folder.path }

    /// Whether this process may mount one.
    public static let isPermitted = (try? SmallDisk(kilobytes: 64)) != nil

    /// Mounts an empty file system.
    public init(kilobytes: Int, inodes: Int? = nil) throws {
        folder = try TemporaryFolder()
        let options = "size=\(kilobytes)k" + (inodes.map { ",nr_inodes=\($0)" } ?? "")
        try Self.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder.path])
    }

    deinit { try? Self.run("umount", ["--lazy", folder.path]) }

    /// Remounts the file system with other options, for example `ro` or `size=128k`.
    public func remount(_ options: String) throws {
        try Self.run("mount", ["-o", "remount,\(options)", folder.path])
    }

    /// Unmounts the file system from its path; open files stay usable.
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
