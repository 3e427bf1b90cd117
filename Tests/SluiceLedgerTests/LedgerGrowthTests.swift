// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@Suite("Growth of the ledger", .timeLimit(.minutes(10))) struct LedgerGrowthTests {
    private let temporary: TemporaryFolder
    private let folder: Folder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    /// Performs a run that reads 20 pages of 5 photos, of which all but `new` were done before.
    private func day(_ number: Int, in ledger: Ledger, new: Int = 0) throws {
        let words = ["mirror", "https://a.example/feed", "--out", "photos", "--if-changed"]
        let run = try ledger.beginRun(
            source: "a", feed: "a", options: "v1", walk: "w", words: words, startedAt: number * 86_400)
        for page in 1...20 {
            var ids = (1...5).map { "\(page)-\($0)" }
            if page == 1 { ids += (0..<new).map { "new-\(number)-\($0)" } }
            let items = try ledger.items(of: Samples.page(page, ids), in: run)
            let open = try items.filter { try ledger.claim($0).receipt == nil }
            try ledger.record(open.map { (item: $0, receipt: Samples.done("\($0.seq)")) })
        }
        try ledger.finishWalk(of: run)
        try ledger.endRun(run, summary: Summary(), endedAt: number * 86_400 + 60)
    }

    @Test("A year of daily runs without new photos does not let the ledger grow")
    func idleYear() throws {
        let ledger = try Ledger(in: folder)
        for number in 1...40 { try day(number, in: ledger) }
        let size = try #require(folder.size(of: Ledger.name))
        for number in 41...365 { try day(number, in: ledger) }
        #expect(folder.size(of: Ledger.name) == size)
        // The first run did the photos, and the others are the last ones.
        #expect(try ledger.runs().map(\.id) == [1] + Array(335...365))
    }

    @Test("A year with a new photo every tenth day lets the ledger grow by its photos, and keeps these runs")
    func slowYear() throws {
        let ledger = try Ledger(in: folder)
        for number in 1...40 { try day(number, in: ledger) }
        let size = try #require(folder.size(of: Ledger.name))
        for number in 41...365 { try day(number, in: ledger, new: number % 10 == 0 ? 1 : 0) }
        let runs = try ledger.runs().map(\.id)
        #expect(runs.count == 1 + 29 + 31)
        #expect(try ledger.changes(after: 50, upTo: 60).map(\.kind) == [.new])
        // A photo needs less than 3 KB, also in the test for 20,000 photos.
        #expect(try #require(folder.size(of: Ledger.name)) - size <= 33 * 3000)
    }

    @Test("The last run of each source stays, and an interrupted run can be resumed")
    func neededRuns() throws {
        let ledger = try Ledger(in: folder)
        let other = try ledger.beginRun(source: "b", feed: "b", options: "", words: ["mirror", "b"], startedAt: 1)
        try ledger.endRun(other, summary: Summary(), endedAt: 2)
        for number in 1...60 { try day(number, in: ledger) }
        let broken = try ledger.beginRun(source: "a", feed: "a", options: "v1", walk: "w", startedAt: 100)
        _ = try ledger.items(of: Samples.page(1, ["1-1"]), in: broken)
        let next = try ledger.beginRun(source: "a", feed: "a", options: "v1", walk: "w", startedAt: 101)
        #expect(try ledger.interruptedWalk(before: next, since: 0)?.count == 1)
        #expect(try ledger.runs().first?.words == ["mirror", "b"])
    }
}
