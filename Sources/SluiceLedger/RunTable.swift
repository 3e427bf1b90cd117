// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The statements on runs and on the pages that each of them was given.
final class RunTable {
    private let begin: Statement
    private let end: Statement
    private let list: Statement

    init(_ database: borrowing Database) throws(LedgerError) {
        begin = try Statement(
            "INSERT INTO runs (source, feed, options, started) VALUES (?1, ?2, ?3, ?4) RETURNING run", of: database)
        end = try Statement(
            """
            UPDATE runs SET ended = ?2, pages = ?3, done = ?4, kept = ?5, skipped = ?6, failed = ?7 WHERE run = ?1
            """, of: database)
        // A page that is read again, after a trouble, is the page.
        list = try Statement(
            "INSERT OR REPLACE INTO pages (run, number, photos, next, total) VALUES (?1, ?2, ?3, ?4, ?5)", of: database)
    }

    func begin(_ values: [SQLValue]) throws(LedgerError) -> Int {
        try begin.first(values) { row in row.integer() }.flatMap { $0 } ?? 0
    }

    func end(_ run: LedgerRun, summary: Summary, endedAt: Int) throws(LedgerError) {
        let counts = [summary.pages, summary.done, summary.kept, summary.skipped, summary.failed]
        try end.run(([run.id, endedAt] + counts).map(SQLValue.integer))
    }

    /// Keeps the page with the cursor of the next, from which an interrupted walk can go on.
    func list(_ page: Page, in run: LedgerRun) throws(LedgerError) {
        try list.run([
            .integer(run.id), .integer(page.number), .integer(page.photos.count), SQLValue(page.next?.rawValue),
            SQLValue(page.total),
        ])
    }
}
