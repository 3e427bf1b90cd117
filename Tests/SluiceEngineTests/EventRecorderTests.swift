// SPDX-License-Identifier: MIT

import Dispatch
import SluiceModel
import TestSupport
import Testing

@testable import SluiceEngine

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
