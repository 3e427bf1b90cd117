// SPDX-License-Identifier: MIT

import Dispatch
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@testable import SluiceEngine

@Suite("Event queue", .timeLimit(.minutes(10))) struct EventQueueTests {
    private func item(_ seq: Int) -> Item {
        var photo = Photo(id: "p\(seq)")
        photo.caption = "a long caption"
        return Item(seq: seq, feed: "demo", page: 1, photo: photo)
    }

    private func drain(_ queue: inout EventQueue) -> [Event] {
        var events: [Event] = []
        while let event = queue.popFirst() { events.append(event) }
        return events
    }

    @Test("A reader that keeps up gets every event in order")
    func whole() {
        var queue = EventQueue()
        var read: [Event] = []
        let events = (1...10_000).flatMap { seq in
            [Event.itemStarted(item(seq)), .itemProgressed(item(seq), bytes: 1, total: 2)]
                + [.itemEnded(item(seq), .done(Receipt(.done)))]
        }
        for (number, event) in events.enumerated() {
            queue.append(event)
            if number.isMultiple(of: 3000) { read += drain(&queue) }
        }
        read += drain(&queue)
        #expect(read == events)
    }

    @Test("A slow reader gets every item's end in short form, and the queue grows only by these")
    func slow() {
        var queue = EventQueue()
        let failure = Failure(.timeout, "a long detail", status: 200)
        for seq in 1...10_000 {
            queue.append(.itemStarted(item(seq)))
            queue.append(.itemProgressed(item(seq), bytes: 1, total: nil))
            queue.append(.pageLoaded(number: seq, photos: 1, total: nil))
            queue.append(.itemEnded(item(seq), .failed(Receipt(.failed, failure: failure))))
        }
        queue.append(.stopping(.requested))
        queue.append(.runFinished(Summary()))
        // 4,096 unchanged events, a quarter of them ends; the other ends; and the last two events.
        #expect(queue.count == 4096 + (10_000 - 1024) + 2)
        let events = drain(&queue)
        let ends = events.compactMap { if case .itemEnded(let item, let end) = $0 { (item, end) } else { nil } }
        #expect(ends.map(\.0.seq) == Array(1...10_000))
        #expect(ends.first?.0.photo.caption != nil && ends.first?.1.receipt.failure == failure)
        #expect(ends.last?.0 == Item(seq: 10_000, feed: "demo", page: 1, photo: Photo(id: "p10000")))
        #expect(ends.last?.1.receipt.failure == Failure(.timeout, ""))
        #expect(events.suffix(2) == [.stopping(.requested), .runFinished(Summary())])
    }
}

@Suite("EventRecorder", .timeLimit(.minutes(10))) struct EventRecorderTests {
    @Test("A blocked sink does not slow the recorder, and gets every item's end in order, the later ones in short form")
    func blockedSink() {
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let seen = Locked<[Event]>([])
        let recorder = EventRecorder(capacity: 8) { event in
            if case .note = event {
                entered.signal()
                gate.wait()
            }
            seen.withLock { $0.append(event) }
        }
        recorder.record(.note("the sink blocks here"))
        entered.wait()
        var receipt = Receipt(.done)
        receipt.url = "https://a.test/long"
        for seq in 1...1000 {
            let item = Item(seq: seq, feed: "demo", page: 1, photo: Photo(id: "p\(seq)"))
            recorder.record(.itemProgressed(item, bytes: 1, total: nil))
            recorder.record(.itemEnded(item, .done(receipt)))
        }
        #expect(recorder.current.done == 1000, "counted while the sink is blocked")
        gate.signal()
        let summary = recorder.finish()
        let events = seen.withLock { $0 }
        let ends = events.compactMap { event -> (seq: Int, url: String?)? in
            guard case .itemEnded(let item, let end) = event else { return nil }
            return (item.seq, end.receipt.url)
        }
        #expect(ends.map(\.seq) == Array(1...1000))
        #expect(ends.prefix(4).allSatisfy { $0.url != nil } && ends.dropFirst(4).allSatisfy { $0.url == nil })
        #expect(events.count == 1 + 8 + 996 + 1 && events.last == .runFinished(summary))
    }
}

@Suite("HostTally", .timeLimit(.minutes(10))) struct HostTallyTests {
    private func item(_ url: String) -> Item {
        Item(seq: 1, feed: "list", page: 1, photo: Photo(id: "1", variants: [Variant(name: "original", url: url)]))
    }

    private func receipt(_ state: Receipt.State, _ url: String, from final: String? = nil) -> Receipt {
        var receipt = Receipt(state)
        (receipt.url, receipt.finalURL) = (url, final)
        receipt.bytesReceived = 7
        return receipt
    }

    @Test("A photo counts for the host that sent it, a retry for the one that failed, and a kept photo for none")
    func counting() {
        var tally = HostTally()
        let (a, b) = ("https://a.example/1", "https://b.example/1")
        tally.count(.itemEnded(item(a), .done(receipt(.done, a))))
        tally.count(.itemEnded(item(a), .done(receipt(.done, a, from: b))))
        tally.count(.itemEnded(item(a), .failed(receipt(.failed, a))))
        tally.count(.itemEnded(item(a), .kept(receipt(.done, a))))
        tally.count(.itemRetried(item(a), attempt: 1, Failure(.timeout, ""), delay: .zero))
        tally.count(.itemRetried(item(a), attempt: 1, Failure(.timeout, "", finalURL: b), delay: .zero))
        tally.count(.hostPaused("b.example", .zero, Failure(.timeout, "")))
        let (ofA, ofB) = (tally.counts["a.example"], tally.counts["b.example"])
        #expect((ofA?.done, ofA?.failed, ofA?.retried, ofA?.paused, ofA?.bytes) == (1, 1, 1, 0, 7))
        #expect((ofB?.done, ofB?.failed, ofB?.retried, ofB?.paused, ofB?.bytes) == (1, 0, 1, 1, 7))
    }

    @Test("Beyond 10,000 hosts, the others are counted together")
    func bound() {
        var tally = HostTally()
        for number in 1...10_500 {
            let url = "https://h\(number).example/"
            tally.count(.itemEnded(item(url), .done(receipt(.done, url))))
        }
        #expect(tally.counts.count == 10_001 && tally.counts[HostTally.others]?.done == 500)
    }
}
