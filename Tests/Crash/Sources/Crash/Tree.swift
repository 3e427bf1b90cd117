// SPDX-License-Identifier: MIT

import Foundation

/// The files below a folder, by their paths.
struct Tree: Equatable {
    private(set) var files: [String: Data] = [:]
    /// The files that share their storage with other names.
    private(set) var shared: Set<String> = []

    init(of path: String) throws {
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var isFolder: ObjCBool = false
            let full = "\(path)/\(name)"
            guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            files[name] = try Data(contentsOf: URL(filePath: full))
            let links = try FileManager.default.attributesOfItem(atPath: full)[.referenceCount] as? Int
            if links ?? 1 > 1 { shared.insert(name) }
        }
    }

    /// The files that are the same for the same photos, without the ledger and the report.
    var visible: [String: Data] { files.filter { !$0.key.hasPrefix(".sluice/") && !$0.key.hasPrefix("report.") } }

    /// The photos and the thumbnails.
    var pictures: [String: Data] {
        files.filter { file in Self.picturePlaces.contains { file.key.hasPrefix($0) } }
    }

    /// Temporary files that a finished run must not leave.
    var leftovers: [String] {
        files.keys.filter {
            $0.hasPrefix(".sluice/partial/") || $0.hasSuffix(".part") || $0.hasPrefix(".sluice-probe")
                || $0.hasSuffix("ledger.sqlite-wal") || $0.hasSuffix("ledger.sqlite-shm")
        }
    }

    /// Where mirrors and `sluice thumbs --sizes 64` store pictures.
    private static let picturePlaces = ["originals/", "thumbs/", "64/"]
}
