// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// All files below a folder, by their paths.
struct Tree: Equatable, Sendable {
    private(set) var files: [String: Data] = [:]

    init(of path: String) throws {
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var isFolder: ObjCBool = false
            let full = "\(path)/\(name)"
            guard unsafe FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) else { continue }
            if !isFolder.boolValue { files[name] = try Data(contentsOf: URL(filePath: full)) }
        }
    }

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

/// A line of `--json` or of a manifest, parsed with Foundation and not with Sluice's own JSON reader.
struct RunEvent {
    let members: [String: Any]

    init(_ line: some StringProtocol) throws {
        members = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }

    subscript(number name: String) -> Int? { members[name] as? Int }
    subscript(text name: String) -> String? { members[name] as? String }
    subscript(list name: String) -> [[String: Any]] { members[name] as? [[String: Any]] ?? [] }

    /// The event's name, for example `item-ended`.
    var name: String { self[text: "event"] ?? "" }
    /// The number of the event's item.
    var seq: Int { self[number: "seq"] ?? 0 }

    /// Parses each line of `text`.
    static func all(in text: String) throws -> [RunEvent] {
        try text.split(separator: "\n").map { try RunEvent($0) }
    }
}

extension [RunEvent] {
    /// The numbers of the items whose result is `end`.
    func ended(_ end: String) -> Set<Int> {
        Set(filter { $0.name == "item-ended" && $0[text: "end"] == end }.map(\.seq))
    }

    /// The numbers of the items that started.
    var started: Set<Int> { Set(filter { $0.name == "item-started" }.map(\.seq)) }
}
