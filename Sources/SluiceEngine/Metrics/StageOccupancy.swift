// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The stages of a run whose occupancy is measured: those of items, and the states of the feed reader and the commit
/// writer.
package enum Stage: Int, CaseIterable {
    /// Items that wait for their first slot.
    case waitingForSlot
    /// Items that have a slot or wait for their next attempt.
    case inFlight
    /// Downloaded items that wait for a decoder.
    case waitingForDecoder
    /// Items that have a decoder and wait for memory.
    case waitingForMemory
    case decoding
    /// Items that wait to be committed.
    case awaitingCommit
    /// The commit writer is writing: 0 or 1.
    case committing
    /// The run waits for a page of the feed: 0 or 1.
    case readingFeed
    /// The feed reader waits because too many items wait for a slot: 0 or 1.
    case blockedOnPool
    /// The feed reader waits because too many items wait to be committed: 0 or 1.
    case blockedOnCommits
}

/// Counts the items in each stage and computes their average number over time.
///
/// The averages are exact at any sampling interval: an item that enters and leaves between two samples counts for the
/// time that it stayed.
struct StageOccupancy {
    private var counts = SIMD16<Int32>()
    /// For each stage, the sum of all entry times minus the sum of all exit times.
    private var moments = SIMD16<Double>()
    /// For each stage, the total time spent in it by all items, as of the last call of `averages(at:)`.
    private var lastTotals = SIMD16<Double>()
    private var lastTime = 0.0

    /// Adds `number` items to a stage, or removes them if it is negative.
    ///
    /// `time` is in seconds since the run's start.
    mutating func change(_ stage: Stage, by number: Int, at time: Double) {
        counts[stage.rawValue] &+= Int32(truncatingIfNeeded: number)
        moments[stage.rawValue] += Double(number) * time
    }

    func count(_ stage: Stage) -> Int { Int(counts[stage.rawValue]) }

    /// Returns the average number of items in each stage since the last call.
    mutating func averages(at time: Double) -> StageAverages {
        let totals = SIMD16<Double>(counts) * time - moments
        let interval = time - lastTime
        defer { (lastTotals, lastTime) = (totals, time) }
        return StageAverages(interval > 0 ? (totals - lastTotals) / interval : SIMD16(counts))
    }
}

/// The average number of items in each stage over an interval.
package struct StageAverages: Sendable, Hashable {
    private var values: SIMD16<Double>

    init(_ values: SIMD16<Double> = .zero) { self.values = values }

    package subscript(stage: Stage) -> Double {
        get { values[stage.rawValue] }
        set { values[stage.rawValue] = newValue }
    }

    /// Returns the averages over two consecutive intervals, weighted by their lengths.
    static func mean(
        _ first: StageAverages, over length: Double, _ second: StageAverages, over secondLength: Double
    ) -> StageAverages {
        let total = length + secondLength
        return total > 0 ? StageAverages((first.values * length + second.values * secondLength) / total) : second
    }
}

extension Bottleneck {
    /// Determines the stage that limited a run over an interval; `nil` if none did.
    ///
    /// Back-pressure fills every stage before the bottleneck. The stages are therefore checked from the last to the
    /// first, and the first full one is the bottleneck. `isThrottled` says that the run used all of its allowed
    /// bandwidth, and `readsInput` that its feed is a list on standard input. Items that wait for a
    /// retry count for the hosts only if hosts are paused. `Documentation/report.md` describes the rule.
    init?(
        _ averages: StageAverages, suspended: Int, pausedHosts: Int = 0, width: Int, isThrottled: Bool = false,
        readsInput: Bool = false
    ) {
        let slots = averages[.inFlight] - Double(suspended)
        if averages[.committing] >= 0.8 || averages[.blockedOnCommits] >= 0.5 {
            self = .disk
        } else if averages[.waitingForDecoder] >= 1 || averages[.waitingForMemory] >= 1 {
            self = .decode
        } else if isThrottled {
            self = .bandwidth
        } else if slots >= 0.9 * Double(width) {
            self = .network
        } else if averages[.waitingForSlot] >= 1 || pausedHosts > 0 && Double(suspended) > max(0, slots) {
            self = .hosts
        } else if averages[.readingFeed] >= 0.5 {
            self = readsInput ? .input : .feed
        } else if slots >= 0.5, slots >= Double(suspended) {
            // The last items of a run: no others wait for their slots.
            self = averages[.decoding] > averages[.inFlight] / 2 ? .decode : .network
        } else {
            return nil
        }
    }
}
