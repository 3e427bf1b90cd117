// SPDX-License-Identifier: MIT

import SluiceLedger
import SluiceModel
import Testing

@testable import SluiceEngine

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
