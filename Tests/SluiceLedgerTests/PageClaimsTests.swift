// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@Suite("Page claims", .timeLimit(.minutes(10))) struct PageClaimsTests {
    private let temporary: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        temporary = try TemporaryFolder()
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
