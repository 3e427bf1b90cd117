// SPDX-License-Identifier: MIT

/// The rank-sum test of Mann and Whitney, exact for any number of samples.
enum RankSum {
    /// How often two sets that do not differ are at least as unlike in their ranks; ties count for half on each side.
    static func chance(of first: [Double], and second: [Double]) -> Double {
        guard !first.isEmpty, !second.isEmpty else { return 1 }
        var doubled = 0
        for a in first { for b in second { doubled += a < b ? 2 : a == b ? 1 : 0 } }
        let most = first.count * second.count
        // Toward the nearer end, and a tie's half toward the middle: never more sure than the ranks are.
        let extreme = min((doubled + 1) / 2, most - doubled / 2)
        let ways = counts(first.count, second.count)
        let all = ways.reduce(0, +)
        return min(1, 2 * ways[...extreme].reduce(0, +) / all)
    }

    /// In how many ways the ranks of `m` and `n` samples give each sum, from 0 to `m * n`.
    private static func counts(_ m: Int, _ n: Int) -> [Double] {
        // ways[j][u]: of i first samples and j second ones; each step adds one first sample.
        var ways = (0...n).map { _ in [1.0] + [Double](repeating: 0, count: m * n) }
        for _ in 1...m {
            var next = [[1.0] + [Double](repeating: 0, count: m * n)]
            for j in 1...n {
                // The largest is a first sample, above j second ones, or a second one.
                next.append((0...m * n).map { u in (u >= j ? ways[j][u - j] : 0) + next[j - 1][u] })
            }
            ways = next
        }
        return ways[n]
    }
}
