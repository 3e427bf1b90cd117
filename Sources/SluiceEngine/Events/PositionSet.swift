// SPDX-License-Identifier: MIT

/// A set of positions in the ledger, with one bit for each position up to the largest one.
package struct PositionSet: Sendable {
    private var words: [UInt64] = []

    package init() {}

    /// The number of positions.
    package private(set) var count = 0

    package mutating func insert(_ position: Int) {
        let (word, bit) = (position >> 6, UInt64(1) << UInt64(position & 63))
        if word >= words.count { words += repeatElement(0, count: max(word + 1, 2 * words.count) - words.count) }
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }

    package func contains(_ position: Int) -> Bool {
        let word = position >> 6
        return word < words.count && words[word] & UInt64(1) << UInt64(position & 63) != 0
    }
}
