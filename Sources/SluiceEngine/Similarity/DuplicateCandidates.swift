// SPDX-License-Identifier: MIT

/// Pairs of contents that may be copies, by their perceptual hashes.
struct DuplicateCandidates {
    /// Two contents, by their numbers.
    struct Pair {
        let first: Int
        let second: Int
    }

    /// The most similar photos that a photo is compared with.
    ///
    /// Thousands of pages of text or plain pictures may have about the same hash.
    static let maxNeighbours = 256

    /// The pairs that are compared together, so that their pictures are decoded concurrently.
    private static let pairsPerPart = 256

    private(set) var pairs: [Pair] = []

    /// Adds the pairs whose hashes differ in few bits, also if one is turned or mirrored.
    ///
    /// Pairs of two contents of the reference are left out.
    mutating func add(_ hashes: [(content: Int, hash: UInt64)], distance: Int, isReference: (Int) -> Bool) {
        let byHash = [UInt64: [(content: Int, hash: UInt64)]](grouping: hashes, by: \.hash)
            .mapValues { $0.map(\.content) }
        let distinct = byHash.keys.sorted()
        let index = HammingIndex(distinct, distance: distance)
        let isSearched = distinct.map { byHash[$0]?.contains { !isReference($0) } ?? false }
        for (number, hash) in distinct.enumerated() where isSearched[number] {
            let own = byHash[hash] ?? []
            var near: Set<Int> = []
            for symmetry in Symmetry.all {
                index.forEachNeighbour(of: symmetry.hash(of: hash)) { other in
                    // The other hash finds this one, too, if it is searched.
                    if other > number || other < number && !isSearched[other] { near.insert(other) }
                }
                if near.count > Self.maxNeighbours { break }
            }
            let others = near.sorted().prefix(Self.maxNeighbours).flatMap { byHash[distinct[$0]] ?? [] }
            for (place, first) in own.enumerated() {
                let neighbours = (own[(place + 1)...] + others.prefix(Self.maxNeighbours))
                    .filter { !isReference(first) || !isReference($0) }
                pairs += neighbours.prefix(Self.maxNeighbours).map { Pair(first: first, second: $0) }
            }
        }
    }

    /// The pairs, divided into parts that have no content in common and are not small.
    func parts(of count: Int) -> [[Pair]] {
        var parents = Array(0..<count)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        for pair in pairs {
            let (first, second) = (root(pair.first), root(pair.second))
            parents[max(first, second)] = min(first, second)
        }
        var parts: [[Pair]] = []
        for (_, connected) in [Int: [Pair]](grouping: pairs, by: { root($0.first) }).sorted(by: { $0.key < $1.key }) {
            if let last = parts.last, last.count < Self.pairsPerPart {
                parts[parts.count - 1] += connected
            } else {
                parts.append(connected)
            }
        }
        return parts
    }
}
