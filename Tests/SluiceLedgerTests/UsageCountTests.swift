// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

/// The counts of statements about use.
@Suite("Counts of usage terms", .timeLimit(.minutes(5))) struct UsageCountTests {
    private let temporary = TemporaryFolder()
    private let folder: Folder

    init() throws {
        folder = try Folder(temporary.path)
    }

    private func receipt(_ usage: String?, at url: String, _ state: Receipt.State = .done) -> Receipt {
        var receipt = Samples.done("x")
        receipt.state = state
        (receipt.usage, receipt.url, receipt.finalURL) = (usage, url, nil)
        return receipt
    }

    private func counts(_ ledger: Ledger) throws -> [String] {
        try ledger.usageCounts().map {
            "\($0.host) \($0.usage) \($0.photos)" + ($0.skipped > 0 ? " -\($0.skipped)" : "")
        }
    }

    @Test("They follow receipts that are new, replaced and removed, and an older ledger gets them")
    func changes() throws {
        let ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "x", feed: "x", options: "", startedAt: 0)
        let items = try ledger.claim(Samples.page(1, ["a", "b", "c", "d"]), in: run).map(\.item)
        let noai = "x-robots-tag: noai"
        try ledger.record([
            (items[0], receipt(noai, at: "https://a.test/1")), (items[1], receipt(noai, at: "https://a.test:8080/2")),
            (items[2], receipt(noai, at: "https://a.test")),
            (items[3], receipt("iptc data-mining: x", at: "/home/d.jpg")),
        ])
        #expect(try counts(ledger) == ["a.test \(noai) 2", " iptc data-mining: x 1", "a.test:8080 \(noai) 1"])
        // Replaced by other terms, by none, and by a failure.
        try ledger.record(receipt("tdm-reservation: 1", at: "https://b.test/1"), for: items[0])
        try ledger.record(receipt(nil, at: "https://a.test:8080/2"), for: items[1])
        try ledger.record(receipt(noai, at: "https://a.test/3", .failed), for: items[2])
        #expect(try counts(ledger) == [" iptc data-mining: x 1", "b.test tdm-reservation: 1 1"])
        // Not downloaded, because of a header or of robots.txt.
        let forbidden = ["X-Robots-Tag: noimageai", "robots.txt of c.test disallows /x"].map { detail in
            var receipt = receipt(nil, at: "https://c.test/x", .skipped)
            receipt.failure = Failure(.optedOut, detail)
            return receipt
        }
        try ledger.record(forbidden[0], for: items[1])
        try ledger.record(forbidden[1], for: items[2])
        #expect(
            try counts(ledger).sorted() == [
                " iptc data-mining: x 1", "b.test tdm-reservation: 1 1", "c.test robots.txt: disallow 0 -1",
                "c.test x-robots-tag: noimageai 0 -1",
            ])
        ledger.close()

        let database = try Database(temporary.path(Ledger.name))
        try database.execute("DELETE FROM receipts WHERE seq = \(items[3].seq)")
        let hosts = try #require(
            Schema.migrations(for: PhotoField.all, ReceiptField.all).first { $0.contains("CREATE TABLE hosts") })
        try database.execute(
            """
            ALTER TABLE items DROP COLUMN usage; ALTER TABLE items DROP COLUMN icon_side; ALTER TABLE items DROP COLUMN date_source; ALTER TABLE items DROP COLUMN place; ALTER TABLE items DROP COLUMN rating; ALTER TABLE items DROP COLUMN user_caption; ALTER TABLE items DROP COLUMN user_tags; ALTER TABLE receipts DROP COLUMN host_digest; DROP TABLE publications; DROP TABLE intentions; DROP INDEX receipts_with_terms; \(hosts);
            PRAGMA user_version = \(Schema.version - 9)
            """)
        let migrated = try Ledger(in: folder)
        let skipped = ["c.test robots.txt: disallow 0 -1", "c.test x-robots-tag: noimageai 0 -1"]
        #expect(try counts(migrated) == ["b.test tdm-reservation: 1 1"] + skipped)
        try migrated.record(receipt("tdm-reservation: 1", at: "https://b.test/2"), for: items[1])
        #expect(try counts(migrated) == ["b.test tdm-reservation: 1 2", skipped[0]])
    }
}
