// SPDX-License-Identifier: MIT

/// Whether one set of samples differs from another by more than both their noise.
///
/// The rule: the ranks of the two sets are so unlike that chance alone does it in at most two of a hundred cases (the
/// exact two-sided rank-sum test), and the medians differ by two percent or more. Fewer than five samples on each side
/// can never show it.
public struct Comparison: Sendable, Hashable {
    /// What came of it; more is better.
    public enum Verdict: String, Sendable, Hashable {
        case faster, slower
        /// No difference beyond the noise.
        case same
    }

    /// The second median divided by the first.
    public let ratio: Double
    /// How often chance alone makes the ranks so unlike.
    public let chance: Double
    /// What came of it.
    public let verdict: Verdict

    private static let leastDifference = 0.02
    private static let mostChance = 0.02

    /// Compares the rates `after` with those `before`.
    public init(_ before: [Double], _ after: [Double]) {
        let (old, new) = (median(before), median(after))
        ratio = old > 0 ? new / old : 1
        chance = RankSum.chance(of: before, and: after)
        let isReal = chance <= Self.mostChance && abs(ratio - 1) >= Self.leastDifference
        verdict = isReal ? (ratio > 1 ? .faster : .slower) : .same
    }
}
