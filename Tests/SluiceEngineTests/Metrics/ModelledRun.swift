// SPDX-License-Identifier: MIT

import SluiceModel

@testable import SluiceEngine

/// Simulates a run in steps of a millisecond: items pass through the stages and are measured as in a real run.
struct ModelledRun {
    private let width = 16
    private let perHost: Int
    private let decoders = 2
    private let items = 2000
    private let perPage = 30
    private let page: Int
    private let transfer: Int
    private let decode: Int
    private let batch: Int

    private var occupancy = StageOccupancy()
    private var statistics = RunStatistics()
    private var line = 0
    private var transfers: [Int] = []
    private var decodeLine = 0
    private var decodes: [Int] = []
    private var ends = 0
    private var writing = 0
    private var writesUntil = 0
    private var listed = 0
    private var pageAt: Int?

    /// Describes a run by the durations of its pages, transfers, decodes and commits in milliseconds.
    init(perHost: Int = 16, page: Int = 50, transfer: Int = 100, decode: Int = 1, batch: Int = 5) {
        (self.perHost, self.page, self.transfer, self.decode, self.batch) = (perHost, page, transfer, decode, batch)
    }

    /// Simulates the run and returns its measurements.
    mutating func run() -> RunStatistics {
        var time = 0
        var ended = 0
        while ended < items, time < 600_000 {
            ended += step(time)
            time += 1
            if time % 250 == 0 { sample(Double(time) / 1000) }
        }
        sample(Double(time) / 1000)
        return statistics
    }

    private mutating func step(_ now: Int) -> Int {
        walk(now)
        while line > 0, transfers.count < perHost, transfers.count + decodeLine + decodes.count < width {
            move(.waitingForSlot, \.line, by: -1, now)
            occupancy.change(.inFlight, by: 1, at: seconds(now))
            transfers.append(now + transfer)
        }
        let arrived = transfers.count { $0 <= now }
        transfers.removeAll { $0 <= now }
        move(.waitingForDecoder, \.decodeLine, by: arrived, now)
        let decoded = decodes.count { $0 <= now }
        decodes.removeAll { $0 <= now }
        occupancy.change(.inFlight, by: -decoded, at: seconds(now))
        occupancy.change(.decoding, by: -decoded, at: seconds(now))
        move(.awaitingCommit, \.ends, by: decoded, now)
        while decodeLine > 0, decodes.count < decoders {
            move(.waitingForDecoder, \.decodeLine, by: -1, now)
            occupancy.change(.decoding, by: 1, at: seconds(now))
            decodes.append(now + decode)
        }
        return write(now)
    }

    /// Loads the next page unless too many items wait for a slot or for a commit.
    private mutating func walk(_ now: Int) {
        if let pageAt, pageAt <= now {
            self.pageAt = nil
            occupancy.change(.readingFeed, by: -1, at: seconds(now))
            let count = min(perPage, items - listed)
            listed += count
            move(.waitingForSlot, \.line, by: count, now)
        }
        guard pageAt == nil, listed < items, line < width, ends < 256 else { return }
        pageAt = now + page
        occupancy.change(.readingFeed, by: 1, at: seconds(now))
    }

    private mutating func write(_ now: Int) -> Int {
        var safe = 0
        if writing > 0, writesUntil <= now {
            safe = writing
            move(.awaitingCommit, \.ends, by: -writing, now)
            writing = 0
            occupancy.change(.committing, by: -1, at: seconds(now))
        }
        // A batch waits at most a tenth of a second for more items.
        if writing == 0, ends >= 64 || (ends > 0 && now % 100 == 0) {
            writing = min(64, ends)
            writesUntil = now + batch
            occupancy.change(.committing, by: 1, at: seconds(now))
        }
        return safe
    }

    private mutating func move(_ stage: Stage, _ count: WritableKeyPath<Self, Int>, by number: Int, _ now: Int) {
        self[keyPath: count] += number
        occupancy.change(stage, by: number, at: seconds(now))
    }

    private mutating func sample(_ time: Double) {
        var sample = RunSample()
        sample.begin = (statistics.series.samples.last?.begin ?? 0) + (statistics.series.samples.last?.length ?? 0)
        sample.length = time - sample.begin
        sample.averages = occupancy.averages(at: time)
        sample.bottleneck = Bottleneck(sample.averages, suspended: 0, width: width)
        statistics.add(sample)
    }

    private func seconds(_ now: Int) -> Double { Double(now) / 1000 }
}
