// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceBench

@Suite("Statistics", .timeLimit(.minutes(10))) struct StatisticsTests {
    @Test("Quantiles are interpolated linearly")
    func quantiles() {
        #expect(median([]) == 0)
        #expect(median([3]) == 3)
        #expect(median([4, 1]) == 2.5)
        #expect(quantile(0.9, of: (0...10).map(Double.init)) == 9)
        #expect(quantile(0.25, of: [0, 2]) == 0.5)
        #expect(quantile(2, of: [1, 5]) == 5)
    }

    @Test("The deviation equals the standard deviation of a normal distribution and ignores an outlier")
    func deviations() {
        var random = SplitMix64(seed: 7)
        // The sum of twelve uniform values is approximately normal.
        var values = (0..<4000).map { _ in (0..<12).map { _ in Double.random(in: 0..<1, using: &random) }.reduce(0, +) }
        #expect(abs(deviation(values) - 1) < 0.05)
        values[0] = 1e9
        #expect(abs(deviation(values) - 1) < 0.05)
    }

    @Test("Outliers are detected, but not small deviations among similar samples")
    func outliers() {
        #expect(SampleStatistics([100, 101, 99, 100, 55]).outliers == [4])
        #expect(SampleStatistics([100, 100, 100, 100, 102]).outliers == [])
        #expect(SampleStatistics([100, 120, 80, 110, 90]).outliers == [])
    }

    @Test(
        "The verdict depends on the noise",
        arguments: [
            ([100, 101, 99, 100, 102], SampleStatistics.Verdict.quiet), ([100, 105, 95, 103, 98], .noisy),
            ([100, 130, 70, 110, 85], .unreliable), ([5], .quiet),
        ])
    func verdicts(samples: [Double], verdict: SampleStatistics.Verdict) {
        #expect(SampleStatistics(samples).verdict == verdict)
    }

    @Test("The interval contains the true median in at least 85% of 300 trials")
    func intervals() {
        var random = SplitMix64(seed: 3)
        let contained = (0..<300).count { _ in
            let statistics = SampleStatistics(seeded(count: 15, around: 100, within: 10, &random))
            return statistics.low <= 100 && 100 <= statistics.high
        }
        #expect(contained >= 255)
    }

    @Test("The p-values of small sets equal those found by enumeration")
    func ranks() {
        #expect(RankSum.pValue(of: [1, 2, 3, 4, 5], and: [6, 7, 8, 9, 10]) == 2.0 / 252)
        #expect(RankSum.pValue(of: [1, 2], and: [3, 4]) == 2.0 / 6)
        #expect(RankSum.pValue(of: [1, 2, 3], and: [1, 2, 3]) == 1)
        #expect(RankSum.pValue(of: [], and: [1]) == 1)
    }

    @Test("Samples of the same distribution rarely differ, and a real difference is detected")
    func agreement() {
        var random = SplitMix64(seed: 11)
        let same = (0..<1000).count { _ in
            let (first, second) = (
                seeded(count: 5, around: 100, within: 5, &random), seeded(count: 5, around: 100, within: 5, &random)
            )
            return Comparison(first, second).verdict == .same
        }
        #expect(same >= 980)
        let detected = (0..<1000).count { _ in
            let (first, second) = (
                seeded(count: 5, around: 100, within: 5, &random), seeded(count: 5, around: 88, within: 5, &random)
            )
            return Comparison(first, second).verdict == .slower
        }
        #expect(detected >= 950)
    }

    @Test("Fewer than five samples or a difference below 2% are not significant")
    func smallDifferences() {
        #expect(Comparison([1, 2, 3, 4], [50, 60, 70, 80]).verdict == .same)
        #expect(Comparison([100, 100, 100, 100, 100], [101, 101, 101, 101, 101]).verdict == .same)
        #expect(Comparison([10, 11, 12, 13, 14], [20, 21, 22, 23, 24]).verdict == .faster)
    }

    private func seeded(
        count: Int, around middle: Double, within reach: Double, _ random: inout SplitMix64
    ) -> [Double] {
        (0..<count).map { _ in Double.random(in: middle - reach...middle + reach, using: &random) }
    }
}

@Suite("Knee", .timeLimit(.minutes(10))) struct KneeTests {
    @Test("The knee is the first rate with 90% of the best")
    func knee() {
        #expect(Knee.index(of: [10, 20, 40, 79, 91, 100, 98]) == 4)
        #expect(Knee.index(of: [100, 100, 100]) == 0)
        #expect(Knee.index(of: [1, 2, 4, 8]) == 3)
        #expect(Knee.index(of: []) == nil)
        #expect(Knee.index(of: [0, 0]) == nil)
    }

    @Test("The best setting is the first not measurably slower than the fastest")
    func best() {
        let statistics = [[50, 51, 52], [97, 99, 101], [98, 100, 102], [80, 81, 82]].map { SampleStatistics($0) }
        #expect(Knee.best(of: statistics) == 1)
        #expect(Knee.best(of: []) == nil)
    }
}
