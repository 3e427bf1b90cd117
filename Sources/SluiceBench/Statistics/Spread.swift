// SPDX-License-Identifier: MIT

/// What a few samples of one thing say: their median, how sure it is, and how noisy they are.
public struct Spread: Sendable, Hashable {
    /// The samples in the order in which they were taken.
    public let samples: [Double]
    /// The middle one.
    public let median: Double
    /// Between these two lies the median of 95 in a hundred resamplings (a bootstrap from a fixed seed).
    public let low: Double
    /// See ``low``.
    public let high: Double
    /// The deviation of the samples from their median, as a share of it.
    public let noise: Double
    /// Which samples lie far from the others, by their place.
    public let outliers: [Int]

    /// How often samples are drawn anew.
    private static let resamplings = 1000
    /// So many deviations from the median a normal spread has one value in two thousand.
    private static let farOut = 3.5
    /// Samples this near to the median are never far out: of five alike ones the deviation is next to nothing.
    private static let near = 0.05

    /// Sums up samples.
    public init(_ samples: [Double]) {
        self.samples = samples
        let middle = SluiceBench.median(samples)
        median = middle
        let deviation = deviation(samples)
        noise = middle == 0 ? 0 : deviation / abs(middle)
        let limit = max(Self.farOut * deviation, Self.near * abs(middle))
        outliers = samples.indices.filter { abs(samples[$0] - middle) > limit }
        (low, high) = Self.interval(of: samples)
    }

    private static func interval(of samples: [Double]) -> (Double, Double) {
        guard samples.count > 1 else { return (samples.first ?? 0, samples.first ?? 0) }
        var chance = Chance(seed: 1)
        let medians = (0..<resamplings).map { _ in
            SluiceBench.median(samples.map { _ in samples.randomElement(using: &chance) ?? 0 })
        }
        return (quantile(0.025, of: medians), quantile(0.975, of: medians))
    }
}

extension Spread {
    /// How much the samples can be relied on.
    public enum Verdict: String, Sendable, Hashable {
        /// A difference of a few percent shows.
        case quiet
        /// A difference of less than ten percent does not.
        case noisy
        /// Hardly anything does: measure again, or for longer.
        case unreliable
    }

    /// The verdict on the noise.
    public var verdict: Verdict {
        noise < 0.03 ? .quiet : noise < 0.1 ? .noisy : .unreliable
    }

    /// What makes the samples of that name doubtful, a sentence each.
    func doubts(of name: String) -> [String] {
        var doubts: [String] = []
        if verdict != .quiet {
            doubts.append("\(name): the samples differ by \(Int((noise * 100).rounded()))%, so it is \(verdict)")
        }
        if !outliers.isEmpty {
            let places = outliers.map { "\($0 + 1)" }.joined(separator: ", ")
            doubts.append("\(name): far from the others lies sample \(places) of \(samples.count)")
        }
        return doubts
    }
}
