// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@Suite("Intentions", .timeLimit(.minutes(10))) struct IntentionTests {
    private let temporary = TemporaryFolder()
    private let ledger: Ledger
    private let entries: [LedgerEntry]

    init() throws {
        ledger = try Ledger(in: try Folder(temporary.path))
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        let items = try ledger.items(of: Samples.page(1, ["a", "b"]), in: run)
        for item in items { try ledger.record(Samples.done("\(item.seq)"), for: item) }
        entries = try ledger.entries(after: 0, limit: 2)
    }

    private func removals(_ entry: LedgerEntry) -> [Intention] {
        entry.receipt?.files.map { .removeFile($0, of: entry.item.seq) } ?? []
    }

    @Test("A withdrawn photo has no files, and the intentions to remove them are recorded with its receipt")
    func withdrawing() throws {
        let found = try ledger.withdraw([(entries[0], Failure(.withdrawn, "gone"))])
        #expect(found == removals(entries[0]) && !found.isEmpty)
        let receipt = try #require(try ledger.entry(at: 1)?.receipt)
        #expect(receipt.state == .skipped && receipt.failure?.cause == .withdrawn && receipt.files.isEmpty)
        #expect(try Set(ledger.intentions()) == Set(found + [.writeOutput]))
    }

    @Test("A pruned item leaves the same intentions")
    func pruning() throws {
        let found = try ledger.remove([1, 2])
        #expect(found == entries.flatMap(removals))
        #expect(try Set(ledger.intentions()) == Set(found + [.writeOutput]))
    }

    @Test("The intention to write the output ends with its stamp, those to remove files before")
    func ending() throws {
        let found = try ledger.withdraw([(entries[0], Failure(.blocked, ""))])
        try ledger.end(Array(found.dropFirst()))
        try ledger.recordExportStamp("stamp")
        #expect(try ledger.intentions() == [found[0]])
        try ledger.end(found)
        #expect(try ledger.intentions() == [])
    }

    @Test("A file that the photo has again is kept")
    func restored() throws {
        let file = try #require(entries[0].receipt?.original)
        #expect(try ledger.keeps(file, of: 1) && !ledger.keeps(file, of: 2))
        _ = try ledger.withdraw([(entries[0], Failure(.blocked, ""))])
        #expect(try !ledger.keeps(file, of: 1))
        try ledger.record(try #require(entries[0].receipt), for: entries[0].item)
        #expect(try ledger.keeps(file, of: 1))
    }
}
