// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Summary of usage terms", .timeLimit(.minutes(5))) struct UsageSummaryTests {
    @Test("It counts photos by rule and by host, and sums up hosts beyond a limit")
    func counts() throws {
        let terms = [
            ("a.test", "x-robots-tag: noai, noimageai; tdm-reservation: 1", 3), ("a.test", "x-robots-tag: noindex", 2),
            ("b.test", "robots.txt content-usage: train-ai=n; x-robots-tag: noai", 4), ("c.test", "made-up: noai", 1),
        ]
        let skipped = (host: "b.test", usage: "robots.txt: disallow", photos: 0, skipped: 2)
        let summary = UsageSummary(terms.map { (host: $0.0, usage: $0.1, photos: $0.2, skipped: 0) } + [skipped])
        #expect(summary.total.photos == 10 && summary.total.reserved == 7 && summary.others == nil)
        #expect(summary.total.skipped == 2 && summary.total.all == 12)
        #expect(
            summary.total.rules == [
                "x-robots-tag noai": 7, "x-robots-tag noimageai": 3, "tdm-reservation": 3, "x-robots-tag": 2,
                "robots.txt content-usage": 4, "robots.txt": 2, "other": 1,
            ])
        #expect(summary.hosts.map(\.name) == ["b.test", "a.test", "c.test"])
        #expect(summary.hosts[1].counts.photos == 5 && summary.hosts[1].counts.reserved == 3)

        let many = UsageSummary(
            (1...30).map { (host: "h\($0).test", usage: "tdm-reservation: 0", photos: $0, skipped: 0) })
        #expect(many.hosts.count == 20 && many.hosts.first?.name == "h30.test")
        #expect(many.others?.count == 10 && many.others?.sum.photos == 55 && many.total.reserved == 0)
    }
}
