// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceBench

@Suite("Statistics") struct StatisticsTests {
    @Test("Quantiles lie between two values in proportion")
    func quantiles() {
        #expect(median([]) == 0)
        #expect(median([3]) == 3)
        #expect(median([4, 1]) == 2.5)
        #expect(quantile(0.9, of: (0...10).map(Double.init)) == 9)
        #expect(quantile(0.25, of: [0, 2]) == 0.5)
        #expect(quantile(2, of: [1, 5]) == 5)
    }

    @Test("The deviation is the standard deviation of a normal spread, and one far value does not move it")
    func deviations() {
        var chance = Chance(seed: 7)
        // The sum of twelve evens is near enough to a normal value.
        var values = (0..<4000).map { _ in (0..<12).map { _ in Double.random(in: 0..<1, using: &chance) }.reduce(0, +) }
        #expect(abs(deviation(values) - 1) < 0.05)
        values[0] = 1e9
        #expect(abs(deviation(values) - 1) < 0.05)
    }

    @Test("A sample that is far out is called out, and one among alike ones is not")
    func outliers() {
        #expect(Spread([100, 101, 99, 100, 55]).outliers == [4])
        #expect(Spread([100, 100, 100, 100, 102]).outliers == [])
        #expect(Spread([100, 120, 80, 110, 90]).outliers == [])
    }

    @Test(
        "The verdict on the noise",
        arguments: [
            ([100, 101, 99, 100, 102], Spread.Verdict.quiet), ([100, 105, 95, 103, 98], .noisy),
            ([100, 130, 70, 110, 85], .unreliable), ([5], .quiet),
        ])
    func verdicts(samples: [Double], verdict: Spread.Verdict) {
        #expect(Spread(samples).verdict == verdict)
    }

    @Test("The interval holds the true median of seeded samples about nine times in ten")
    func intervals() {
        var chance = Chance(seed: 3)
        let held = (0..<300).count { _ in
            let spread = Spread(seeded(count: 15, around: 100, within: 10, &chance))
            return spread.low <= 100 && 100 <= spread.high
        }
        #expect(held >= 255)
    }

    @Test("The rank sums of small sets, by counting")
    func ranks() {
        #expect(RankSum.chance(of: [1, 2, 3, 4, 5], and: [6, 7, 8, 9, 10]) == 2.0 / 252)
        #expect(RankSum.chance(of: [1, 2], and: [3, 4]) == 2.0 / 6)
        #expect(RankSum.chance(of: [1, 2, 3], and: [1, 2, 3]) == 1)
        #expect(RankSum.chance(of: [], and: [1]) == 1)
    }

    @Test("Two runs of the same thing agree within their noise, and a real difference is seen")
    func agreement() {
        var chance = Chance(seed: 11)
        let same = (0..<1000).count { _ in
            let (first, second) = (
                seeded(count: 5, around: 100, within: 5, &chance), seeded(count: 5, around: 100, within: 5, &chance)
            )
            return Comparison(first, second).verdict == .same
        }
        #expect(same >= 980)
        let seen = (0..<1000).count { _ in
            let (first, second) = (
                seeded(count: 5, around: 100, within: 5, &chance), seeded(count: 5, around: 88, within: 5, &chance)
            )
            return Comparison(first, second).verdict == .slower
        }
        #expect(seen >= 950)
    }

    @Test("Fewer than five samples show no difference, and neither does one that is too small to matter")
    func smallDifferences() {
        #expect(Comparison([1, 2, 3, 4], [50, 60, 70, 80]).verdict == .same)
        #expect(Comparison([100, 100, 100, 100, 100], [101, 101, 101, 101, 101]).verdict == .same)
        #expect(Comparison([10, 11, 12, 13, 14], [20, 21, 22, 23, 24]).verdict == .faster)
    }

    private func seeded(
        count: Int, around middle: Double, within reach: Double, _ chance: inout Chance
    ) -> [Double] {
        (0..<count).map { _ in Double.random(in: middle - reach...middle + reach, using: &chance) }
    }
}
