// SPDX-License-Identifier: MIT

public import SluiceModel

// What a feed lists no more, and how it leaves the mirror.

extension Ledger {
    /// The places of the run's feed's items that the run did not list, and that its source listed before.
    ///
    /// What another source of the same feed listed is that one's own.
    public func unlisted(in run: LedgerRun) throws(LedgerError) -> [Int] {
        try rows(
            """
            SELECT seq FROM listings JOIN runs USING (run) JOIN items USING (seq)
            WHERE run < ?1 AND items.feed = ?2 AND source = (SELECT source FROM runs WHERE run = ?1) ORDER BY seq
            """, [.integer(run.id), .text(run.feed)]
        ) { row in row.integer() ?? 0 }
    }

    /// The items that a source of a feed listed last, by their places, each with its key.
    public func listed(by source: String, of feed: String) throws(LedgerError) -> [(seq: Int, key: Int)] {
        try rows(
            """
            SELECT seq, collection, id FROM listings JOIN runs USING (run) JOIN items USING (seq)
            WHERE items.feed = ?1 AND source = ?2 ORDER BY seq
            """, [.text(feed), .text(source)]
        ) { row in
            (seq: row.integer() ?? 0, key: Fingerprint(of: [row.text() ?? "", row.text() ?? ""]).value)
        }
    }

    /// A number that tells the photo from others of its feed, but for chance.
    public static func key(of photo: Photo) -> Int {
        Fingerprint(of: [photo.collection ?? "", photo.id]).value
    }

    /// How many items the run has listed.
    public func listedCount(in run: LedgerRun) throws(LedgerError) -> Int {
        try rows("SELECT count(*) FROM listings WHERE run = ?1", [.integer(run.id)]) { row in row.integer() ?? 0 }[0]
    }

    /// Takes items out of the mirror: all of them, or none.
    ///
    /// Their places and their names stay theirs: a photo that comes back is the same item.
    public func remove(_ places: [Int]) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: true) { () throws(LedgerError) in
                let note = "INSERT OR REPLACE INTO changes SELECT ?1, max(run), 'gone' FROM runs"
                let noting = try Statement(note, of: connection.database)
                for seq in places { try noting.run([.integer(seq)]) }
                for table in ["receipts", "attempts", "doubts", "listings"] {
                    let statement = try Statement("DELETE FROM \(table) WHERE seq = ?1", of: connection.database)
                    for seq in places { try statement.run([.integer(seq)]) }
                }
            }
        }
    }
}
