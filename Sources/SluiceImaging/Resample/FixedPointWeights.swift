// SPDX-License-Identifier: MIT

/// The weights of one axis as 16-bit integers, which are fastest for 8-bit samples.
struct FixedPointWeights: Sendable {
    /// The sum of the weights of one target.
    static let one = 16384
    /// The number of zero-weight targets appended so that loops can process eight targets at a time.
    private static let paddingTargets = 7

    /// The first contributing source, or source pair, of each target.
    private(set) var firsts: [Int32] = []
    /// The number of contributing source pairs of each target; used if sources are paired.
    private(set) var counts: [Int] = []
    /// The weights, ``taps`` per target, followed by the padding targets.
    private(set) var weights: [Int16]
    /// The number of weights stored per target, rounded up for the loops.
    let taps: Int
    /// The source index after the last contributing one, for each target.
    let ends: [Int]

    /// Returns the weights for a scaling, from a cache if possible.
    ///
    /// A collection has few distinct sizes, and computing weights takes a third as long as using them.
    static func cached(for scaling: AxisScaling, paired: Bool) -> FixedPointWeights {
        func make() -> FixedPointWeights { FixedPointWeights(AxisWeights(scaling), paired: paired) }
        guard scaling.axis.target * scaling.taps <= maxCachedWeights else { return make() }
        return cache.value(for: Key(scaling: scaling, paired: paired), compute: make)
    }

    private struct Key: Equatable {
        let scaling: AxisScaling
        let paired: Bool
    }

    /// The largest number of weights to cache per axis, which limits the whole cache to a few megabytes.
    private static let maxCachedWeights = 1 << 15
    private static let cache = InsertOnlyCache<Key, FixedPointWeights>(capacity: 64)

    /// Rounds exact weights of single-channel samples; with `paired`, sources are grouped in pairs that start at even
    /// indices.
    init(_ exact: AxisWeights, paired: Bool) {
        let maxCount = exact.counts.max() ?? 0
        taps = paired ? (maxCount / 2 + 1) * 2 : (maxCount + 7) & ~7
        let targets = exact.counts.count
        weights = [Int16](repeating: 0, count: (targets + Self.paddingTargets) * taps)
        ends = (0..<targets).map { exact.end(of: $0) }
        for target in 0..<targets {
            let first = Int(exact.firsts[target])
            let skipped = paired ? first % 2 : 0
            firsts.append(Int32(paired ? first / 2 : first))
            counts.append((skipped + exact.counts[target] + 1) / 2)
            let start = target * exact.taps
            round(exact.weights[start..<start + exact.counts[target]], to: target * taps + skipped)
        }
        firsts += [Int32](repeating: 0, count: Self.paddingTargets)
    }

    /// Rounds one target's weights and carries each rounding error to the next weight.
    ///
    /// The sum thus stays exact, and many small weights do not all become zero.
    private mutating func round(_ exact: ArraySlice<Float>, to start: Int) {
        // Integers, because each step waits for the previous one.
        let fractionBits = 16
        var index = start
        var carry = 1 << (fractionBits - 1)
        var remaining = Self.one
        for weight in exact {
            carry += Int(weight * Float(Self.one << fractionBits))
            let rounded = carry >> fractionBits
            carry -= rounded << fractionBits
            weights[index] = Int16(clamping: rounded)
            remaining -= rounded
            index += 1
        }
        weights[index - 1] = Int16(clamping: Int(weights[index - 1]) + remaining)
    }
}
