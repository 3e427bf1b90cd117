// SPDX-License-Identifier: MIT

import SluiceModel

@testable import Sluice

/// A run in numbers alone: items pass its stages as a real run's do, millisecond by millisecond, and are measured so.
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

    private var clock = StageClock()
    private var meter = RunMeter()
    private var line = 0
    private var transfers: [Int] = []
    private var decodeLine = 0
    private var decodes: [Int] = []
    private var ends = 0
    private var writing = 0
    private var writesUntil = 0
    private var listed = 0
    private var pageAt: Int?

    /// A run whose pages, transfers, decodes and batches of the end writer take so many milliseconds each.
    init(perHost: Int = 16, page: Int = 50, transfer: Int = 100, decode: Int = 1, batch: Int = 5) {
        (self.perHost, self.page, self.transfer, self.decode, self.batch) = (perHost, page, transfer, decode, batch)
    }

    /// Runs to the end, and gives what was measured.
    mutating func run() -> RunMeter {
        var time = 0
        var ended = 0
        while ended < items, time < 600_000 {
            ended += step(time)
            time += 1
            if time % 250 == 0 { sample(Double(time) / 1000) }
        }
        sample(Double(time) / 1000)
        return meter
    }

    private mutating func step(_ now: Int) -> Int {
        walk(now)
        while line > 0, transfers.count < perHost, transfers.count + decodeLine + decodes.count < width {
            move(.line, \.line, by: -1, now)
            clock.change(.flight, by: 1, at: seconds(now))
            transfers.append(now + transfer)
        }
        let arrived = transfers.count { $0 <= now }
        transfers.removeAll { $0 <= now }
        move(.decodeLine, \.decodeLine, by: arrived, now)
        let decoded = decodes.count { $0 <= now }
        decodes.removeAll { $0 <= now }
        clock.change(.flight, by: -decoded, at: seconds(now))
        clock.change(.decode, by: -decoded, at: seconds(now))
        move(.ends, \.ends, by: decoded, now)
        while decodeLine > 0, decodes.count < decoders {
            move(.decodeLine, \.decodeLine, by: -1, now)
            clock.change(.decode, by: 1, at: seconds(now))
            decodes.append(now + decode)
        }
        return write(now)
    }

    /// The pager lists a page, if there is room for it; a full end writer holds it up too.
    private mutating func walk(_ now: Int) {
        if let pageAt, pageAt <= now {
            self.pageAt = nil
            clock.change(.feed, by: -1, at: seconds(now))
            let count = min(perPage, items - listed)
            listed += count
            move(.line, \.line, by: count, now)
        }
        guard pageAt == nil, listed < items, line < width, ends < 256 else { return }
        pageAt = now + page
        clock.change(.feed, by: 1, at: seconds(now))
    }

    private mutating func write(_ now: Int) -> Int {
        var safe = 0
        if writing > 0, writesUntil <= now {
            safe = writing
            move(.ends, \.ends, by: -writing, now)
            writing = 0
            clock.change(.writer, by: -1, at: seconds(now))
        }
        // Nobody waits for others longer than a tenth of a second here.
        if writing == 0, ends >= 64 || (ends > 0 && now % 100 == 0) {
            writing = min(64, ends)
            writesUntil = now + batch
            clock.change(.writer, by: 1, at: seconds(now))
        }
        return safe
    }

    private mutating func move(_ stage: Stage, _ count: WritableKeyPath<Self, Int>, by number: Int, _ now: Int) {
        self[keyPath: count] += number
        clock.change(stage, by: number, at: seconds(now))
    }

    private mutating func sample(_ time: Double) {
        var sample = Sample()
        sample.begin = (meter.series.samples.last?.begin ?? 0) + (meter.series.samples.last?.length ?? 0)
        sample.length = time - sample.begin
        sample.means = clock.means(at: time)
        sample.bottleneck = Bottleneck(sample.means, resting: 0, width: width)
        meter.take(sample)
    }

    private func seconds(_ now: Int) -> Double { Double(now) / 1000 }
}
