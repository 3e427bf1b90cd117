// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Reading a run's events as a sequence, and cancelling single items.
@Suite("Run events", .timeLimit(.minutes(10))) struct RunEventsTests {
    private static let count = 200

    private let service = HeldPhotos()
    private let folder = TemporaryFolder()
    private let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    /// A mirror whose photos are all in flight at the same time.
    private func mirror() throws -> PhotoMirror {
        // A host that has not answered gets two slots at first, so the photos are on many hosts.
        let hosts = (0..<Self.count / 2).map { "host\($0).test" }
        let list = (1...Self.count).map { "http://\(hosts[$0 % hosts.count]):\(origin.port)/\($0)\n" }.joined()
        try folder.write(list, to: "list")
        let options = MirrorOptions.loopback(origin.port) {
            ($0.concurrency, $0.perHost) = (Self.count, Self.count)
            $0.network.resolved = hosts.map { "\($0):\(origin.port):127.0.0.1" }
        }
        return PhotoMirror(of: folder.path("list"), into: folder.path("out"), options: options)
    }

    @Test("Cancelling items while 200 are in flight ends each once, without affecting the others")
    func cancelling() async throws {
        let mirror = try mirror()
        let events = mirror.events()
        async let running = mirror.run()
        var started = 0
        var ends: [Int: ItemOutcome] = [:]
        var loading = PageLoadingState.idle
        for await event in events {
            loading.update(with: event)
            switch event {
            case .itemStarted:
                started += 1
                guard started == Self.count else { break }
                #expect(loading.photos == Self.count)
                for seq in stride(from: 1, through: Self.count, by: 2) { #expect(mirror.cancel(seq)) }
                #expect(!mirror.cancel(Self.count + 1), "no such item")
                service.gate.open()
            case .itemEnded(let item, let end):
                #expect(ends[item.seq] == nil)
                ends[item.seq] = end
            default: break
            }
        }
        let summary = try await running
        #expect((summary.done, summary.causes[.cancelled]) == (Self.count / 2, Self.count / 2))
        for seq in 1...Self.count {
            let end = try #require(ends[seq])
            if seq.isMultiple(of: 2) {
                #expect(end.receipt.state == .done && end.receipt.failure == nil)
            } else {
                #expect(end.receipt.failure?.cause == .cancelled)
            }
        }
        #expect(!mirror.cancel(2), "it has ended")
        // The next run processes the cancelled items.
        let next = try await self.mirror().run()
        #expect((next.done, next.kept) == (Self.count / 2, Self.count / 2))
    }

    @Test("A reader that starts after the run does not delay it, and gets all events in order")
    func late() async throws {
        service.gate.open()
        let mirror = try mirror()
        let (first, second) = (mirror.events(), mirror.events())
        let summary = try await mirror.run()
        var names: [[Int]] = []
        for events in [first, second] {
            var ended: [Int] = []
            var last: Event?
            for await event in events {
                if case .itemEnded(let item, _) = event { ended.append(item.seq) }
                last = event
            }
            #expect(last == .runFinished(summary))
            names.append(ended)
        }
        #expect(names[0] == names[1] && Set(names[0]) == Set(1...Self.count) && names[0].count == Self.count)
    }

    @Test("The sequence of a run that cannot begin is empty, and cancelling the reader ends it")
    func empty() async throws {
        let refused = PhotoMirror(of: "/nowhere/list.txt", into: folder.path("out"))
        let events = refused.events()
        await #expect(throws: MirrorError.self) { try await refused.run() }
        for await _ in events { Issue.record("unexpected event") }
        let never = try mirror().events()
        let reader = Task { for await _ in never { Issue.record("unexpected event before the run") } }
        reader.cancel()
        await reader.value
        for await _ in refused.events() { Issue.record("unexpected event after the end") }
    }

    @Test("A run can be performed once")
    func twice() async throws {
        let refused = PhotoMirror(of: "/nowhere/list.txt", into: folder.path("out"))
        await #expect(throws: MirrorError.self) { try await refused.run() }
        let error = await #expect(throws: MirrorError.self) { try await refused.run() }
        #expect(error?.code == .usage && error?.message.contains("twice") == true)
    }

    @Test("Cancelling its task stops a run, whose photos in flight are cancelled, and which the next run continues")
    func cancelledTask() async throws {
        let mirror = try mirror()
        let started = Gate(opensAt: .max)
        let running = Task { try await mirror.run { if case .itemStarted = $0 { started.open() } } }
        await started.pass(countingIn: false)
        running.cancel()
        let summary = try await running.value
        #expect(summary.stop == .requested && summary.done == 0)
        service.gate.open()
        #expect(try await self.mirror().run().done == Self.count)
    }

    @Test("A run of the main actor leaves it free") @MainActor
    func mainActor() async {
        let isMain = Locked<Bool?>(nil)
        let run = Run(RunLimits()) { (_) throws(MirrorError) in
            isMain.withLock { $0 = Thread.isMainThread }
            throw MirrorError(.usage, "")
        }
        await #expect(throws: MirrorError.self) { try await run.run() }
        #expect(isMain.withLock { $0 } == false)
    }
}

@Suite("MeasuredRun", .timeLimit(.minutes(10))) struct MeasuredRunTests {
    private let folder = TemporaryFolder()

    private func mirror() -> PhotoMirror { PhotoMirror(of: "demo", into: folder.path("mirror"), options: .small()) }

    @Test("The phases of every photo are measured, and the samples cover every byte and item") func phases()
        async throws
    {
        let mirror = mirror()
        #expect(mirror.bottleneck == nil)
        let summary = try await mirror.run()
        let statistics = try #require(mirror.control.statistics)
        for phase in [ItemPhase.firstByte, .queue, .decode, .resample, .encode, .write] {
            #expect(statistics.phases[phase.rawValue].count == 12, "\(phase)")
        }
        let connections = statistics.phases[ItemPhase.connect.rawValue].count
        #expect(connections >= 1 && connections <= 12)
        #expect(statistics.phases[ItemPhase.tls.rawValue].count == 0)
        #expect(statistics.items.count == 12)
        let samples = statistics.series.samples
        #expect(samples.reduce(0) { $0 + $1.done } == 12)
        // Includes the bytes of pages.
        #expect(samples.reduce(0) { $0 + $1.bytes } > summary.bytesReceived)
        #expect(samples.reduce(0) { $0 + $1.averages[.decoding] * $1.length } > 0)
        #expect(samples.reduce(0) { $0 + $1.averages[.readingFeed] * $1.length } > 0)
    }

    @Test("Kept photos are not measured") func kept() async throws {
        _ = try await mirror().run()
        let again = mirror()
        #expect(try await again.run().kept == 12)
        let statistics = try #require(again.control.statistics)
        #expect(statistics.items.count == 0 && statistics.phases.allSatisfy { $0.count == 0 })
    }
}

@Suite("Forecasts", .timeLimit(.minutes(10))) struct ForecastTests {
    private func host(
        _ name: String, photos: Int = 100, sizes: [Int] = [900, 1000, 1100, 1000], seconds: Double = 1,
        connections: Int = 5, interval: Double? = nil
    ) -> Forecast.Host {
        Forecast.Host(
            name: name, photos: photos, sizes: sizes, seconds: seconds, failures: 0, connections: connections,
            interval: interval)
    }

    private func forecast(
        _ hosts: [Forecast.Host], pages: Int = 1, concurrency: Int = 10, bandwidth: Int? = nil
    ) -> Forecast {
        Forecast(
            hosts: hosts, photos: hosts.reduce(0) { $0 + $1.photos }, hasMore: false, pages: pages, secondsPerPage: 2,
            concurrency: concurrency, bandwidth: bandwidth, failure: nil)
    }

    @Test("The slowest limit decides the time")
    func limits() {
        let connections = forecast([host("a"), host("b", photos: 10)]).time
        #expect(connections.seconds == 20 && connections.limit == .connections("a"))
        let rate = forecast([host("a"), host("b", photos: 30, interval: 1)]).time
        #expect(rate.seconds == 30 && rate.limit == .rate("b"))
        let concurrency = forecast([host("a"), host("b"), host("c"), host("d")], concurrency: 10).time
        #expect(concurrency.seconds == 40 && concurrency.limit == .concurrency)
        let bandwidth = forecast([host("a")], bandwidth: 1000).time
        #expect(bandwidth.seconds == 100 && bandwidth.limit == .bandwidth)
        let pages = forecast([host("a")], pages: 50).time
        #expect(pages.seconds == 100 && pages.limit == .pages)
    }

    @Test("The range of bytes is narrow for equal photos, wide for different ones, and none for a complete sample")
    func ranges() {
        #expect(forecast([host("a", sizes: [1000, 1000, 1000])]).bytesRange == 100_000...100_000)
        let mixed = forecast([host("a", sizes: [100, 1900, 1000, 1000])]).bytesRange
        #expect(mixed.lowerBound < 40_000 && mixed.upperBound > 160_000)
        #expect(forecast([host("a", photos: 4, sizes: [1, 2, 3, 4])]).bytesRange == 10...10)
        // Two photos say little about a hundred.
        #expect(forecast([host("a", sizes: [1000, 1000])]).bytesRange == 0...200_000)
        #expect(forecast([host("a", photos: 7), host("b")], pages: 3).requests == 112)
    }
}
