// SPDX-License-Identifier: MIT

import Foundation

/// What a run's events say of its photos; the last line of a killed run may be cut, and tells nothing.
struct Events {
    /// The addresses of the photos, by how they ended.
    private(set) var ended: [String: Set<String>] = [:]
    /// Why photos failed.
    private(set) var causes: Set<String> = []

    /// Whether a photo was left alone, because the last runs that decoded it were ended meanwhile.
    var isQuarantined: Bool { causes.contains { $0.hasPrefix("quarantined") } }

    /// No events.
    init() {}

    /// Adds those of another run.
    mutating func add(_ other: Events) { ended.merge(other.ended) { $0.union($1) } }

    init(inFile path: String) throws {
        for line in try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")) {
            guard let event = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
                event["event"] as? String == "item-ended", let end = event["end"] as? String
            else { continue }
            if let cause = event["cause"] as? String { causes.insert("\(cause): \(event["detail"] ?? "")") }
            // One that was not even begun has no address.
            guard let url = event["url"] as? String else { continue }
            ended[end, default: []].insert(url)
        }
    }

    /// What must never be fetched again.
    var safe: Set<String> { (ended["done"] ?? []).union(ended["kept"] ?? []) }
}
