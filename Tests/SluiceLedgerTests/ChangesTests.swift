// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@Suite("Changes", .timeLimit(.minutes(10))) struct ChangesTests {
    let temporary: TemporaryFolder
    let ledger: Ledger

    init() throws {
        temporary = try TemporaryFolder()
        ledger = try Ledger(in: Folder(temporary.path))
    }

    /// Records a run that lists these photos; each pair is an id and its content.
    private func run(_ photos: [(String, String)], isWhole: Bool = true, source: String = "demo") throws {
        let run = try ledger.beginRun(source: source, feed: "demo", options: "", startedAt: 0)
        for (id, content) in photos {
            let page = Page(number: 1, photos: [Photo(id: id)])
            guard let item = try ledger.items(of: page, in: run, naming: .standard).first else { continue }
            var receipt = Receipt(.done)
            receipt.original = StoredFile(path: "originals/\(id)", bytes: 1, sha256: content)
            try ledger.record(receipt, for: item)
        }
        if isWhole { try ledger.recordAbsences(in: run) }
        try ledger.endRun(run, summary: Summary(), endedAt: 1)
    }

    private func changes(_ first: Int, _ last: Int) throws -> [String] {
        try ledger.changes(after: first, upTo: last).map { "\($0.kind) \($0.name)" }
    }

    @Test("Changes between two runs are new, changed and gone items")
    func kinds() throws {
        try run([("a", "1"), ("b", "1"), ("c", "1")])
        try run([("a", "1"), ("b", "2"), ("d", "1")])
        #expect(try changes(0, 1) == ["new originals/a", "new originals/b", "new originals/c"])
        #expect(try changes(1, 2) == ["changed originals/b", "gone originals/c", "new originals/d"])
        #expect(try changes(2, 2) == [])
        try run([("a", "1"), ("b", "2"), ("d", "1")])
        #expect(try changes(2, 3) == [])
        #expect(try changes(1, 3) == changes(1, 2))
    }

    @Test("An item that returns is unchanged over both runs, and new in the second")
    func returning() throws {
        try run([("a", "1"), ("b", "1")])
        try run([("a", "1")])
        try run([("a", "1"), ("b", "1")])
        #expect(try changes(1, 2) == ["gone originals/b"])
        #expect(try changes(2, 3) == ["new originals/b"])
        #expect(try changes(1, 3) == [])
        try run([("a", "1"), ("c", "1")])
        try run([("a", "1")])
        #expect(try changes(3, 5) == ["gone originals/b"])
    }

    @Test("An incomplete walk and another source make no items gone; a removal does")
    func others() throws {
        try run([("a", "1"), ("b", "1")])
        try run([("a", "1")], isWhole: false)
        try run([("x", "1")], source: "other")
        #expect(try changes(1, 3) == ["new originals/x"])
        _ = try ledger.remove([2])
        #expect(try changes(2, 3).contains("gone 00002-b"))
    }
}
