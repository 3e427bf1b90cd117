// SPDX-License-Identifier: MIT

import Foundation

/// All files below a folder, by their paths.
struct Tree: Equatable, Sendable {
    private(set) var files: [String: Data] = [:]

    /// Reads the folder.
    init(of path: String) throws {
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var isFolder: ObjCBool = false
            let full = "\(path)/\(name)"
            guard unsafe FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) else { continue }
            if !isFolder.boolValue { files[name] = try Data(contentsOf: URL(filePath: full)) }
        }
    }

    /// The paths, sorted.
    var names: [String] { files.keys.sorted() }

    /// The files that are the same for the same photos, without the ledger and the report, which differ between runs.
    var visible: Tree { filtered { !$0.hasPrefix(".sluice/") && !$0.hasPrefix("report.") } }

    /// The files whose paths satisfy the predicate.
    func filtered(_ isWanted: (String) -> Bool) -> Tree {
        var tree = self
        tree.files = files.filter { isWanted($0.key) }
        return tree
    }

    /// The text of a file.
    func text(_ name: String) -> String { String(decoding: files[name] ?? Data(), as: UTF8.self) }

    /// Writes the files below a folder.
    func write(to path: String) throws {
        for (name, data) in files {
            let file = URL(filePath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }

    /// The sorted names of the files that differ.
    func differences(to other: Tree) -> [String] {
        Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }.sorted()
    }
}
