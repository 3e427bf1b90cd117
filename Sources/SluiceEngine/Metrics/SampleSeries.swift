// SPDX-License-Identifier: MIT

package import SluiceModel

/// Measurements over one interval of a run.
package struct RunSample: Sendable, Hashable {
    /// The start of the interval, in seconds since the run's start.
    package var begin = 0.0
    /// The length of the interval in seconds.
    package var length = 0.0
    package var done = 0
    /// Items that were skipped or failed.
    ///
    /// Items that earlier runs did are not counted.
    package var others = 0
    package var bytes = 0
    package var averages = StageAverages()
    /// Items that waited for their next attempt at the end of the interval.
    var suspended = 0
    /// Hosts that were paused at the end of the interval.
    package var pausedHosts = 0
    /// The stage that limited the run.
    package var bottleneck: Bottleneck?

    /// Whether at least 90 % of `bandwidth`, in bytes per second, was used.
    func saturates(_ bandwidth: Int?) -> Bool {
        bandwidth.map { Double(bytes) >= 0.9 * Double($0) * length } ?? false
    }

    /// Extends the sample by the interval that follows it.
    mutating func merge(_ next: RunSample) {
        averages = .mean(averages, over: length, next.averages, over: next.length)
        // The bottleneck of the longer interval counts.
        if next.length >= length { bottleneck = next.bottleneck }
        length = next.begin + next.length - begin
        done += next.done
        others += next.others
        bytes += next.bytes
        suspended = max(suspended, next.suspended)
        pausedHosts = max(pausedHosts, next.pausedHosts)
    }
}

/// A run's samples over a bounded number of intervals of equal length.
///
/// When the limit is reached, pairs are merged.
package struct SampleSeries: Sendable {
    private let limit: Int
    package private(set) var samples: [RunSample] = []
    /// The number of added samples that form one interval.
    private var samplesPerInterval = 1
    /// The number of samples in the last interval; 0 if it is complete.
    private var partialCount = 0

    init(limit: Int = 480) {
        precondition(limit >= 2 && limit.isMultiple(of: 2), "intervals are merged in pairs")
        self.limit = limit
    }

    mutating func add(_ sample: RunSample) {
        if let last = samples.last, partialCount == 0, sample.length * Double(samplesPerInterval) < last.length / 4 {
            // The rest at the end of a run is too short for a meaningful rate.
            samples[samples.count - 1].merge(sample)
            return
        }
        if partialCount == 0 { samples.append(sample) } else { samples[samples.count - 1].merge(sample) }
        partialCount = (partialCount + 1) % samplesPerInterval
        // Only after a complete interval, so that all intervals keep the same length.
        if partialCount == 0, samples.count >= limit { mergePairs() }
    }

    private mutating func mergePairs() {
        samples = stride(from: 0, to: samples.count - 1, by: 2).map { index in
            var sample = samples[index]
            sample.merge(samples[index + 1])
            return sample
        }
        samplesPerInterval *= 2
    }
}
