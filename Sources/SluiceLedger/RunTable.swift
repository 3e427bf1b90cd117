// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The prepared statements for runs and their pages.
final class RunTable {
    /// The number of runs before the last one that stay, also if they changed nothing.
    static let keptRuns = 30

    private let begin: Statement
    private let forgetPages: Statement
    private let forgetRuns: Statement
    private let end: Statement
    private let list: Statement
    private let finish: Statement
    private let find: Statement
    private let pages: Statement

    init(_ database: borrowing Database) {
        begin = Statement(
            """
            INSERT INTO runs (source, feed, options, started, walk, words) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING run
            """, of: database)
        // Only the previous run can be resumed.
        forgetPages = Statement(
            "DELETE FROM pages WHERE run < (SELECT max(run) FROM runs WHERE run < ?1)", of: database)
        // Runs that others refer to stay, and so does the last run of each source, whose options a repair uses.
        forgetRuns = Statement(
            """
            DELETE FROM runs WHERE run < ?1 - \(Self.keptRuns)
                AND NOT EXISTS (SELECT 1 FROM listings WHERE listings.run = runs.run)
                AND run NOT IN (SELECT run FROM changes) AND run NOT IN (SELECT run FROM pages)
                AND run NOT IN (SELECT max(run) FROM runs GROUP BY source, feed)
            """, of: database)
        end = Statement(
            """
            UPDATE runs SET ended = ?2, pages = ?3, done = ?4, kept = ?5, skipped = ?6, failed = ?7 WHERE run = ?1
            """, of: database)
        // A page that is read again after an error replaces the first one.
        list = Statement(
            "INSERT OR REPLACE INTO pages (run, number, photos, next, total) VALUES (?1, ?2, ?3, ?4, ?5)", of: database)
        finish = Statement("UPDATE runs SET walked = 1 WHERE run = ?1", of: database)
        // The previous run, if it had the same parameters and was interrupted.
        find = Statement(
            """
            SELECT run FROM (SELECT * FROM runs WHERE run < ?1 ORDER BY run DESC LIMIT 1)
            WHERE walked IS NULL AND started >= ?2
                AND (source, feed, walk) = (SELECT source, feed, walk FROM runs WHERE run = ?1)
            """, of: database)
        pages = Statement("SELECT number, next, total FROM pages WHERE run = ?1 ORDER BY number", of: database)
    }

    func begin(_ values: [SQLValue]) throws(LedgerError) -> Int {
        try begin.first(values) { (row) throws(LedgerError) in try row.quantity() }.flatMap { $0 } ?? 0
    }

    /// Removes what no later run needs: pages, and old runs that changed nothing.
    func forget(before run: Int) throws(LedgerError) {
        try forgetPages.run([.integer(run)])
        try forgetRuns.run([.integer(run)])
    }

    func end(_ run: LedgerRun, summary: Summary, endedAt: Int) throws(LedgerError) {
        let counts = [summary.pages, summary.done, summary.kept, summary.skipped, summary.failed]
        try end.run(([run.id, endedAt] + counts).map(SQLValue.integer))
    }

    func finishWalk(of run: LedgerRun) throws(LedgerError) {
        try finish.run([.integer(run.id)])
    }

    /// Returns the pages, without photos, of the interrupted previous run that this run can resume.
    func interruptedWalk(before run: LedgerRun, since time: Int) throws(LedgerError) -> InterruptedWalk? {
        let found = try find.first([.integer(run.id), .integer(time)]) { (row) throws(LedgerError) in
            try row.quantity()
        }
        guard let found, let id = found else { return nil }
        var walk = InterruptedWalk(run: id)
        try pages.forEach([.integer(id)]) { (row) throws(LedgerError) in
            var page = Page(number: try row.quantity() ?? 0, photos: [])
            page.next = row.text().map(Cursor.init)
            page.total = try row.quantity()
            walk.pages[page.number] = page
        }
        return walk.pages.isEmpty ? nil : walk
    }

    /// Records a page with the cursor of the next one, from which an interrupted walk can resume.
    func list(_ page: Page, in run: LedgerRun) throws(LedgerError) {
        try list.run([
            .integer(run.id), .integer(page.number), .integer(page.photos.count), SQLValue(page.next?.rawValue),
            SQLValue(page.total),
        ])
    }
}
