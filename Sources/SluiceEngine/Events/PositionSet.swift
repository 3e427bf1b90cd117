// SPDX-License-Identifier: MIT

/// A set of positions in the ledger, with one bit for each position up to the largest one.
package struct PositionSet: Sendable {
    private var words: [UInt64] = []

    package init() {}

    package private(set) var count = 0

    /// Adds a position, which is not negative; returns `false` if it is in the set already.
    @discardableResult
    package mutating func insert(_ position: Int) -> Bool {
        let (word, bit) = (position >> 6, UInt64(1) << UInt64(position & 63))
        if word >= words.count { words += repeatElement(0, count: max(word + 1, 2 * words.count) - words.count) }
        guard words[word] & bit == 0 else { return false }
        count += 1
        words[word] |= bit
        return true
    }

    package func contains(_ position: Int) -> Bool {
        let word = position >> 6
        return word < words.count && words[word] & UInt64(1) << UInt64(position & 63) != 0
    }
}
