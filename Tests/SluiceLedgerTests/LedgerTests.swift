// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@Suite("Ledger", .timeLimit(.minutes(10))) struct LedgerTests {
    let temporary = TemporaryFolder()
    let folder: Folder

    init() throws {
        folder = try Folder(temporary.path)
    }

    private func begin(_ ledger: Ledger) throws -> LedgerRun {
        try ledger.beginRun(source: "demo", feed: "demo", options: "v1", startedAt: 1_800_000_000)
    }

    private func entries(_ ledger: Ledger) throws -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        try ledger.forEachEntry { entries.append($0) }
        return entries
    }

    @Test("A photo becomes an item with a position, and its receipt is read back unchanged")
    func roundTrip() throws {
        let ledger = try Ledger(in: folder)
        let run = try begin(ledger)
        let items = try ledger.items(of: Samples.page(1, ["a", "b", "c"]), in: run)
        #expect(items.map(\.seq) == [1, 2, 3])
        #expect(items[1] == Item(seq: 2, feed: "demo", page: 1, photo: Samples.photo("b")))
        #expect(try ledger.claim(items[0]).receipt == nil)
        try ledger.record(Samples.done("1"), for: items[0])
        try ledger.record(Samples.failed(.httpClientError(404)), for: items[1])
        #expect(try ledger.claim(items[0]).receipt == Samples.done("1"))
        #expect(
            try entries(ledger) == [
                LedgerEntry(item: items[0], receipt: Samples.done("1")),
                LedgerEntry(item: items[1], receipt: Samples.failed(.httpClientError(404))),
                LedgerEntry(item: items[2], receipt: nil),
            ])
        let counts = try ledger.counts()
        #expect((counts.done, counts.skipped, counts.failed, counts.waiting) == (1, 0, 1, 1))
    }

    @Test("An original's copies are found by their content: the newest of another item")
    func contents() throws {
        let ledger = try Ledger(in: folder)
        let items = try ledger.items(of: Samples.page(1, ["a", "b", "c"]), in: begin(ledger))
        for item in items { try ledger.record(Samples.done("\(item.seq)"), for: item) }
        let content = try #require(Samples.done("1").original?.sha256)
        let paths = try ledger.paths(ofContents: [(content, besides: 3), ("none", besides: 3), (content, besides: 1)])
        #expect(paths == ["originals/2.jpg", nil, "originals/3.jpg"])
        #expect(try ledger.paths(ofContents: []).isEmpty)
    }

    @Test("A run is recorded with its command's arguments")
    func runs() throws {
        let ledger = try Ledger(in: folder)
        let words = ["mirror", "a list.txt", "--filter=caption~\"x\""]
        let first = try ledger.beginRun(source: "a list.txt", feed: "list", options: "", words: words, startedAt: 7)
        try ledger.endRun(first, summary: Summary(), endedAt: 9)
        _ = try begin(ledger)
        #expect(
            try ledger.runs() == [
                PastRun(id: 1, source: "a list.txt", feed: "list", words: words, started: 7, ended: 9),
                PastRun(id: 2, source: "demo", feed: "demo", words: [], started: 1_800_000_000, ended: nil),
            ])
        #expect(try ledger.lastRun()?.id == 2)
    }

    @Test("A photo's date and camera are stored, and updated from the feed")
    func datesAndCameras() throws {
        let ledger = try Ledger(in: folder)
        for (date, camera) in [(-7, nil), (1_700_000_000, "Box camera, f/8"), (nil, nil)] as [(Int?, String?)] {
            var photo = Photo(id: "a")
            (photo.date, photo.camera) = (date, camera)
            _ = try ledger.claim(Page(number: 1, photos: [photo]), in: try begin(ledger))
            #expect(try entries(ledger).map(\.item.photo) == [photo])
        }
    }

    @Test("Missing facts of a photo stay missing")
    func bare() throws {
        let ledger = try Ledger(in: folder)
        let item = try #require(
            try ledger.items(of: Page(number: 1, photos: [Photo(id: "a")]), in: try begin(ledger)).first)
        try ledger.record(Receipt(.skipped), for: item)
        #expect(try entries(ledger) == [LedgerEntry(item: item, receipt: Receipt(.skipped))])
        #expect(item.photo == Photo(id: "a"))
    }

    @Test("A reopened ledger is complete, even if it was never closed")
    func reopening() throws {
        let abandoned = try Ledger(in: folder)
        let run = try begin(abandoned)
        let items = try abandoned.items(of: Samples.page(1, ["a", "b"]), in: run)
        try abandoned.record(Samples.done("1"), for: items[0])
        // Copies the files as a killed process leaves them, with the write-ahead log not merged.
        let copy = try Folder(temporary.path("copy/.sluice"), create: true)
        for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
            try copy.write(try folder.read(".sluice/\(name)", limit: 1 << 24), to: name)
        }
        let again = try Ledger(in: try Folder(temporary.path("copy")))
        try again.checkIntegrity()
        #expect(try entries(again) == entries(abandoned))
        #expect(try begin(again).id == run.id + 1)
    }

    @Test("Recorded receipts survive a process that is killed immediately afterwards")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = temporary.path as String] in
            let ledger = try Ledger(in: try Folder(path))
            let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
            let items = try ledger.items(of: Samples.page(1, ["a", "b", "c"]), in: run)
            try ledger.record(Samples.done("1"), for: items[0])
            try ledger.recordCrashes(of: [items[1].seq])
            kill(getpid(), SIGKILL)
        }
        let ledger = try Ledger(in: folder)
        let entries = try entries(ledger)
        #expect(entries.map(\.receipt) == [Samples.done("1"), nil, nil])
        #expect(try entries.map { try ledger.claim($0.item).crashes } == [0, 1, 0])
    }

    @Test("Later runs keep a photo's position and update its facts; new photos are appended")
    func laterRuns() throws {
        let ledger = try Ledger(in: folder)
        let first = try ledger.items(of: Samples.page(1, ["a", "b"]), in: try begin(ledger))
        try ledger.record(Samples.done("1"), for: first[0])
        var page = Samples.page(1, ["new", "b", "a"])
        page.photos[2].caption = "Another lake"
        page.photos[2].variants.removeLast()
        page.photos[2].author = nil
        page.number = 4
        let second = try ledger.items(of: page, in: try begin(ledger))
        #expect(second.map(\.seq) == [3, 2, 1])
        #expect(try ledger.claim(second[2]).receipt == Samples.done("1"))
        #expect(try entries(ledger).map(\.item) == second.reversed())
    }

    @Test("A photo listed twice in a run is one item")
    func duplicates() throws {
        let ledger = try Ledger(in: folder)
        let run = try begin(ledger)
        #expect(try ledger.items(of: Samples.page(1, ["a", "a", "b"]), in: run).map(\.seq) == [1, 2])
        #expect(try ledger.items(of: Samples.page(2, ["b", "c", "a"]), in: run).map(\.photo.id) == ["c"])
        #expect(try entries(ledger).map(\.item.page) == [1, 1, 2])
    }

    @Test("The same id in another feed or collection is another photo")
    func collections() throws {
        let ledger = try Ledger(in: folder)
        let run = try begin(ledger)
        let photos = [Samples.photo("a"), Samples.photo("a", collection: "x"), Samples.photo("a", collection: "y")]
        let items = try ledger.items(of: Page(number: 1, photos: photos), in: run)
        #expect(items.map(\.photo.collection) == [nil, "x", "y"])
        let other = try ledger.beginRun(source: "x", feed: "other", options: "", startedAt: 0)
        #expect(try ledger.items(of: Page(number: 1, photos: photos), in: other).map(\.seq) == [4, 5, 6])
        #expect(try entries(ledger).map(\.item.feed) == ["demo", "demo", "demo", "other", "other", "other"])
    }

    /// Receipts used to reset the attempts, so that an item that also failed for another reason was retried forever.
    @Test("Attempts that never completed are counted across processes and receipts")
    func attempts() throws {
        let ledger = try Ledger(in: folder)
        let item = try #require(try ledger.items(of: Samples.page(1, ["a"]), in: try begin(ledger)).first)
        #expect(try ledger.claim(item).crashes == 0)
        try ledger.recordCrashes(of: [item.seq])
        try ledger.recordCrashes(of: [item.seq])
        let other = try Ledger(in: folder)
        #expect(try other.claim(item) == Claim(item, crashes: 2, receipt: nil))
        try ledger.record(Samples.failed(.timeout), for: item)
        #expect(try other.claim(item) == Claim(item, crashes: 2, receipt: Samples.failed(.timeout)))
        try ledger.clearCrashes(of: item)
        #expect(try other.claim(item).crashes == 0)
    }

    @Test("A later receipt replaces an earlier one")
    func replacing() throws {
        let ledger = try Ledger(in: folder)
        let item = try #require(try ledger.items(of: Samples.page(1, ["a"]), in: try begin(ledger)).first)
        try ledger.record(Samples.failed(.timeout), for: item)
        try ledger.record(Samples.done("1"), for: item)
        #expect(try ledger.counts() == ItemCounts(done: 1, skipped: 0, failed: 0, waiting: 0))
        #expect(try ledger.claim(item).receipt == Samples.done("1"))
    }

    @Test("Untrusted text is stored byte for byte and never executed")
    func untrusted() throws {
        let ledger = try Ledger(in: folder)
        let photos = HostileText.strings.map { text in
            var photo = Samples.photo(text, collection: text + "c")
            photo.caption = text
            photo.variants[0].url = text + "u"
            return photo
        }
        let items = try ledger.items(of: Page(number: 1, photos: photos), in: try begin(ledger))
        #expect(
            items.count == photos.count,
            "texts with different bytes are different ids, even if Unicode considers them equal")
        let receipts = HostileText.strings.map { text in
            var receipt = Samples.failed(.dns)
            receipt.etag = text
            receipt.failure?.detail = text
            return receipt
        }
        try ledger.record(zip(items, receipts).map { (item: $0, receipt: $1) })
        let entries = try entries(ledger)
        #expect(entries == zip(items, receipts).map { LedgerEntry(item: $0, receipt: $1) })
        #expect(entries.map { Array($0.item.photo.id.utf8) } == HostileText.strings.map { Array($0.utf8) })
    }

    @Test("Concurrent writes lose nothing, and entries are in order")
    func threads() async throws {
        let ledger = try Ledger(in: folder)
        let items = try ledger.items(of: Samples.page(1, (1...1000).map(String.init)), in: try begin(ledger))
        try await withThrowingTaskGroup { group in
            for item in items {
                group.addTask {
                    try ledger.recordCrashes(of: [item.seq])
                    try ledger.record(Samples.done("\(item.seq)"), for: item)
                }
            }
            try await group.waitForAll()
        }
        #expect(try entries(ledger) == items.map { LedgerEntry(item: $0, receipt: Samples.done("\($0.seq)")) })
    }

    @Test("Receipts recorded together are stored completely or not at all")
    func together() throws {
        let ledger = try Ledger(in: folder)
        let items = try ledger.items(of: Samples.page(1, ["a", "b"]), in: try begin(ledger))
        let unknown = Item(seq: 77, feed: "demo", page: 1, photo: Photo(id: "?"))
        #expect(throws: LedgerError.self) {
            try ledger.record((items + [unknown]).map { (item: $0, receipt: Samples.done("x")) })
        }
        #expect(try ledger.counts().waiting == 2)
        try ledger.record(items.map { (item: $0, receipt: Samples.done("x")) })
        #expect(try ledger.counts().done == 2)
    }

    @Test("The callback for entries can call the ledger, and stop by throwing")
    func walking() throws {
        struct StopError: Error {}
        let ledger = try Ledger(in: folder)
        _ = try ledger.items(of: Samples.page(1, (1...600).map(String.init)), in: try begin(ledger))
        var seen = 0
        #expect(throws: StopError.self) {
            try ledger.forEachEntry { entry in
                try ledger.record(Samples.done("x"), for: entry.item)
                seen += 1
                if seen == 400 { throw StopError() }
            }
        }
        #expect(try ledger.counts().done == 400)
    }

    @Test("Twenty thousand receipts need little space, and an unchanged run adds little")
    func many() throws {
        let ledger = try Ledger(in: folder)
        for _ in 1...2 {
            let run = try begin(ledger)
            for number in 1...200 {
                let ids = (1...100).map { "\(number)-\($0)" }
                let items = try ledger.items(of: Samples.page(number, ids), in: run)
                let open = try items.filter { try ledger.claim($0).receipt == nil }
                try ledger.record(open.map { (item: $0, receipt: Samples.done("\($0.seq)")) })
            }
            try ledger.endRun(run, summary: Summary(), endedAt: 1_800_000_100)
        }
        #expect(try ledger.counts().done == 20_000)
        #expect(folder.size(of: ".sluice/ledger.sqlite-wal") == 0, "the write-ahead log is merged at the end of a run")
        let size = try #require(folder.size(of: Ledger.name))
        #expect(size < 20_000 * 3000)
    }
}

@Suite("Export stamps", .timeLimit(.minutes(10))) struct ExportStampTests {
    private let temporary = TemporaryFolder()
    private let ledger: Ledger
    private let item: Item

    init() throws {
        ledger = try Ledger(in: try Folder(temporary.path))
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        item = try ledger.items(of: Samples.page(1, ["a", "b"]), in: run)[0]
        try ledger.record(Samples.done("1"), for: item)
        try ledger.recordExportStamp("old")
        try ledger.recordExportStamp("stamp", of: [("index.html", "d"), ("a b", "e")])
    }

    private func list(_ page: Page) throws {
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        _ = try ledger.claim(page, in: run)
        try ledger.finishWalk(of: run)
        try ledger.endRun(run, summary: Summary(), endedAt: 1)
    }

    @Test("A run without changes keeps the stamp")
    func unchanged() throws {
        try list(Samples.page(1, ["a", "b"]))
        try list(Samples.page(1, ["b"]))
        try ledger.recordCrashes(of: [item.seq])
        try ledger.clearCrashes(of: item)
        #expect(try ledger.exportStamp() == "stamp")
        #expect(try ledger.exportedFiles().map { [$0.name, $0.digest] } == [["index.html", "d"], ["a b", "e"]])
    }

    @Test("Every change that the manifest shows, and each write of it, removes the stamp", arguments: 0...5)
    func changed(kind: Int) throws {
        switch kind {
        case 0: try ledger.record(Samples.failed(.timeout), for: item)
        case 1: try list(Samples.page(1, ["a", "b", "c"]))
        case 2: try list(Samples.page(2, ["a", "b"]))
        case 3: _ = try ledger.remove([item.seq])
        case 4: try ledger.forgetExport()
        default:
            var page = Samples.page(1, ["a", "b"])
            page.photos[1].caption = "Another lake"
            try list(page)
        }
        #expect(try ledger.exportStamp() == nil && ledger.exportedFiles().isEmpty)
    }
}
