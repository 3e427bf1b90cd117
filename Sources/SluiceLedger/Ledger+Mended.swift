// SPDX-License-Identifier: MIT

internal import SluiceModel

// Records that were no photos are items by their places, and a place may be mended.

extension Ledger {
    /// Forgets the records without any address that earlier runs listed of the same source, and this run did not.
    ///
    /// Its walk has passed their places: of the whole source, or of its pages alone. Nothing stands on the disk for them.
    public func forgetMended(in run: LedgerRun, whole: Bool) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try connection.database.execute("CREATE TEMP TABLE IF NOT EXISTS mended (seq INTEGER PRIMARY KEY)")
                try Statement(
                    """
                    INSERT INTO mended SELECT seq FROM receipts JOIN items USING (seq) JOIN listings USING (seq)
                    JOIN runs USING (run), (SELECT * FROM runs WHERE run = ?1) AS this
                    WHERE receipts.state = 'failed' AND items.variants = '[]' AND items.feed = this.feed
                        AND runs.source = this.source AND listings.run <> ?1
                        AND (?2 OR listings.page IN (SELECT number FROM pages WHERE pages.run = ?1))
                    """, of: connection.database
                ).run([.integer(run.id), .integer(whole ? 1 : 0)])
                for table in ["receipts", "attempts", "doubts", "names", "changes", "listings", "items", "mended"] {
                    try connection.database.execute("DELETE FROM \(table) WHERE seq IN (SELECT seq FROM mended)")
                }
            }
        }
    }
}
