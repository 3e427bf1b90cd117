// SPDX-License-Identifier: MIT

/// Finds perceptual hashes within a small Hamming distance of each other, without comparing all pairs.
///
/// If two hashes differ in at most seven bits, one of their four 16-bit quarters differs in at most one bit. So only
/// hashes that share a quarter up to one bit are compared.
package struct HammingIndex {
    /// The largest distance supported, in bits.
    package static let maxDistance = 7

    /// The hashes in the order of one of their quarters.
    private struct Table {
        /// The hashes, which are read in this order, and their indices.
        let hashes: [UInt64]
        let indices: [Int32]
        /// The start of the range of each value of the quarter.
        let starts: [Int32]
    }

    private let hashes: [UInt64]
    private let distance: Int
    private var tables: [Table] = []

    /// Indexes distinct hashes; `distance` is the largest number of differing bits between neighbours.
    init(_ hashes: [UInt64], distance: Int) {
        self.hashes = hashes
        self.distance = min(distance, Self.maxDistance)
        for quarter in 0..<4 {
            var starts = [Int32](repeating: 0, count: 65_537)
            for hash in hashes { starts[Self.value(of: hash, quarter) + 1] += 1 }
            for value in 0..<65_536 { starts[value + 1] += starts[value] }
            var next = starts
            var indices = [Int32](repeating: 0, count: hashes.count)
            for (index, hash) in hashes.enumerated() {
                let value = Self.value(of: hash, quarter)
                indices[Int(next[value])] = Int32(index)
                next[value] += 1
            }
            tables.append(Table(hashes: indices.map { hashes[Int($0)] }, indices: indices, starts: starts))
        }
    }

    /// The groups of two or more hashes, as ascending indices.
    ///
    /// Each hash is a neighbour of another in its group.
    func groups() -> [[Int]] {
        var parents = Array(hashes.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        for index in hashes.indices {
            forEachNeighbour(of: hashes[index]) { other in
                guard other > index else { return }
                let (first, second) = (root(index), root(other))
                parents[max(first, second)] = min(first, second)
            }
        }
        let groups = [Int: [Int]](grouping: hashes.indices, by: root)
        return groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    }

    /// Calls `body` with the index of each hash within the distance, perhaps several times.
    func forEachNeighbour(of hash: UInt64, _ body: (Int) -> Void) {
        for (quarter, table) in tables.enumerated() {
            let value = Self.value(of: hash, quarter)
            // With at most three differing bits, at least one quarter is equal.
            for flip in distance < 4 ? [0] : Self.flips {
                let near = value ^ flip
                for position in Int(table.starts[near])..<Int(table.starts[near + 1])
                where (hash ^ table.hashes[position]).nonzeroBitCount <= distance {
                    body(Int(table.indices[position]))
                }
            }
        }
    }

    private static let flips = [0] + (0..<16).map { 1 << $0 }

    private static func value(of hash: UInt64, _ quarter: Int) -> Int { Int(hash >> (16 * UInt64(quarter)) & 0xFFFF) }
}
