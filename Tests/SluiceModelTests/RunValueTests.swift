// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import Testing

@Suite("Page loading state", .timeLimit(.minutes(10))) struct PageLoadingStateTests {
    @Test("First pages, further pages and failed pages have different states")
    func states() {
        let failure = Failure(.timeout, "30 s")
        let steps: [(Event, PageLoadingState)] = [
            (.runStarted(RunStart(source: "demo", feed: "demo", folder: "m", width: 16)), .idle),
            (.pageRequested(number: 1), .loadingFirst),
            (.pageLoaded(number: 1, photos: 30, total: nil), .loaded(pages: 1, photos: 30)),
            (.pageRequested(number: 2), .loadingMore(page: 2, photos: 30)),
            (.note("a word"), .loadingMore(page: 2, photos: 30)),
            (.pageLoaded(number: 2, photos: 12, total: nil), .loaded(pages: 2, photos: 42)),
            (.pageRequested(number: 3), .loadingMore(page: 3, photos: 42)),
            (.pageFailed(number: 3, failure), .failed(page: 3, photos: 42, failure)),
        ]
        var current = PageLoadingState.idle
        for (event, state) in steps {
            current.update(with: event)
            #expect(current == state)
        }
    }
}

@Suite("Histogram", .timeLimit(.minutes(10))) struct HistogramTests {
    @Test("Percentiles are accurate to 3.2 % from microseconds to an hour") func percentiles() throws {
        var histogram = Histogram()
        // The spread covers every doubling.
        let times: [Duration] = (0..<10_000).map { (number: Int) in
            let microseconds: Double = 1.0022 * Double(number * number) / 30 + 1
            return .microseconds(Int64(microseconds))
        }
        for time in times.shuffled() { histogram.count(time) }
        for share in [0.01, 0.1, 0.5, 0.9, 0.99, 0.999] {
            let exact = times[Int((10_000 * share).rounded(.up)) - 1]
            let found = try #require(histogram.quantile(share))
            #expect(found >= exact && found / exact < 1.032, "\(share): \(found) for \(exact)")
        }
        #expect(histogram.quantile(1) == times.last && histogram.longest == times.last)
        #expect(histogram.count == 10_000 && histogram.sum == times.reduce(.zero, +))
    }

    @Test("An empty histogram has no percentiles, and durations above the range go to the last bucket") func edges() {
        var histogram = Histogram()
        #expect(histogram.quantile(0.5) == nil)
        histogram.count(.zero)
        histogram.count(.seconds(1_000_000))
        #expect(histogram.quantile(0) == .zero && histogram.quantile(0.5) == .zero)
        #expect(histogram.quantile(1) == .microseconds(Int64(UInt32.max)))
        #expect(histogram.longest == .seconds(1_000_000))
    }

    @Test("Durations up to a limit are counted for cumulative buckets") func cumulative() {
        var histogram = Histogram()
        for milliseconds in [1, 2, 5, 10, 100] { histogram.count(.milliseconds(milliseconds)) }
        #expect(histogram.count(upTo: .microseconds(500)) == 0)
        #expect(histogram.count(upTo: .milliseconds(5)) == 3)
        #expect(histogram.count(upTo: .seconds(1)) == 5)
    }
}

@Suite("Item timings", .timeLimit(.minutes(10))) struct ItemTimingsTests {
    @Test("The phases of a stage follow each other, and missing phases are omitted") func slices() {
        let start = ContinuousClock.now
        var timings = ItemTimings()
        timings.requestedAt = start
        timings[.dns] = .milliseconds(3)
        timings[.firstByte] = .milliseconds(20)
        timings[.body] = .milliseconds(40)
        timings.queuedAt = start + .milliseconds(90)
        timings[.decode] = .milliseconds(8)
        // Its start time is unknown.
        timings[.write] = .milliseconds(1)
        let slices = timings.slices
        #expect(slices.map(\.phase) == [.dns, .firstByte, .body, .decode])
        #expect(slices.map { $0.begin - start } == [0, 3, 23, 90].map { .milliseconds($0) })
        #expect(slices.map(\.length) == [3, 20, 40, 8].map { .milliseconds($0) })
    }

    @Test("Phases are stored in microseconds and clamped to the supported range") func bounds() {
        var timings = ItemTimings()
        timings[.tls] = .microseconds(1234) + .nanoseconds(900)
        timings[.body] = .seconds(1_000_000)
        timings[.queue] = .seconds(-1)
        #expect(timings[.tls] == .microseconds(1234))
        #expect(timings[.body] == .microseconds(Int64(UInt32.max)) && timings[.queue] == .zero)
    }
}

@Suite("Process usage", .timeLimit(.minutes(10))) struct ProcessUsageTests {
    @Test("The CPU time of a process is read, and of a missing one there is none")
    func otherProcess() throws {
        let before = ProcessUsage.cpu
        let time = try #require(ProcessUsage.cpu(of: getpid()))
        // The system counts in hundredths of a second.
        #expect(time >= before - 0.05 && time <= ProcessUsage.cpu + 0.05)
        #expect(ProcessUsage.cpu(of: -1) == nil)
    }
}

@Suite("Cancellation token", .timeLimit(.minutes(10))) struct CancellationTokenTests {
    @Test("Cancelling a token reaches its descendants and no other tokens")
    func tree() {
        let run = CancellationToken()
        let host = CancellationToken(below: run)
        let item = CancellationToken(below: host)
        let other = CancellationToken(below: run)
        host.cancel(.timeout)
        #expect(item.isCancelled && item.cause == .timeout)
        #expect(!run.isCancelled && !other.isCancelled)
        run.cancel()
        #expect(other.cause == .cancelled)
        #expect(host.cause == .timeout, "the first cause is kept")
    }

    @Test("A handler is called once, immediately if it is registered late, and not after its release")
    func handlers() {
        let calls = Locked<[String]>([])
        let token = CancellationToken()
        let early = token.onCancel { _ in calls.withLock { $0.append("early") } }
        do { _ = token.onCancel { _ in calls.withLock { $0.append("gone") } } }
        token.cancel(.policy)
        token.cancel(.timeout)
        let late = token.onCancel { cause in calls.withLock { $0.append("late \(cause)") } }
        withExtendedLifetime((early, late)) {}
        #expect(calls.withLock { $0 } == ["early", "late policy"])
    }

    @Test("A child of a cancelled token is cancelled from the start")
    func bornCancelled() {
        let run = CancellationToken()
        run.cancel()
        #expect(CancellationToken(below: run).isCancelled)
    }

    @Test("The first handler sees the whole tree as cancelled")
    func markedFirst() {
        let run = CancellationToken()
        let items = (0..<20).map { _ in CancellationToken(below: run) }
        let seen = Locked<[Bool]>([])
        let handlers = items.map { item in
            item.onCancel { _ in seen.withLock { $0.append(items.allSatisfy(\.isCancelled)) } }
        }
        run.cancel()
        withExtendedLifetime(handlers) {}
        #expect(seen.withLock { $0 } == Array(repeating: true, count: 20))
    }

    @Test("check() throws the cause")
    func check() throws {
        let token = CancellationToken()
        try token.check()
        token.cancel(.timeout)
        #expect(throws: Failure(.timeout, "")) { try token.check() }
    }

    @Test("A released token is removed from its parent")
    func release() {
        let run = CancellationToken()
        weak var gone: CancellationToken?
        do {
            let item = CancellationToken(below: run)
            gone = item
        }
        #expect(gone == nil)
        run.cancel()
    }
}
