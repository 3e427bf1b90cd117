// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceEngine

@Suite("Bottleneck", .timeLimit(.minutes(10))) struct BottleneckTests {
    @Test("The network is the bottleneck if transfers take all slots") func network() {
        var run = ModelledRun(perHost: 16, transfer: 200)
        #expect(run.run().mainBottleneck == .network)
    }

    @Test("Host limits are the bottleneck if a host allows fewer transfers than there are slots") func hosts() {
        var run = ModelledRun(perHost: 4, transfer: 100)
        #expect(run.run().mainBottleneck == .hosts)
    }

    @Test("Decoding is the bottleneck if pictures take long, whatever the limit per host is", arguments: [6, 16])
    func decode(perHost: Int) {
        var run = ModelledRun(perHost: perHost, transfer: 20, decode: 40)
        #expect(run.run().mainBottleneck == .decode)
    }

    @Test("The disk is the bottleneck if commits take long") func disk() {
        var run = ModelledRun(transfer: 20, decode: 1, batch: 400)
        #expect(run.run().mainBottleneck == .disk)
    }

    @Test("The feed is the bottleneck if pages take long") func feed() {
        var run = ModelledRun(page: 900, transfer: 40)
        #expect(run.run().mainBottleneck == .feed)
    }

    @Test("Items that wait for a retry hold no slot, and count for the host limits only if hosts are paused")
    func suspendedItems() {
        var averages = StageAverages()
        averages[.inFlight] = 16
        #expect(Bottleneck(averages, suspended: 0, width: 16) == .network)
        #expect(Bottleneck(averages, suspended: 12, pausedHosts: 1, width: 16) == .hosts)
        #expect(Bottleneck(averages, suspended: 12, width: 16) == nil)
        // The last photo of a run, which waits before its retry.
        averages[.inFlight] = 1
        #expect(Bottleneck(averages, suspended: 1, width: 16) == nil)
    }

    @Test("The network is the bottleneck if the bandwidth limit is reached, even while items wait for a host")
    func throttled() {
        var averages = StageAverages()
        (averages[.inFlight], averages[.waitingForSlot]) = (6, 8)
        #expect(Bottleneck(averages, suspended: 0, width: 16) == .hosts)
        #expect(Bottleneck(averages, suspended: 0, width: 16, isThrottled: true) == .bandwidth)
        #expect(RunSample(begin: 0, length: 0.5, bytes: 46_000).saturates(100_000))
        #expect(!RunSample(begin: 0, length: 0.5, bytes: 44_000).saturates(100_000))
        #expect(!RunSample(begin: 0, length: 0.5, bytes: 44_000).saturates(nil))
    }

    @Test("A run that waits for a list on standard input is limited by it")
    func input() {
        var averages = StageAverages()
        averages[.readingFeed] = 1
        #expect(Bottleneck(averages, suspended: 0, width: 16) == .feed)
        #expect(Bottleneck(averages, suspended: 0, width: 16, readsInput: true) == .input)
    }

    @Test("An idle run has no bottleneck") func idle() {
        #expect(Bottleneck(StageAverages(), suspended: 0, width: 16) == nil)
        var averages = StageAverages()
        averages[.inFlight] = 2
        // The last items of a run.
        #expect(Bottleneck(averages, suspended: 0, width: 16) == .network)
        averages[.decoding] = 2
        #expect(Bottleneck(averages, suspended: 0, width: 16) == .decode)
    }

    @Test("The current bottleneck covers the last seconds, the main bottleneck the whole run") func current() {
        var statistics = RunStatistics()
        for second in 0..<20 {
            statistics.add(RunSample(begin: Double(second), length: 1, bottleneck: second < 14 ? .feed : .disk))
        }
        #expect(statistics.currentBottleneck == .disk && statistics.mainBottleneck == .feed)
        #expect(statistics.bottleneckSeconds == [.feed: 14, .disk: 6])
    }
}

@Suite("StageOccupancy", .timeLimit(.minutes(10))) struct StageOccupancyTests {
    @Test("An item that enters and leaves between two samples counts for the time it stayed") func averages() {
        var occupancy = StageOccupancy()
        occupancy.change(.decoding, by: 1, at: 0.25)
        occupancy.change(.decoding, by: 1, at: 0.5)
        occupancy.change(.decoding, by: -2, at: 0.75)
        occupancy.change(.waitingForSlot, by: 3, at: 0)
        let first = occupancy.averages(at: 1)
        #expect(first[.decoding] == 0.75 && first[.waitingForSlot] == 3 && first[.committing] == 0)
        #expect(occupancy.count(.decoding) == 0 && occupancy.count(.waitingForSlot) == 3)
        let second = occupancy.averages(at: 3)
        #expect(second[.decoding] == 0 && second[.waitingForSlot] == 3)
    }

    @Test("After a million items the averages are as exact as at the beginning") func drift() {
        var occupancy = StageOccupancy()
        for number in 0..<1_000_000 {
            occupancy.change(.inFlight, by: 1, at: Double(number) * 0.1)
            occupancy.change(.inFlight, by: -1, at: Double(number) * 0.1 + 0.05)
            if number % 1000 == 999 { _ = occupancy.averages(at: Double(number + 1) * 0.1) }
        }
        occupancy.change(.inFlight, by: 1, at: 100_000.5)
        #expect(abs(occupancy.averages(at: 100_001)[.inFlight] - 0.5) < 1e-3)
    }
}

@Suite("SampleSeries", .timeLimit(.minutes(10))) struct SampleSeriesTests {
    @Test("A short rest at the end is merged into the last interval")
    func rest() {
        var series = SampleSeries(limit: 8)
        for second in 0..<20 { series.add(RunSample(begin: Double(second), length: 1, done: 2)) }
        let before = series.samples
        series.add(RunSample(begin: 20, length: 0.01, done: 3))
        #expect(series.samples.count == before.count)
        #expect(series.samples.last?.done == (before.last?.done ?? 0) + 3)
        #expect(series.samples.last.map { $0.begin + $0.length } == 20.01)
    }

    @Test(
        "A run of any length has a bounded number of equal intervals without gaps", arguments: [1, 7, 8, 9, 1000])
    func halving(count: Int) throws {
        var series = SampleSeries(limit: 8)
        for second in 0..<count {
            var sample = RunSample(begin: Double(second), length: 1, done: 2, bytes: second)
            sample.averages[.inFlight] = Double(second)
            series.add(sample)
        }
        let samples = series.samples
        #expect(samples.count <= 8 && (count < 8 || samples.count >= 4))
        #expect(samples.reduce(0) { $0 + $1.done } == 2 * count)
        #expect(samples.reduce(0) { $0 + $1.bytes } == count * (count - 1) / 2)
        #expect(Set(samples.dropLast().map(\.length)).count <= 1)
        var end = 0.0
        for sample in samples {
            #expect(sample.begin == end)
            end = sample.begin + sample.length
            #expect(abs(sample.averages[.inFlight] - (sample.begin + (sample.length - 1) / 2)) < 1e-9)
        }
        #expect(end == Double(count))
    }
}

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
