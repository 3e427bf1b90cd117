// SPDX-License-Identifier: MIT

package import SluiceModel

// Items that leave the mirror: those that the feed no longer lists, and corrected records.

extension Ledger {
    /// Returns the positions of the items that earlier runs of the same source listed and this run did not.
    ///
    /// Items listed by another source of the same feed do not count, nor those of a run that had more sources.
    package func unlisted(in run: LedgerRun) throws(LedgerError) -> [Int] {
        try rows(
            """
            SELECT seq FROM listings JOIN items USING (seq)
            WHERE run < ?1 AND \(Self.isOfFeeds("?2")) AND run IN (SELECT value FROM json_each(?3)) ORDER BY seq
            """, [.integer(run.id), .text(run.feed), .text(try runsOfSameSources(as: run))]
        ) { (row) throws(LedgerError) in try row.quantity() ?? 0 }
    }

    /// Returns a hash that identifies the photo within its feed.
    package static func key(of photo: Photo) -> Int {
        var key = Fingerprint()
        key.add(photo.collection ?? "")
        key.add(photo.id)
        return key.value
    }

    /// Returns the number of items that the run listed.
    package func listedCount(in run: LedgerRun) throws(LedgerError) -> Int {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.database.count("SELECT count(*) FROM listings WHERE run = \(run.id)")
        }
    }

    /// Removes items from the mirror in one transaction; returns the intentions to remove their files.
    ///
    /// Their positions and names stay reserved, so that a photo that returns is the same item.
    package func remove(_ positions: [Int]) throws(LedgerError) -> [Intention] {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: true) { () throws(LedgerError) in
                var intentions: [Intention] = []
                for seq in positions {
                    intentions += try connection.claim(seq)?.receipt?.files.map { .removeFile($0, of: seq) } ?? []
                }
                for intention in intentions { try connection.intentions.begin(intention) }
                let note = "INSERT OR REPLACE INTO changes SELECT ?1, max(run), 'gone' FROM runs"
                let noting = Statement(note, of: connection.database)
                for seq in positions { try noting.run([.integer(seq)]) }
                for table in ["receipts", "attempts", "doubts", "listings"] {
                    let statement = Statement("DELETE FROM \(table) WHERE seq = ?1", of: connection.database)
                    for seq in positions { try statement.run([.integer(seq)]) }
                }
                return intentions
            }
        }
    }

    /// Removes invalid records that earlier runs of the same source listed and this run did not.
    ///
    /// An invalid record is identified by its place in the source, so it disappears when the source is corrected.
    /// `whole` says that the walk covered the whole source; otherwise only the pages of the run count. Such records
    /// have no files.
    package func removeCorrectedRecords(in run: LedgerRun, whole: Bool) throws(LedgerError) {
        guard !run.isFirst else { return }
        let runs = try runsOfSameSources(as: run)
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try connection.database.execute("CREATE TEMP TABLE IF NOT EXISTS mended (seq INTEGER PRIMARY KEY)")
                try Statement(
                    """
                    INSERT INTO mended SELECT seq FROM receipts JOIN items USING (seq) JOIN listings USING (seq)
                    JOIN runs USING (run), (SELECT * FROM runs WHERE run = ?1) AS this
                    WHERE receipts.state = 'failed' AND items.variants = '[]' AND \(Self.isOfFeeds("this.feed"))
                        AND runs.run IN (SELECT value FROM json_each(?3)) AND listings.run <> ?1
                        AND (?2 OR listings.page IN (SELECT number FROM pages WHERE pages.run = ?1))
                    """, of: connection.database
                ).run([.integer(run.id), .integer(whole ? 1 : 0), .text(runs)])
                for table in ["receipts", "attempts", "doubts", "names", "changes", "listings", "items", "mended"] {
                    try connection.database.execute("DELETE FROM \(table) WHERE seq IN (SELECT seq FROM mended)")
                }
            }
        }
    }
}
