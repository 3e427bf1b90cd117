// SPDX-License-Identifier: MIT

package import SluiceModel

/// The accumulated measurements of a run.
///
/// Its memory does not grow with the run.
package struct RunStatistics: Sendable {
    /// The current bottleneck is that of the last seconds, so that the display does not flicker.
    private static let recentSeconds = 5.0

    /// Samples over the whole run.
    package private(set) var series = SampleSeries()
    /// The durations of each phase, over all items that had it.
    package private(set) var phases: [Histogram]
    /// The time from an item's slot to its end, over all items.
    package private(set) var items = Histogram()
    /// The number of seconds that each bottleneck limited the run.
    package private(set) var bottleneckSeconds: [Bottleneck: Double] = [:]
    private var recent: [RunSample] = []

    init() {
        phases = Array(repeating: Histogram(), count: ItemPhase.allCases.count)
    }

    mutating func add(_ timings: ItemTimings) {
        for phase in ItemPhase.allCases where timings[phase] > .zero { phases[phase.rawValue].count(timings[phase]) }
    }

    mutating func add(itemDuration: Duration) { items.count(itemDuration) }

    /// Adds the sample of the last interval.
    mutating func add(_ sample: RunSample) {
        series.add(sample)
        if let bottleneck = sample.bottleneck { bottleneckSeconds[bottleneck, default: 0] += sample.length }
        recent.append(sample)
        let end = sample.begin + sample.length
        recent.removeAll { $0.begin + $0.length <= end - Self.recentSeconds }
    }

    /// The bottleneck of the last few seconds.
    var currentBottleneck: Bottleneck? {
        var seconds: [Bottleneck: Double] = [:]
        for sample in recent {
            if let bottleneck = sample.bottleneck { seconds[bottleneck, default: 0] += sample.length }
        }
        return Self.longest(seconds)
    }

    /// The bottleneck that limited the run for the longest time.
    package var mainBottleneck: Bottleneck? { Self.longest(bottleneckSeconds) }

    /// Returns the bottleneck with the longest time.
    ///
    /// Ties go to the first in declaration order.
    private static func longest(_ seconds: [Bottleneck: Double]) -> Bottleneck? {
        var best: (bottleneck: Bottleneck, seconds: Double)?
        for bottleneck in Bottleneck.allCases {
            guard let time = seconds[bottleneck], time > best?.seconds ?? 0 else { continue }
            best = (bottleneck, time)
        }
        return best?.bottleneck
    }
}

/// The settings and limits of a run that the advice about its bottleneck depends on.
package struct TuningContext: Sendable, Hashable {
    package var slots = 1
    /// Whether the run adjusts the number of slots itself.
    package var adaptsSlots = false
    /// The maximum number of concurrent transfers per host.
    package var perHost = 1
    package var decoders = 1
    /// The number of cores: the most decoders that are useful.
    package var cores = 1
    /// The requested number of photos per page; `nil` if the user set none.
    package var perPage: Int?
    /// The memory limit for all decodes, in MB.
    package var memory = 0
    /// Whether the user limits the request rate.
    package var hasRate = false
    /// When files are flushed to disk.
    package var durability = Durability.batch
    /// Whether photos are downloaded over the network.
    package var isRemote = true
    /// Whether the feed is a list on standard input.
    package var readsInput = false
}
