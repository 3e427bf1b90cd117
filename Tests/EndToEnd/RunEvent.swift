// SPDX-License-Identifier: MIT

import Foundation
import Testing

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
