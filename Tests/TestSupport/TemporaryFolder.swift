// SPDX-License-Identifier: MIT

public import Foundation

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

    /// The sorted relative paths of all files and folders in the folder.
    public func names() -> [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.sorted()
    }
}
