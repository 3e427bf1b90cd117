// SPDX-License-Identifier: MIT

public import Foundation

/// Optional test data in a folder next to the checkout, which only maintainers have.
public enum SharedData {
    /// The folder `../shared`, if it exists.
    public static var folder: URL? {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let shared = root.deletingLastPathComponent().appending(path: "shared")
        return FileManager.default.fileExists(atPath: shared.appending(path: "images").path) ? shared : nil
    }

    /// Whether the folder exists; a condition for `.enabled(if:)`.
    public static var isThere: Bool { folder != nil }
}
