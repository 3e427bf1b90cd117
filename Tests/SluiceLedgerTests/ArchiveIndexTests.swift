// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

@Suite("ArchiveIndex", .timeLimit(.minutes(10))) struct ArchiveIndexTests {
    private let temporary = TemporaryFolder()
    private let folder: Folder
    private let name = "w.cdxj.sqlite"

    init() throws {
        folder = try Folder(temporary.path)
    }

    @Test("The records of a closed index are there when it is opened again")
    func reopened() throws {
        let record = ArchiveIndex.Record(line: "a", digest: "sha256:1", url: "https://a.test/", date: "2026")
        try ArchiveIndex(name, in: folder).extend(1, to: 7, adding: record)
        let index = try ArchiveIndex(name, in: folder)
        #expect(try index.lastFile().map { [$0.number, $0.length] } == [1, 7])
        #expect(try index.response(withPayload: "sha256:1")?.url == "https://a.test/")
        #expect(try ArchiveSnapshot(name, in: folder).files().map(\.length) == [7])
    }

    /// The archive may come from someone else, whose SQL would run.
    @Test(
        "An index with other objects is refused",
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM files; END", "CREATE VIEW v AS SELECT 1",
            "DROP TABLE files; CREATE VIEW files AS SELECT 1 AS number, 1 AS length",
            "ALTER TABLE records ADD COLUMN v TEXT AS (printf('%1000000000d', file)) VIRTUAL", "DROP TABLE files",
        ])
    func otherObjects(sql: String) throws {
        try ArchiveIndex(name, in: folder).extend(1, to: 7)
        try Database(temporary.path(name)).execute(sql)
        for open in [{ _ = try ArchiveIndex(name, in: folder) }, { _ = try ArchiveSnapshot(name, in: folder) }] {
            #expect(throws: LedgerError.self) { try open() }
        }
    }
}

@Suite("Changes", .timeLimit(.minutes(10))) struct ChangesTests {
    let temporary = TemporaryFolder()
    let ledger: Ledger

    init() throws {
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
