// SPDX-License-Identifier: MIT

public import Foundation
internal import Glibc

/// A temporary folder that is deleted with its owner.
public final class TemporaryFolder: Sendable {
    /// The folder's URL.
    public let url: URL

    /// Creates an empty folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "sluice-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The folder's path.
    public var path: String { url.path }

    /// The path of a file in the folder.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// The bytes of a file in the folder.
    public func bytes(of name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url.appending(path: name))) }

    /// Writes a file whose path in the folder need not be valid UTF-8, and creates its folder.
    public func write(_ bytes: [UInt8], named name: [UInt8]) throws {
        var path = Array(url.path.utf8)
        for (index, part) in name.split(separator: UInt8(ascii: "/")).enumerated() {
            if index > 0 { _ = unsafe mkdir(path.map { CChar(bitPattern: $0) } + [0], 0o700) }
            path += [UInt8(ascii: "/")] + part
        }
        let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        try FileHandle(fileDescriptor: descriptor).write(contentsOf: Data(bytes))
    }

    /// The sorted relative paths of all files and folders in the folder.
    public func names() -> [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.sorted()
    }
}
