// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import Sluice

@Suite("Bottleneck") struct BottleneckTests {
    @Test("Where transfers take all slots, it is the network") func network() {
        var run = ModelledRun(perHost: 16, transfer: 200)
        #expect(run.run().verdict == .network)
    }

    @Test("Where a host takes fewer transfers than there are slots, it is the host's limits") func hosts() {
        var run = ModelledRun(perHost: 4, transfer: 100)
        #expect(run.run().verdict == .hosts)
    }

    @Test("Where pictures take long, it is the decode, however few transfers a host takes", arguments: [6, 16])
    func decode(perHost: Int) {
        var run = ModelledRun(perHost: perHost, transfer: 20, decode: 40)
        #expect(run.run().verdict == .decode)
    }

    @Test("Where making safe takes long, it is the disk") func disk() {
        var run = ModelledRun(transfer: 20, decode: 1, batch: 400)
        #expect(run.run().verdict == .disk)
    }

    @Test("Where pages take long, it is the feed") func feed() {
        var run = ModelledRun(page: 900, transfer: 40)
        #expect(run.run().verdict == .feed)
    }

    @Test("Items that rest between attempts are the hosts' business, and hold no slot") func resting() {
        var means = StageMeans()
        means[.flight] = 16
        #expect(Bottleneck(means, resting: 0, width: 16) == .network)
        #expect(Bottleneck(means, resting: 12, width: 16) == .hosts)
    }

    @Test("Where all bytes come that may come, it is the network, however many wait for a host") func throttled() {
        var means = StageMeans()
        (means[.flight], means[.line]) = (6, 8)
        #expect(Bottleneck(means, resting: 0, width: 16) == .hosts)
        #expect(Bottleneck(means, resting: 0, width: 16, isThrottled: true) == .network)
        #expect(Sample(begin: 0, length: 0.5, bytes: 46_000).takes(100_000))
        #expect(!Sample(begin: 0, length: 0.5, bytes: 44_000).takes(100_000))
        #expect(!Sample(begin: 0, length: 0.5, bytes: 44_000).takes(nil))
    }

    @Test("A run that does nothing is held up by nothing") func idle() {
        #expect(Bottleneck(StageMeans(), resting: 0, width: 16) == nil)
        var means = StageMeans()
        means[.flight] = 2
        // Its last items.
        #expect(Bottleneck(means, resting: 0, width: 16) == .network)
        means[.decode] = 2
        #expect(Bottleneck(means, resting: 0, width: 16) == .decode)
    }

    @Test("The verdict of the moment forgets what is some seconds ago; that of the run does not") func patience() {
        var meter = RunMeter()
        for second in 0..<20 {
            meter.take(Sample(begin: Double(second), length: 1, bottleneck: second < 14 ? .feed : .disk))
        }
        #expect(meter.current == .disk && meter.verdict == .feed)
        #expect(meter.heldUp == [.feed: 14, .disk: 6])
    }
}

@Suite("StageClock") struct StageClockTests {
    @Test("What enters and leaves between two looks counts for as long as it stayed") func means() {
        var clock = StageClock()
        clock.change(.decode, by: 1, at: 0.25)
        clock.change(.decode, by: 1, at: 0.5)
        clock.change(.decode, by: -2, at: 0.75)
        clock.change(.line, by: 3, at: 0)
        let first = clock.means(at: 1)
        #expect(first[.decode] == 0.75 && first[.line] == 3 && first[.writer] == 0)
        #expect(clock.count(.decode) == 0 && clock.count(.line) == 3)
        let second = clock.means(at: 3)
        #expect(second[.decode] == 0 && second[.line] == 3)
    }

    @Test("After a million items the means are as exact as at the begin") func drift() {
        var clock = StageClock()
        for number in 0..<1_000_000 {
            clock.change(.flight, by: 1, at: Double(number) * 0.1)
            clock.change(.flight, by: -1, at: Double(number) * 0.1 + 0.05)
            if number % 1000 == 999 { _ = clock.means(at: Double(number + 1) * 0.1) }
        }
        clock.change(.flight, by: 1, at: 100_000.5)
        #expect(abs(clock.means(at: 100_001)[.flight] - 0.5) < 1e-3)
    }
}

@Suite("Series") struct SeriesTests {
    @Test("What is left at the end is no span of its own, so that no moment looks like a rush")
    func rest() {
        var series = Series(most: 8)
        for second in 0..<20 { series.add(Sample(begin: Double(second), length: 1, done: 2)) }
        let before = series.samples
        series.add(Sample(begin: 20, length: 0.01, done: 3))
        #expect(series.samples.count == before.count)
        #expect(series.samples.last?.done == (before.last?.done ?? 0) + 3)
        #expect(series.samples.last.map { $0.begin + $0.length } == 20.01)
    }

    @Test(
        "A run of any length has a bounded number of equal spans that leave nothing out", arguments: [1, 7, 8, 9, 1000])
    func halving(count: Int) throws {
        var series = Series(most: 8)
        for second in 0..<count {
            var sample = Sample(begin: Double(second), length: 1, done: 2, bytes: second)
            sample.means[.flight] = Double(second)
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
            #expect(abs(sample.means[.flight] - (sample.begin + (sample.length - 1) / 2)) < 1e-9)
        }
        #expect(end == Double(count))
    }
}
