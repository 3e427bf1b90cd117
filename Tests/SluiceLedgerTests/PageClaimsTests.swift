// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

@Suite("Page claims", .timeLimit(.minutes(10))) struct PageClaimsTests {
    private let temporary = TemporaryFolder()
    private let ledger: Ledger

    init() throws {
        ledger = try Ledger(in: try Folder(temporary.path))
    }

    private func begin() throws -> LedgerRun {
        try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
    }

    /// Later pages that list the ten photos in the same or another order, twice, or not at all.
    static let pages = [
        "a b c d e f g h i j", "j i h g f e d c b a", "a c e g i", "new a b c d", "c a b c d a", "b b b c",
        "a new b new2 c",
        "d e f a b c d e f", "j", "a j b", "new",
    ]

    @Test("Each photo keeps its position and its receipt for any order of the page", arguments: pages)
    func order(page: String) throws {
        let names = "abcdefghij".map(String.init)
        for item in try ledger.items(of: Samples.page(1, names), in: try begin()) {
            try ledger.record(Samples.done(item.photo.id), for: item)
        }
        let (run, listed) = (try begin(), page.split(separator: " ").map(String.init))
        let claims = try ledger.claim(Samples.page(1, listed), in: run)
        var seen: Set<String> = []
        #expect(claims.map(\.item.photo.id) == listed.filter { seen.insert($0).inserted })
        for claim in claims {
            let position = names.firstIndex(of: claim.item.photo.id).map { $0 + 1 }
            #expect(position == nil ? claim.item.seq > 10 : claim.item.seq == position)
            #expect(claim.receipt == position.map { _ in Samples.done(claim.item.photo.id) })
        }
        #expect(try ledger.listedCount(in: run) == claims.count)
        let gone = names.filter { !listed.contains($0) }
        #expect(try ledger.unlisted(in: run).map { names[$0 - 1] } == gone)
    }

    @Test("Alternating feeds keep separate items")
    func feeds() throws {
        let names = ["a", "b", "c"]
        for feed in ["one", "two", "one", "two"] {
            let run = try ledger.beginRun(source: "x", feed: feed, options: "", startedAt: 0)
            let positions = try ledger.items(of: Samples.page(1, names), in: run).map(\.seq)
            #expect(positions == (feed == "one" ? [1, 2, 3] : [4, 5, 6]))
        }
    }
}

@Suite("Planned items", .timeLimit(.minutes(10))) struct PlannedItemTests {
    private let temporary = TemporaryFolder()
    private let ledger: Ledger
    private let run: LedgerRun

    init() throws {
        ledger = try Ledger(in: try Folder(temporary.path))
        run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
    }

    private func planned(_ seq: Int, _ id: String, name: String? = nil) -> PlannedItem {
        PlannedItem(Item(seq: seq, feed: "demo", page: 1, photo: Samples.photo(id)), name: name ?? id)
    }

    @Test(
        "Names assigned without a ledger are those of an empty ledger",
        arguments: ["{id}", "{page}", "{seq:05}-{slug}"])
    func names(template: String) throws {
        let naming = try NameTemplate(template)
        var names = FileNames(naming)
        let page = Samples.page(1, ["a", "A", "b/", "b-", "c"])
        for claim in try ledger.claim(page, in: run, naming: naming) {
            #expect(names.name(for: claim.item) == claim.name)
        }
        var standard = FileNames(.standard)
        #expect(standard.name(for: planned(7, "x").item) == FileStem(for: planned(7, "x").item).description)
    }

    @Test("Items get their planned positions and names in any order, and claiming them again keeps their receipts")
    func positions() throws {
        let first = try ledger.claim([planned(9, "i"), planned(2, "b")], in: run)
        #expect(first.map(\.item.seq) == [9, 2] && first.map(\.name) == ["i", "b"])
        try ledger.record(Samples.done("b"), for: first[1].item)
        let second = try ledger.claim([planned(2, "b"), planned(3, "c")], in: run)
        #expect(second.map(\.receipt) == [Samples.done("b"), nil])
        #expect(try ledger.name(of: second[1].item) == "c")
        // A later run numbers new photos after the planned ones.
        #expect(try ledger.claim(Samples.page(1, ["new"]), in: run).map(\.item.seq) == [10])
    }

    @Test("A claim has the expected checksums, which the ledger does not store")
    func checksums() throws {
        var item = planned(1, "a")
        item.item.photo.variants[0].checksum = Checksum(.md5, String(repeating: "0", count: 32))
        for _ in 1...2 { #expect(try ledger.claim([item], in: run).map(\.item) == [item.item]) }
    }

    @Test("Positions and names of other photos are refused")
    func conflicts() throws {
        _ = try ledger.claim([planned(1, "a")], in: run)
        for other in [planned(1, "b"), planned(1, "a", name: "z"), planned(2, "b", name: "A")] {
            #expect(throws: LedgerError.self) { try ledger.claim([other], in: run) }
        }
    }
}

@Suite("Fingerprint", .timeLimit(.minutes(10))) struct FingerprintTests {
    private static let whole: Photo = {
        var photo = Samples.photo("a")
        (photo.date, photo.camera) = (1_700_000_000, "Box camera, f/8")
        return photo
    }()

    @Test("Every changed, added or removed fact changes the fingerprint")
    func facts() {
        var whole = Self.whole
        whole.columns = #"{"score":1}"#
        whole.source = "a.csv"
        whole.tags = "lake"
        whole.usage = "page robots: noai"
        whole.iconSide = 100
        (whole.dateSource, whole.place) = ("file", "1, 2")
        var photos = [whole]
        func change(_ body: (inout Photo) -> Void) {
            var photo = photos[0]
            body(&photo)
            photos.append(photo)
        }
        change { $0.variants[0].url += "x" }
        change { $0.variants[0].name = "RAW" }
        change { $0.variants[0].width = nil }
        change { $0.variants[1].height = 7 }
        change { $0.variants.swapAt(0, 1) }
        change { $0.variants.removeAll() }
        change { ($0.width, $0.height) = ($0.height, $0.width) }
        for field in PhotoField.all where field.ledger != .key && !field.isMark {
            switch field.property {
            case .text(let path):
                change { $0[keyPath: path] = nil }
                change { $0[keyPath: path] = "" }
                change { $0[keyPath: path]? += "x" }
            case .number(let path):
                change { $0[keyPath: path] = nil }
                change { $0[keyPath: path] = 7 }
            }
        }
        #expect(Set(photos.map { $0.fingerprint.value }).count == photos.count)
    }

    @Test("The fingerprint is the same in every run and build")
    func stable() {
        #expect(Photo(id: "a").fingerprint.value == Photo(id: "b").fingerprint.value)
        #expect(Photo(id: "a").fingerprint.value == 7_446_876_705_443_717_225)
        #expect(Self.whole.fingerprint.value == 7_003_168_720_898_371_201)
    }
}

@Suite("Interrupted walk", .timeLimit(.minutes(10))) struct InterruptedWalkTests {
    private let temporary = TemporaryFolder()
    private let ledger: Ledger

    init() throws {
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

    @Test("Rows with one id are photos of their own if their addresses or captions differ, in every run the same")
    func rows() throws {
        func row(_ url: String, _ caption: String?, date: Int? = nil) -> Photo {
            var photo = Photo(id: "a", url: url)
            (photo.caption, photo.date) = (caption, date)
            return photo
        }
        var page = Page(
            number: 1,
            photos: [
                row("https://x.test/1", nil), row("https://x.test/2", nil), row("https://x.test/1", "caf\u{E9}"),
                row("https://x.test/1", "cafe\u{301}"), row("https://x.test/2", nil),
                row("https://x.test/1", nil, date: 7),
            ])
        page.hasRows = true
        let first = try ledger.items(of: page, in: begin(at: 1)) { _ in Issue.record("a conflict") }
        #expect(first.map(\.photo.id) == ["a", page.photos[1].namedByRow.id] + page.photos[2...3].map(\.namedByRow.id))
        let second = try ledger.items(of: page, in: begin(at: 2))
        #expect(second.map(\.seq) == first.map(\.seq))
        // Plans and forecasts name them alike.
        page.feed = "list"
        page.peers = ["a.csv"]
        let third = try ledger.items(of: page, in: begin(at: 3))
        #expect(third.map(\.photo.id) == first.map(\.photo.id))
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
