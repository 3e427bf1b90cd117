// SPDX-License-Identifier: MIT

import SluiceModel
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
