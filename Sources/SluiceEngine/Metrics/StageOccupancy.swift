// SPDX-License-Identifier: MIT

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
