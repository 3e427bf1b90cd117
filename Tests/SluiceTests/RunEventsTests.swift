// SPDX-License-Identifier: MIT

import Foundation
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice

/// What a program sees of a run and may do to it: events one by one, and items that it calls off.
@Suite("Run events", .timeLimit(.minutes(10))) struct RunEventsTests {
    private static let count = 200

    private let service = HeldPhotos()
    private let folder: TemporaryFolder
    private let origin: Origin

    init() throws {
        folder = try TemporaryFolder()
        origin = try Origin(service)
    }

    /// A mirror whose photos are all under way at once.
    private func mirror() throws -> Mirror {
        let list = (1...Self.count).map { "\(origin.address)/\($0)\n" }.joined()
        try Data(list.utf8).write(to: folder.url.appending(path: "list"))
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.concurrency = Self.count
        options.perHost = Self.count
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(origin.port)]
        return Mirror(of: folder.path("list"), into: folder.path("out"), options: options)
    }

    @Test("Items that are called off while 200 run end as cancelled, once, and disturb no other")
    func cancelling() async throws {
        let mirror = try mirror()
        let events = mirror.events()
        async let running = mirror.run()
        var started = 0
        var ends: [Int: End] = [:]
        var loading = PageLoading.idle
        for await event in events {
            loading.note(event)
            switch event {
            case .itemStarted:
                started += 1
                guard started == Self.count else { break }
                #expect(loading.photos == Self.count)
                for seq in stride(from: 1, through: Self.count, by: 2) { #expect(mirror.cancel(seq)) }
                #expect(!mirror.cancel(Self.count + 1), "there is none")
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
        // What was called off is taken up by the next run.
        let next = try await self.mirror().run()
        #expect((next.done, next.kept) == (Self.count / 2, Self.count / 2))
    }

    @Test("A reader that comes to nothing before the run is over holds nobody up, and then has everything in order")
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

    @Test("The sequence of a run that cannot begin is empty, and one whose reader is called off ends")
    func empty() async throws {
        let refused = Mirror(of: "/nowhere/list.txt", into: folder.path("out"))
        let events = refused.events()
        await #expect(throws: MirrorError.self) { try await refused.run() }
        for await _ in events { Issue.record("there is no event") }
        let never = try mirror().events()
        let reader = Task { for await _ in never { Issue.record("it has not begun") } }
        reader.cancel()
        await reader.value
    }
}
