// SPDX-License-Identifier: MIT

import Foundation

/// The results of photos in a run's events; the incomplete last line of a killed run is ignored.
struct Events {
    /// The URLs of the photos, by result.
    private(set) var ended: [String: Set<String>] = [:]
    /// The causes of failed photos.
    private(set) var causes: Set<String> = []

    init() {}

    /// Adds the events of another run.
    mutating func add(_ other: Events) { ended.merge(other.ended) { $0.union($1) } }

    init(inFile path: String) throws {
        for line in try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")) {
            guard let event = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
                event["event"] as? String == "item-ended", let end = event["end"] as? String
            else { continue }
            if let cause = event["cause"] as? String { causes.insert("\(cause): \(event["detail"] ?? "")") }
            // A photo that was not started has no URL.
            guard let url = event["url"] as? String else { continue }
            ended[end, default: []].insert(url)
        }
    }

    /// The photos that must not be fetched again.
    var safe: Set<String> { (ended["done"] ?? []).union(ended["kept"] ?? []) }
}
