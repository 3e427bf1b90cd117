// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What is measured of a run, in memory that does not grow with it: a pure value without clocks, threads or I/O.
struct RunMeter: Sendable {
    /// The verdict of the moment is that of the last seconds, so that it can be read.
    private static let patience = 5.0

    /// The run's course.
    private(set) var series = Series()
    /// How long the phases took, of all items that had them.
    private(set) var phases: [Histogram]
    /// The longest any item took from its slot to its end.
    private(set) var items = Histogram()
    /// For how many seconds each held the run up.
    private(set) var heldUp: [Bottleneck: Double] = [:]
    private var recent: [Sample] = []

    init() {
        phases = Array(repeating: Histogram(), count: Phase.allCases.count)
    }

    /// Counts an item's phases in.
    mutating func count(_ timings: Timings) {
        for phase in Phase.allCases where timings[phase] > .zero { phases[phase.rawValue].count(timings[phase]) }
    }

    /// Counts in how long an item took as a whole.
    mutating func count(item time: Duration) { items.count(time) }

    /// Takes in what the last span of time was like.
    mutating func take(_ sample: Sample) {
        series.add(sample)
        if let bottleneck = sample.bottleneck { heldUp[bottleneck, default: 0] += sample.length }
        recent.append(sample)
        let end = sample.begin + sample.length
        recent.removeAll { $0.begin + $0.length <= end - Self.patience }
    }

    /// What holds the run up now.
    var current: Bottleneck? {
        var shares: [Bottleneck: Double] = [:]
        for sample in recent { if let found = sample.bottleneck { shares[found, default: 0] += sample.length } }
        return Self.largest(shares)
    }

    /// What held the run up for most of its time.
    var verdict: Bottleneck? { Self.largest(heldUp) }

    /// The bottleneck with the largest share; of two the one that stands first in the list.
    private static func largest(_ shares: [Bottleneck: Double]) -> Bottleneck? {
        var best: (bottleneck: Bottleneck, share: Double)?
        for bottleneck in Bottleneck.allCases {
            guard let share = shares[bottleneck], share > best?.share ?? 0 else { continue }
            best = (bottleneck, share)
        }
        return best?.bottleneck
    }
}
