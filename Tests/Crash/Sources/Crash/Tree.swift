// SPDX-License-Identifier: MIT

import Foundation

/// The files below a folder, by their paths.
struct Tree {
    private(set) var files: [String: Data] = [:]

    init(of path: String) throws {
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var isFolder: ObjCBool = false
            let full = "\(path)/\(name)"
            guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            files[name] = try Data(contentsOf: URL(filePath: full))
        }
    }

    /// The files that are the same for the same photos, without the ledger and the report.
    var visible: [String: Data] { files.filter { !$0.key.hasPrefix(".sluice/") && !$0.key.hasPrefix("report.") } }

    /// The photos and the thumbnails.
    var pictures: [String: Data] { files.filter { $0.key.hasPrefix("originals/") || $0.key.hasPrefix("thumbs/") } }

    /// Temporary files that a finished run must not leave.
    var leftovers: [String] {
        files.keys.filter {
            $0.hasPrefix(".sluice/partial/") || $0.hasSuffix(".part") || $0.hasPrefix(".sluice-probe")
                || $0.hasSuffix("-wal") || $0.hasSuffix("-shm")
        }
    }
}
