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
    private let folder: TemporaryFolder
    private let origin: OriginServer

    init() throws {
        folder = try TemporaryFolder()
        origin = try OriginServer(service)
    }

    /// A mirror whose photos are all in flight at the same time.
    private func mirror() throws -> PhotoMirror {
        // A host that has not answered gets two slots at first, so the photos are on many hosts.
        let hosts = (0..<Self.count / 2).map { "host\($0).test" }
        let list = (1...Self.count).map { "http://\(hosts[$0 % hosts.count]):\(origin.port)/\($0)\n" }.joined()
        try Data(list.utf8).write(to: folder.url.appending(path: "list"))
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.concurrency = Self.count
        options.perHost = Self.count
        options.network.allowsPrivate = true
        options.network.resolved = hosts.map { "\($0):\(origin.port):127.0.0.1" }
        options.network.allowedPorts = [Int(origin.port)]
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
    }
}
