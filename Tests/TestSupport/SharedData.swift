// SPDX-License-Identifier: MIT

public import Foundation

/// The test data that lies beside the checkout on the maintainers' machines, and on no user's.
public enum SharedData {
    /// The folder `../shared`, if it is there.
    public static var folder: URL? {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let shared = root.deletingLastPathComponent().appending(path: "shared")
        return FileManager.default.fileExists(atPath: shared.appending(path: "images").path) ? shared : nil
    }

    /// Whether it is there; use it in `.enabled(if:)` with a word that says what is skipped.
    public static var isThere: Bool { folder != nil }
}
