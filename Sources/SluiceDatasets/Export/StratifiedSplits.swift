// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// The split of each photo of a mirror, with the same shares of the splits for every value of a field.
///
/// The photos of a value are numbered in the mirror's order. Photo n gets the place n × φ + s on a circle that the
/// splits divide by their weights: φ is the golden ratio, and the value determines s. These places are so even that the
/// share of a split differs by a few photos from its weight, for any number of photos. A photo's place does not depend
/// on later photos. Memory: two bytes per photo, and the different values.
struct StratifiedSplits {
    /// The fractional part of the golden ratio, as a share of the circle of 2^64 places.
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The index of the split by position.
    private var splits: [UInt16] = []

    /// Reads all photos, also those that are not exported; the photos of a cluster are in the split of the first one.
    init(
        of ledger: Ledger, by field: PhotoValue, into weights: [DatasetSplit], clusters: PhotoClusters?
    ) throws(LedgerError) {
        var counts: TextMap<UInt64> = [:]
        var batches = ledger.batches()
        while let entries = try batches.next() {
            for entry in entries {
                let seq = entry.item.seq
                while splits.count <= seq { splits.append(0) }
                if let first = clusters?.first(of: seq), first < seq {
                    splits[seq] = splits[first]
                    continue
                }
                let value = field.text(of: entry.measuredPhoto).map { "=\($0)" } ?? ""
                let count = counts[value] ?? 0
                counts[value] = count + 1
                splits[seq] = UInt16(weights.index(at: Self.place(of: count, with: value)))
            }
        }
    }

    func split(of position: Int) -> Int { splits.indices.contains(position) ? Int(splits[position]) : 0 }

    /// The place of a photo on the circle.
    static func place(of count: UInt64, with value: String) -> UInt64 {
        let start = SHA256.bytes(of: [UInt8](value.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return start &+ count &* step
    }
}

extension [DatasetSplit] {
    /// The index of the split at a place on the circle.
    func index(at place: UInt64) -> Int {
        let sum = reduce(0) { $0 + $1.weight }
        var rest = Int(place.multipliedFullWidth(by: UInt64(sum)).high)
        for (index, split) in enumerated() {
            if rest < split.weight { return index }
            rest -= split.weight
        }
        return count - 1
    }
}
