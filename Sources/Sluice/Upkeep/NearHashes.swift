// SPDX-License-Identifier: MIT

/// Finds which perceptual hashes lie near each other, without comparing each with each.
///
/// Two hashes that differ in at most seven bits have a quarter (16 bits) that differs in at most one: whoever shares a
/// quarter up to one bit is compared, and nobody else.
struct NearHashes {
    /// The most bits that this can look for.
    static let furthest = 7

    private let hashes: [UInt64]
    private let distance: Int
    /// For each quarter, the hashes' places, ordered by what the quarter is; and where each value's begin.
    private var tables: [(places: [Int32], starts: [Int32])] = []

    /// Takes in different hashes, and the most bits in which two that are near differ.
    init(_ hashes: [UInt64], distance: Int) {
        self.hashes = hashes
        self.distance = min(distance, Self.furthest)
        for quarter in 0..<4 {
            var starts = [Int32](repeating: 0, count: 65_537)
            for hash in hashes { starts[Self.value(of: hash, quarter) + 1] += 1 }
            for value in 0..<65_536 { starts[value + 1] += starts[value] }
            var next = starts
            var places = [Int32](repeating: 0, count: hashes.count)
            for (place, hash) in hashes.enumerated() {
                let value = Self.value(of: hash, quarter)
                places[Int(next[value])] = Int32(place)
                next[value] += 1
            }
            tables.append((places, starts))
        }
    }

    /// The groups, each of two or more places in their order: who is near to one of a group is of the group.
    func groups() -> [[Int]] {
        var parents = Array(hashes.indices)
        func root(_ place: Int) -> Int {
            var place = place
            while parents[place] != place {
                parents[place] = parents[parents[place]]
                place = parents[place]
            }
            return place
        }
        for place in hashes.indices {
            forEachNear(place) { other in
                let (first, second) = (root(place), root(other))
                parents[max(first, second)] = min(first, second)
            }
        }
        let groups = Dictionary(grouping: hashes.indices, by: root)
        return groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    }

    /// Calls `body` with each later place whose hash is near.
    private func forEachNear(_ place: Int, _ body: (Int) -> Void) {
        let hash = hashes[place]
        for (quarter, table) in tables.enumerated() {
            let value = Self.value(of: hash, quarter)
            // Up to three bits lie such that one quarter has none of them.
            for flip in distance < 4 ? [0] : Self.flips {
                let near = value ^ flip
                for index in table.starts[near]..<table.starts[near + 1] {
                    let other = Int(table.places[Int(index)])
                    if other > place, (hash ^ hashes[other]).nonzeroBitCount <= distance { body(other) }
                }
            }
        }
    }

    private static let flips = [0] + (0..<16).map { 1 << $0 }

    private static func value(of hash: UInt64, _ quarter: Int) -> Int { Int(hash >> (16 * UInt64(quarter)) & 0xFFFF) }
}
