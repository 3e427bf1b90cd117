// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@Suite("Interrupted walk", .timeLimit(.minutes(10))) struct InterruptedWalkTests {
    private let temporary: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        temporary = try TemporaryFolder()
        ledger = try Ledger(in: Folder(temporary.path))
    }

    private func begin(_ walk: String = "order=latest", feed: String = "demo", at time: Int = 0) throws -> LedgerRun {
        try ledger.beginRun(source: "demo", feed: feed, options: "", walk: walk, startedAt: time)
    }

    @Test("The next run gets the pages of the interrupted run and the next cursor")
    func resumes() throws {
        let first = try begin(at: 100)
        var invalid = Photo(id: "record 2 of page 2")
        let invalidReason = Failure(.feedParse, "record 2 of page 2 has no id")
        var second = Samples.page(2, ["c"])
        second.photos.append(invalid)
        _ = try ledger.items(of: Samples.page(1, ["a", "b"]), in: first)
        let items = try ledger.items(of: second, in: first)
        try ledger.record(Receipt(.failed, failure: invalidReason), for: items[1])
        let next = try begin(at: 200)
        let walk = try #require(try ledger.interruptedWalk(before: next, since: 100))
        #expect(walk.count == 2)
        var whole = Samples.page(1, ["a", "b"])
        whole.mayBeEmpty = true
        #expect(try ledger.page(1, of: walk) == whole)
        // Photos that the next run has already listed still belong to the page.
        _ = try ledger.items(of: Samples.page(1, ["a", "b"]), in: next)
        invalid.invalidReason = invalidReason
        second.photos[1] = invalid
        second.mayBeEmpty = true
        #expect(try ledger.page(2, of: walk) == second)
        #expect(try ledger.page(3, of: walk) == nil)
    }

    @Test("A resumed page does not end the walk if earlier pages listed all its photos")
    func repeated() throws {
        let first = try begin(at: 100)
        for number in 1...3 { _ = try ledger.items(of: Samples.page(number, ["a"]), in: first) }
        let walk = try #require(try ledger.interruptedWalk(before: begin(at: 200), since: 100))
        let page = try #require(try ledger.page(2, of: walk))
        #expect(page.photos.isEmpty && page.mayBeEmpty && page.next == Cursor(rawValue: "3"))
    }

    @Test("A repeated photo is not a second item, and a different address is reported")
    func conflicts() throws {
        let run = try begin()
        var first = Samples.page(1, ["a", "b"])
        first.photos[0].variants[0].url = "https://x.test/1"
        _ = try ledger.items(of: first, in: run)
        var second = first
        second.number = 2
        second.photos[0].variants[0].url = "https://x.test/2"
        second.photos[1].caption = "another caption alone"
        var reported: [String] = []
        #expect(try ledger.items(of: second, in: run) { reported.append($0.id) }.isEmpty)
        #expect(reported == ["a"])
    }

    @Test("An invalid record is removed when a run reads its place again and finds it corrected")
    func corrected() throws {
        func listed(_ ids: [String]) throws -> [String] {
            var found: [String] = []
            try ledger.forEachEntry { found.append($0.item.photo.id) }
            #expect(found.count == ids.count)
            return found
        }
        let first = try begin()
        for number in 1...2 {
            let items = try ledger.items(
                of: Page(number: number, photos: [Photo(id: "line \(number)"), Samples.photo("good \(number)")]),
                in: first)
            try ledger.record(Receipt(.failed, failure: Failure(.feedParse, "")), for: items[0])
            try ledger.record(Receipt(.failed, failure: Failure(.timeout, "")), for: items[1])
        }
        let other = try ledger.beginRun(source: "another", feed: "demo", options: "", startedAt: 0)
        try ledger.removeCorrectedRecords(in: other, whole: true)
        #expect(try listed(["", "", "", ""]).contains("line 1"), "the walk of another source has no effect")
        let second = try begin()
        _ = try ledger.items(of: Samples.page(1, ["corrected"]), in: second)
        try ledger.removeCorrectedRecords(in: second, whole: false)
        #expect(try listed(["", "", "", ""]) == ["good 1", "line 2", "good 2", "corrected"])
        try ledger.removeCorrectedRecords(in: second, whole: true)
        #expect(try listed(["", "", ""]) == ["good 1", "good 2", "corrected"])
        try ledger.checkIntegrity()
    }

    @Test("A finished, too old or different walk is not resumed")
    func restarts() throws {
        let first = try begin(at: 100)
        _ = try ledger.items(of: Samples.page(1, ["a"]), in: first)
        #expect(try ledger.interruptedWalk(before: begin(at: 200), since: 101) == nil)
        let others = try [begin("order=popular"), begin(feed: "other")]
        for run in others { #expect(try ledger.interruptedWalk(before: run, since: 0) == nil) }
        let last = try begin()
        _ = try ledger.items(of: Samples.page(1, ["a"]), in: last)
        try ledger.finishWalk(of: last)
        #expect(try ledger.interruptedWalk(before: begin(), since: 0) == nil)
    }
}
