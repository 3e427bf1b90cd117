// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// Visits the items of a mirror in the order of an export: split by split, each in the feed's order or shuffled.
///
/// Each split reads the whole ledger, so memory use does not depend on its length.
struct ExportOrder {
    /// The place of an item in the order.
    struct Position: Hashable {
        var split = 0
        /// The place in the split: the item's position in the mirror, or its position in the shuffled order.
        var place = 0
    }

    private static let batchSize = 256

    private let ledger: Ledger
    private let splits: [DatasetSplit]
    private let stratified: StratifiedSplits?
    private let permutation: SeededPermutation?
    private let last: Int
    /// The next items in reverse order, since the last element of an array is moved and not copied.
    private var batch: [(place: Int, entry: LedgerEntry)] = []
    /// The last place that `batch` covers.
    private var end: Int
    /// The position of the item that ``next()`` returned last.
    private(set) var position: Position

    /// Starts after the item at a position.
    init(
        _ ledger: Ledger, _ options: DatasetOptions, stratified: StratifiedSplits? = nil, after position: Position
    ) throws(LedgerError) {
        self.ledger = ledger
        self.stratified = stratified
        self.position = position
        splits = options.splits
        last = try ledger.lastPosition()
        permutation = options.shuffleSeed.map { [last] in SeededPermutation(of: last, seed: $0) }
        end = position.place
    }

    /// Returns the next item; `nil` after the last one of the last split.
    mutating func next() throws(LedgerError) -> LedgerEntry? {
        while true {
            while let (place, entry) = batch.popLast() {
                position.place = place
                if belongs(entry) { return entry }
            }
            if end < last {
                try fill()
            } else if position.split + 1 < splits.count {
                position = Position(split: position.split + 1)
                end = 0
            } else {
                return nil
            }
        }
    }

    private mutating func fill() throws(LedgerError) {
        guard let permutation else {
            let entries = try ledger.entries(after: end, limit: Self.batchSize)
            batch = entries.reversed().map { ($0.item.seq, $0) }
            end = entries.last?.item.seq ?? last
            return
        }
        let places = end + 1...min(end + Self.batchSize, last)
        batch = []
        for place in places.reversed() {
            if let entry = try ledger.entry(at: permutation.number(at: place)) { batch.append((place, entry)) }
        }
        end = places.upperBound
    }

    private func belongs(_ entry: LedgerEntry) -> Bool {
        guard splits.count > 1 else { return true }
        if let stratified { return stratified.split(of: entry.item.seq) == position.split }
        return splits.index(ofSource: entry.item.photo.variants.first?.url ?? entry.item.photo.id) == position.split
    }
}

extension [DatasetSplit] {
    /// The index of the split to which a source belongs: the first 32 bits of its SHA-256, modulo the sum of the
    /// weights, is in the range of the split's weight.
    func index(ofSource source: String) -> Int {
        let digest = SHA256.bytes(of: [UInt8](source.utf8))
        let number = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        var rest = number % reduce(0) { $0 + $1.weight }
        for (index, split) in enumerated() {
            if rest < split.weight { return index }
            rest -= split.weight
        }
        return count - 1
    }
}

/// A reproducible random order of the numbers 1 to `count`, in constant memory.
///
/// A Feistel network permutes the smallest range of 4^n numbers that is large enough, and numbers outside 1 to `count`
/// are permuted again.
struct SeededPermutation {
    private static let rounds = 6

    private let count: UInt64
    private let halfBits: UInt64
    private let keys: [UInt64]

    init(of count: Int, seed: Int) {
        self.count = UInt64(max(count, 1))
        var bits: UInt64 = 1
        while bits < 31, 1 << (2 * bits) < self.count { bits += 1 }
        halfBits = bits
        keys = (0..<Self.rounds).map {
            Self.mix(UInt64(bitPattern: Int64(seed)) &+ UInt64($0) &* 0x9E37_79B9_7F4A_7C15)
        }
    }

    /// Returns the number at a position, which is from 1 to `count`.
    func number(at position: Int) -> Int {
        var value = UInt64(position - 1)
        repeat { value = permuted(value) } while value >= count
        return Int(value) + 1
    }

    private func permuted(_ value: UInt64) -> UInt64 {
        let mask: UInt64 = (1 << halfBits) - 1
        var (left, right) = (value >> halfBits, value & mask)
        for key in keys { (left, right) = (right, left ^ Self.mix(right ^ key) & mask) }
        return left << halfBits | right
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var random = SplitMix64(seed: value)
        return random.next()
    }
}
