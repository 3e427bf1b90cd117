// SPDX-License-Identifier: MIT

public import Foundation
internal import Glibc
internal import Testing

/// A temporary folder that is deleted with its owner.
public final class TemporaryFolder: Sendable {
    /// The folder's URL.
    public let url: URL

    /// Creates an empty folder; fails the test if it cannot.
    public init() {
        url = FileManager.default.temporaryDirectory.appending(path: "sluice-test-\(UUID().uuidString)")
        do { try makeFolder("") } catch { Issue.record(error, "cannot create \(url.path)") }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The folder's path.
    public var path: String { url.path }

    /// The path of a file in the folder.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// The bytes of a file in the folder.
    public func bytes(of name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url.appending(path: name))) }

    /// The text of a file in the folder.
    public func text(_ name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

    /// Whether the folder has a file or folder with the name.
    public func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Deletes a file, or a folder with its contents.
    public func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    /// Creates a folder in the folder, and those that contain it.
    public func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(at: url.appending(path: name), withIntermediateDirectories: true)
    }

    /// Writes a text to a file, and creates the folders that contain it; returns its path.
    @discardableResult public func write(_ text: String, to name: String) throws -> String {
        try write(text.utf8, to: name)
    }

    /// Writes bytes to a file, and creates the folders that contain it; returns its path.
    @discardableResult public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

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
