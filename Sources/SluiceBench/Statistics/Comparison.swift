// SPDX-License-Identifier: MIT

/// Tests whether two sets of samples differ significantly.
///
/// They differ if the exact two-sided rank-sum test gives a p-value of at most 0.02 and the medians differ by at least
/// 2%. Fewer than five samples on each side can never differ.
package struct Comparison: Sendable, Hashable {
    /// The result of a comparison; higher rates are faster.
    package enum Verdict: String, Sendable, Hashable {
        case faster, slower
        case same
    }

    /// The second median divided by the first.
    package let ratio: Double
    /// The p-value of the rank-sum test.
    package let pValue: Double
    package let verdict: Verdict

    private static let minimumDifference = 0.02
    private static let maximumPValue = 0.02

    /// Compares the rates `after` with those `before`.
    package init(_ before: [Double], _ after: [Double]) {
        let (old, new) = (median(before), median(after))
        ratio = old > 0 ? new / old : 1
        pValue = RankSum.pValue(of: before, and: after)
        let isSignificant = pValue <= Self.maximumPValue && abs(ratio - 1) >= Self.minimumDifference
        verdict = isSignificant ? (ratio > 1 ? .faster : .slower) : .same
    }
}

/// The exact rank-sum test of Mann and Whitney.
enum RankSum {
    /// Returns the two-sided p-value; a tie counts as half for each side.
    static func pValue(of first: [Double], and second: [Double]) -> Double {
        guard !first.isEmpty, !second.isEmpty else { return 1 }
        var doubled = 0
        for a in first { for b in second { doubled += a < b ? 2 : a == b ? 1 : 0 } }
        let maximum = first.count * second.count
        // Use the nearer end, and round a tie's half towards the middle, so that the p-value is never too small.
        let extreme = min((doubled + 1) / 2, maximum - doubled / 2)
        let counts = distribution(first.count, second.count)
        let all = counts.reduce(0, +)
        return min(1, 2 * counts[...extreme].reduce(0, +) / all)
    }

    /// Returns the number of rankings of `m` and `n` samples for each value of the statistic, from 0 to `m * n`.
    private static func distribution(_ m: Int, _ n: Int) -> [Double] {
        // counts[j][u] is for i samples of the first set and j of the second; each step increments i.
        var counts = (0...n).map { _ in [1.0] + [Double](repeating: 0, count: m * n) }
        for _ in 1...m {
            var next = [[1.0] + [Double](repeating: 0, count: m * n)]
            for j in 1...n {
                // The largest sample is either of the first set, above j of the second, or of the second set.
                next.append((0...m * n).map { u in (u >= j ? counts[j][u - j] : 0) + next[j - 1][u] })
            }
            counts = next
        }
        return counts[n]
    }
}
