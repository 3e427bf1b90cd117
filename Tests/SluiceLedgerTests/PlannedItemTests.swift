// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@Suite("Planned items", .timeLimit(.minutes(10))) struct PlannedItemTests {
    private let temporary: TemporaryFolder
    private let ledger: Ledger
    private let run: LedgerRun

    init() throws {
        temporary = try TemporaryFolder()
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
