// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The median of a few samples, its confidence interval, and the samples' noise and outliers.
package struct SampleStatistics: Sendable, Hashable {
    /// The samples in the order in which they were taken.
    package let samples: [Double]
    package let median: Double
    /// The lower end of the median's 95% confidence interval (a bootstrap with a fixed seed).
    package let low: Double
    /// The upper end of the median's 95% confidence interval.
    package let high: Double
    /// The deviation of the samples from their median, as a share of the median.
    package let noise: Double
    /// The indices of samples that lie far from the others.
    package let outliers: [Int]

    private static let resamplings = 1000
    /// The outlier threshold in deviations; a normal distribution exceeds it once in two thousand values.
    private static let outlierDeviations = 3.5
    /// The smallest outlier threshold as a share of the median, because the deviation of similar samples is near zero.
    private static let minimumOutlierShare = 0.05

    package init(_ samples: [Double]) {
        self.samples = samples
        let middle = SluiceBench.median(samples)
        median = middle
        let deviation = deviation(samples)
        noise = middle == 0 ? 0 : deviation / abs(middle)
        let limit = max(Self.outlierDeviations * deviation, Self.minimumOutlierShare * abs(middle))
        outliers = samples.indices.filter { abs(samples[$0] - middle) > limit }
        (low, high) = Self.interval(of: samples)
    }

    private static func interval(of samples: [Double]) -> (Double, Double) {
        guard samples.count > 1 else { return (samples.first ?? 0, samples.first ?? 0) }
        var random = SplitMix64(seed: 1)
        let medians = (0..<resamplings).map { _ in
            SluiceBench.median(samples.map { _ in samples.randomElement(using: &random) ?? 0 })
        }
        return (quantile(0.025, of: medians), quantile(0.975, of: medians))
    }
}

extension SampleStatistics {
    package enum Verdict: String, Sendable, Hashable {
        /// Differences of a few percent are detectable.
        case quiet
        /// Differences below ten percent are not detectable.
        case noisy
        /// Hardly any difference is detectable: measure again, or longer.
        case unreliable
    }

    /// The reliability, derived from ``noise``.
    package var verdict: Verdict {
        noise < 0.03 ? .quiet : noise < 0.1 ? .noisy : .unreliable
    }

    /// Returns warnings about unreliable samples, with the name of their setting.
    func warnings(of name: String) -> [String] {
        var warnings: [String] = []
        if verdict != .quiet {
            warnings.append("\(name): \(verdict), the samples deviate by \(Int((noise * 100).rounded()))%")
        }
        if !outliers.isEmpty {
            let numbers = outliers.map { "\($0 + 1)" }.joined(separator: ", ")
            warnings.append("\(name): outliers: sample \(numbers) of \(samples.count)")
        }
        return warnings
    }
}

/// Returns a quantile with linear interpolation; 0 if there are no values.
func quantile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.indices.last else { return 0 }
    let position = min(max(share, 0), 1) * Double(last)
    let below = Int(position)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
}

/// Returns the median; 0 if there are no values.
func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }

/// Returns the median absolute deviation, scaled to equal the standard deviation of a normal distribution.
func deviation(_ values: [Double]) -> Double {
    let middle = median(values)
    return 1.4826 * median(values.map { abs($0 - middle) })
}

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
