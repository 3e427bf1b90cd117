// SPDX-License-Identifier: MIT

import Foundation

/// What a run's events say of its photos; the last line of a killed run may be cut, and tells nothing.
struct Events {
    /// The addresses of the photos, by how they ended.
    private(set) var ended: [String: Set<String>] = [:]
    /// Whether a photo was left alone, because the last runs that decoded it were ended meanwhile.
    private(set) var isQuarantined = false

    /// No events.
    init() {}

    /// Adds those of another run.
    mutating func add(_ other: Events) { ended.merge(other.ended) { $0.union($1) } }

    init(inFile path: String) throws {
        for line in try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")) {
            guard let event = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
                event["event"] as? String == "item-ended", let end = event["end"] as? String,
                let url = event["url"] as? String
            else { continue }
            if event["cause"] as? String == "quarantined" { isQuarantined = true }
            ended[end, default: []].insert(url)
        }
    }

    /// What must never be fetched again.
    var safe: Set<String> { (ended["done"] ?? []).union(ended["kept"] ?? []) }
}
