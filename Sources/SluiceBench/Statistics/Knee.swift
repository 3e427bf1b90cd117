// SPDX-License-Identifier: MIT

/// Finds the knee of a throughput curve: the point beyond which more concurrency hardly helps.
package enum Knee {
    /// The share of the best rate that defines the knee.
    package static let share = 0.9

    /// Returns the first index whose rate is at least 90% of the best; rates are in ascending order of concurrency.
    package static func index(of rates: [Double]) -> Int? {
        guard let best = rates.max(), best > 0 else { return nil }
        return rates.firstIndex { $0 >= best * share }
    }

    /// Returns the first index whose rate is not measurably below the best: the intervals overlap, and the median is at
    /// least 97% of the best.
    package static func best(of statistics: [SampleStatistics]) -> Int? {
        guard let best = statistics.max(by: { $0.median < $1.median }), best.median > 0 else { return nil }
        return statistics.firstIndex { $0.high >= best.low && $0.median >= best.median * 0.97 }
    }
}
