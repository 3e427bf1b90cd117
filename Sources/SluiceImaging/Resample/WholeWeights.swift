// SPDX-License-Identifier: MIT

/// The weights of one axis as small integers, with which bytes are mixed fastest.
struct WholeWeights: Sendable {
    /// What the weights of one target sum up to.
    static let one = 16384
    /// How many more targets there are than are made.
    private static let more = 7

    /// The first source that counts for each target, or the first pair of sources.
    private(set) var firsts: [Int32] = []
    /// How many pairs of sources count, if the sources are paired.
    private(set) var counts: [Int] = []
    /// The weights, ``taps`` for each target; there are some more targets, of zeros, so that loops may take eight.
    private(set) var weights: [Int16]
    /// The most sources that count, rounded up to what the loops take.
    let taps: Int
    /// For each target the source after the last one that counts.
    let ends: [Int]

    /// The weights of a scaling, made now or before: an album has few sizes, and making them takes a third of the time of using them.
    static func known(for scaling: AxisScaling, paired: Bool) -> WholeWeights {
        func find() -> WholeWeights { WholeWeights(AxisWeights(scaling), paired: paired) }
        guard scaling.axis.target * scaling.taps <= mostWeights else { return find() }
        return known.value(for: Use(scaling: scaling, paired: paired), find: find)
    }

    private struct Use: Equatable {
        let scaling: AxisScaling
        let paired: Bool
    }

    /// The most weights of an axis that is remembered, so that all together take no more than some megabytes.
    private static let mostWeights = 1 << 15
    private static let known = Memo<Use, WholeWeights>(most: 64)

    /// Rounds exact weights of single samples; `paired` has them begin at even sources.
    init(_ exact: AxisWeights, paired: Bool) {
        let most = exact.counts.max() ?? 0
        taps = paired ? (most / 2 + 1) * 2 : (most + 7) & ~7
        let targets = exact.counts.count
        weights = [Int16](repeating: 0, count: (targets + Self.more) * taps)
        ends = (0..<targets).map { exact.end(of: $0) }
        for target in 0..<targets {
            let first = Int(exact.firsts[target])
            let skipped = paired ? first % 2 : 0
            firsts.append(Int32(paired ? first / 2 : first))
            counts.append((skipped + exact.counts[target] + 1) / 2)
            let start = target * exact.taps
            round(exact.weights[start..<start + exact.counts[target]], to: target * taps + skipped)
        }
        firsts += [Int32](repeating: 0, count: Self.more)
    }

    /// Rounds one target's weights; what one loses by it the next one gets, so that their sum stays exact, and that very
    /// many small ones do not all become nothing.
    private mutating func round(_ exact: ArraySlice<Float>, to start: Int) {
        // Whole numbers, since each step waits for the one before it.
        let fineness = 16
        var place = start
        var kept = 1 << (fineness - 1)
        var left = Self.one
        for weight in exact {
            kept += Int(weight * Float(Self.one << fineness))
            let rounded = kept >> fineness
            kept -= rounded << fineness
            weights[place] = Int16(clamping: rounded)
            left -= rounded
            place += 1
        }
        weights[place - 1] = Int16(clamping: Int(weights[place - 1]) + left)
    }
}
