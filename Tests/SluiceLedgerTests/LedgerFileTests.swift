// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@testable import SluiceLedger
@testable import SluiceModel

@Suite("Ledger file", .timeLimit(.minutes(10))) struct LedgerFileTests {
    let temporary = TemporaryFolder()
    let folder: Folder

    init() throws {
        folder = try Folder(temporary.path)
    }

    /// Creates a ledger with some content, all of it in the main file.
    private func makeLedger() throws {
        let ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        let items = try ledger.items(of: Samples.page(1, (1...300).map(String.init)), in: run)
        try ledger.record(items.map { (item: $0, receipt: Samples.done("\($0.seq)")) })
        try ledger.endRun(run, summary: Summary(), endedAt: 1)
    }

    private func edit(_ sql: String) throws {
        try Database(temporary.path(Ledger.name)).execute(sql)
    }

    private func openError() throws -> LedgerError {
        try #require(throws: LedgerError.self) { try Ledger(in: folder) }
    }

    @Test("A closed ledger consists of one file, and later calls throw")
    func closing() throws {
        let ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        #expect(temporary.names().contains("\(Ledger.name)-wal"))
        try ledger.endRun(run, summary: Summary(), endedAt: 1)
        ledger.close()
        #expect(temporary.names().filter { $0.hasPrefix(Ledger.name) } == [Ledger.name])
        let error = try #require(throws: LedgerError.self) { try ledger.counts() }
        #expect(error.code == .internal && error.description.contains("closed"), "\(error)")
    }

    @Test("A ledger of a newer version of Sluice is rejected and stays unchanged")
    func newer() throws {
        try makeLedger()
        try edit("ALTER TABLE items ADD COLUMN later TEXT; PRAGMA user_version = 99")
        let before = try folder.read(Ledger.name, limit: 1 << 24)
        let error = try openError()
        #expect(error.code == .tooNew && error.description.contains("version 99"), "\(error)")
        #expect(try folder.read(Ledger.name, limit: 1 << 24) == before)
    }

    @Test("A ledger of the first version is migrated without losses")
    func older() throws {
        try makeLedger()
        try edit(
            """
            DROP TABLE publications; DROP TABLE intentions; DROP INDEX receipts_with_terms;
            DROP TRIGGER items_export; DROP TRIGGER listings_export; DROP TRIGGER pages_export;
            DROP TRIGGER absences_export; DROP TRIGGER receipts_export; DROP TABLE exports; DROP TABLE doubts;
            DROP TRIGGER receipts_change; DROP TABLE changes; DROP INDEX listings_by_page;
            DROP INDEX receipts_by_content; DROP TABLE names; ALTER TABLE items DROP COLUMN ping; ALTER TABLE items DROP COLUMN date;
            ALTER TABLE items DROP COLUMN camera; ALTER TABLE items DROP COLUMN columns; ALTER TABLE items DROP COLUMN source;
            ALTER TABLE items DROP COLUMN tags; ALTER TABLE items DROP COLUMN usage; ALTER TABLE items DROP COLUMN icon_side; ALTER TABLE items DROP COLUMN date_source; ALTER TABLE items DROP COLUMN place; ALTER TABLE items DROP COLUMN rating; ALTER TABLE items DROP COLUMN user_caption; ALTER TABLE items DROP COLUMN user_tags; ALTER TABLE receipts DROP COLUMN host_digest; ALTER TABLE receipts DROP COLUMN sidecar; ALTER TABLE receipts DROP COLUMN license;
            ALTER TABLE runs DROP COLUMN walk;
            ALTER TABLE runs DROP COLUMN walked; ALTER TABLE runs DROP COLUMN words;
            ALTER TABLE receipts DROP COLUMN stamp; ALTER TABLE receipts DROP COLUMN exif; ALTER TABLE receipts DROP COLUMN usage; PRAGMA user_version = 1
            """)
        let ledger = try Ledger(in: folder)
        var receipts: [Receipt?] = []
        try ledger.forEachEntry { receipts.append($0.receipt) }
        var expected = Samples.done("1")
        expected.stamp = nil
        #expect(receipts.count == 300 && receipts.first == expected)
    }

    @Test("A new ledger of each version has the same tables as one that was migrated")
    func creation() throws {
        let migrations = Schema.migrations(for: PhotoField.all, ReceiptField.all)
        for version in 1...migrations.count {
            let created = try Database(":memory:")
            let migrated = try Database(":memory:")
            try created.execute(Schema.creation(by: migrations.prefix(version)))
            for migration in migrations.prefix(version) { try migrated.execute(migration) }
            #expect(try Schema.definitions(in: created) == Schema.definitions(in: migrated), "version \(version)")
        }
        #expect(!["ALTER", "DROP"].contains(where: Schema.creation(by: migrations[...]).contains))
    }

    @Test("A new field becomes a column of existing ledgers, and versions never change their meaning")
    func newField() throws {
        try makeLedger()
        let version = Schema.version + 1
        let lens = PhotoField(
            "lens", \.camera, { $0.camera }, lists: [], ledger: .fact(since: version), manifest: .absent,
            gallery: .absent)
        let weight = PhotoField(
            "weight", \.date, { $0.date }, .side, lists: [], ledger: .fact(since: version), manifest: .absent,
            gallery: .absent)
        let mood = ReceiptField("mood", .text({ $0.phash }, { $0.phash = $1 }), ledger: version)
        let current = Schema.migrations(for: PhotoField.all, ReceiptField.all)
        let migrations = Schema.migrations(for: PhotoField.all + [lens, weight], ReceiptField.all + [mood])
        #expect(Array(migrations.dropLast()) == current && migrations.count == version)
        let database = try Database(temporary.path(Ledger.name))
        try Schema.prepare(database, by: migrations)
        #expect(try database.count("SELECT count(*) FROM items WHERE lens IS NULL AND weight IS NULL") == 300)
        #expect(try database.count("SELECT count(*) FROM receipts WHERE mood IS NULL") == 300)
        #expect(try database.setting("user_version") == migrations.count)
        #expect(try openError().code == .tooNew)
    }

    /// A ledger from someone else could run SQL of its author: an index on an expression took 1.8 GB.
    @Test(
        "Anything in the file that a ledger of its version does not have is refused, for reading and for writing",
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON receipts BEGIN DELETE FROM items; END",
            "DROP TRIGGER receipts_export; CREATE TRIGGER receipts_export AFTER INSERT ON receipts BEGIN SELECT 1; END",
            "CREATE VIEW v AS SELECT 1", "CREATE INDEX i ON receipts (printf('%1000000000d', seq)) WHERE seq < 0",
            "CREATE TABLE other (a)", "ALTER TABLE items ADD COLUMN v TEXT AS (printf('%1000000000d', seq)) VIRTUAL",
            "ALTER TABLE items ADD COLUMN c TEXT CHECK (c IS NULL OR length(printf('%1000000000d', seq)) > 0)",
            "DROP INDEX receipts_by_content", "CREATE VIRTUAL TABLE f USING fts5(a)",
        ])
    func otherObjects(sql: String) throws {
        try makeLedger()
        try edit(sql)
        let before = try folder.read(Ledger.name, limit: 1 << 24)
        #expect(try openError().code == .damaged)
        let reading = #expect(throws: LedgerError.self) { try Ledger(reading: folder) }
        #expect(reading?.code == .damaged, "\(String(describing: reading))")
        #expect(try folder.read(Ledger.name, limit: 1 << 24) == before)
    }

    @Test("A value that is longer than the largest reply of a feed is refused before it takes memory")
    func longValue() throws {
        try makeLedger()
        let database = try Database(temporary.path(Ledger.name))
        #expect(throws: LedgerError.self) { try database.execute("UPDATE items SET caption = hex(zeroblob(40000000))") }
    }

    @Test("Another program's database is rejected and stays unchanged")
    func foreign() throws {
        try folder.makeFolder(".sluice")
        try edit("CREATE TABLE bookmarks (url TEXT)")
        let before = try folder.read(Ledger.name)
        #expect(try openError().code == .notALedger)
        #expect(try folder.read(Ledger.name) == before)
        try edit("DROP TABLE bookmarks; PRAGMA application_id = 7")
        #expect(try openError().code == .notALedger)
    }

    @Test("A file that is not a database is rejected and stays unchanged")
    func noDatabase() throws {
        try folder.makeFolder(".sluice")
        let text = Array(String(repeating: "This is no ledger. ", count: 100).utf8)
        try folder.write(text, to: Ledger.name)
        let error = try openError()
        #expect(error.code == .notALedger && error.number == 26, "\(error)")
        #expect(error.description.contains(Ledger.name))
        #expect(try folder.read(Ledger.name) == text)
    }

    @Test("An empty file, left by a killed run, becomes a ledger")
    func empty() throws {
        try folder.makeFolder(".sluice")
        try folder.write([], to: Ledger.name)
        try makeLedger()
    }

    @Test("A corrupted page is detected", arguments: 1...8)
    func corrupted(page: Int) throws {
        try makeLedger()
        var bytes = try folder.read(Ledger.name, limit: 1 << 24)
        let pages = bytes.count / 4096
        let start = (pages - 1) * page / 8 * 4096
        for at in start..<start + 4096 { bytes[at] ^= 0x5A }
        try folder.write(bytes, to: Ledger.name)
        let error = try #require(throws: LedgerError.self) {
            let ledger = try Ledger(in: folder)
            try ledger.checkIntegrity()
        }
        #expect(error.code == .damaged, "\(error)")
    }

    @Test("A truncated file is detected", arguments: [100, 600, 4096, 8192, 60_000])
    func truncated(length: Int) throws {
        try makeLedger()
        try folder.write(Array(try folder.read(Ledger.name, limit: 1 << 24).prefix(length)), to: Ledger.name)
        let error = try #require(throws: LedgerError.self) { try Ledger(in: folder).checkIntegrity() }
        #expect(error.code == .damaged || error.code == .notALedger, "\(error)")
    }

    @Test("Rows with invalid values are reported as damage and do not trap")
    func wrongRows() throws {
        try makeLedger()
        try edit("UPDATE receipts SET state = 'perhaps' WHERE seq = 5")
        let ledger = try Ledger(in: folder)
        let error = try #require(throws: LedgerError.self) { try ledger.forEachEntry { _ in } }
        #expect(error.code == .damaged && error.description.contains("perhaps"), "\(error)")
        #expect(!Ledger.isIntact(in: folder))
        try edit("UPDATE receipts SET state = 'done', thumbs = '[' WHERE seq = 5")
        #expect(throws: LedgerError.self) { try ledger.forEachEntry { _ in } }
        try edit("UPDATE receipts SET thumbs = '[{}, 1, null]'")
        try ledger.forEachEntry { _ in }
        #expect(Ledger.isIntact(in: folder))
        for change in ["width = -5", "status = 1 << 62"] {
            try edit("UPDATE receipts SET width = 1, status = 200; UPDATE receipts SET \(change)")
            #expect(throws: LedgerError.self) { try ledger.forEachEntry { _ in } }
        }
    }

    /// Sums of such sizes overflowed, and so did the position before the first one.
    @Test("Impossible sizes and positions are reported as damage", arguments: [Int.max, Int.min, -1])
    func wrongNumbers(number: Int) throws {
        try makeLedger()
        try edit("UPDATE receipts SET bytes = \(number)")
        let ledger = try Ledger(in: folder)
        let error = try #require(throws: LedgerError.self) { try ledger.forEachEntry { _ in } }
        #expect(error.code == .damaged && error.description.contains("\(number)"), "\(error)")
        let change = ["items", "listings"].map { "UPDATE \($0) SET seq = \(number) WHERE seq = 300" }
        try edit("DELETE FROM receipts; PRAGMA foreign_keys = OFF; \(change.joined(separator: ";"))")
        let page = Samples.page(1, (1...300).map(String.init))
        #expect(throws: LedgerError.self) {
            let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 2)
            _ = try ledger.items(of: page, in: run)
        }
        #expect(throws: LedgerError.self) { try ledger.positions(ofFeed: "demo") { _ in true } }
    }

    @Test("A receipt without an item is detected")
    func orphan() throws {
        try makeLedger()
        try edit("PRAGMA foreign_keys = OFF; DELETE FROM items WHERE seq = 5")
        let error = try #require(throws: LedgerError.self) { try Ledger(in: folder).checkIntegrity() }
        #expect(error.code == .damaged && error.description.contains("refers to missing rows"), "\(error)")
    }

    @Test("A link in place of the ledger or its folder is not followed")
    func links() throws {
        try makeLedger()
        let outside = temporary.path("outside")
        try FileManager.default.moveItem(atPath: temporary.path(".sluice"), toPath: outside)
        try FileManager.default.createSymbolicLink(atPath: temporary.path(".sluice"), withDestinationPath: outside)
        #expect(try openError().code == .disk)
        try temporary.remove(".sluice")
        try folder.makeFolder(".sluice")
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path(Ledger.name), withDestinationPath: outside + "/ledger.sqlite")
        #expect(try openError().code == .disk)
        try temporary.remove(Ledger.name)
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path(Ledger.name + "-wal"), withDestinationPath: outside + "/planted")
        _ = try? Ledger(in: folder)
        #expect(!FileManager.default.fileExists(atPath: outside + "/planted"))
    }

    @Test("An error names the folder that cannot be created")
    func noFolder() throws {
        let error = try #require(throws: LedgerError.self) { try Ledger(in: try Folder("/proc")) }
        #expect(error.code == .disk && error.description.contains("/proc"), "\(error)")
    }

    @Test(
        "A full disk is reported, and earlier receipts are kept",
        .enabled(if: SmallDisk.isPermitted, "needs root and mount"))
    func diskFull() throws {
        let disk = try SmallDisk(kilobytes: 700)
        let folder = try Folder(disk.path)
        let ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        var recorded = 0
        let error = try #require(throws: LedgerError.self) {
            for number in 1...1000 {
                for item in try ledger.items(of: Samples.page(number, (1...10).map { "\(number)-\($0)" }), in: run) {
                    try ledger.record(Samples.done("\(item.seq)"), for: item)
                    recorded += 1
                }
            }
        }
        #expect(error.code == .diskFull, "\(error), \(error.number)")
        #expect(recorded > 10)
        #expect(try ledger.counts().done == recorded)
        try disk.remount("size=1400k")
        try ledger.checkIntegrity()
        #expect(try Ledger(in: folder).counts().done == recorded)
        _ = try ledger.items(of: Samples.page(1001, ["more"]), in: run)
    }

    @Test("The file uses write-ahead logging and Sluice's application ID")
    func header() throws {
        try makeLedger()
        let bytes = try folder.read(Ledger.name, limit: 1 << 24)
        #expect(bytes[18] == 2 && bytes[19] == 2)
        #expect(Array(bytes[68..<72]) == Array("Slui".utf8))
    }
}
