// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A line of `--json` or of a manifest, as another reader of JSON than Sluice's own has it.
struct RunEvent {
    let members: [String: Any]

    init(_ line: some StringProtocol) throws {
        members = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }

    subscript(number name: String) -> Int? { members[name] as? Int }
    subscript(text name: String) -> String? { members[name] as? String }
    subscript(list name: String) -> [[String: Any]] { members[name] as? [[String: Any]] ?? [] }

    /// `item-ended`, and so on.
    var name: String { self[text: "event"] ?? "" }
    /// The place of the item that it tells of.
    var seq: Int { self[number: "seq"] ?? 0 }

    /// All lines of a text.
    static func all(in text: String) throws -> [RunEvent] {
        try text.split(separator: "\n").map { try RunEvent($0) }
    }
}

extension [RunEvent] {
    /// The places of the items that ended so.
    func ended(_ end: String) -> Set<Int> {
        Set(filter { $0.name == "item-ended" && $0[text: "end"] == end }.map(\.seq))
    }

    /// The places of the items that got a slot.
    var started: Set<Int> { Set(filter { $0.name == "item-started" }.map(\.seq)) }
}
