// SPDX-License-Identifier: MIT

public import SluiceModel

// What whoever looks after a mirror asks of its ledger.

extension Ledger {
    /// The item in that place, with its receipt; `nil` if the mirror has none there.
    public func entry(at seq: Int) throws(LedgerError) -> Entry? {
        try entries(after: seq - 1, limit: 1).first.flatMap { $0.item.seq == seq ? $0 : nil }
    }

    /// The places of a feed's items that failed or were left out with such a cause; those that no run came to are deferred.
    public func places(
        ofFeed feed: String, endedWith isWanted: (Cause) -> Bool
    ) throws(LedgerError) -> [Int] {
        let ended = try rows(
            """
            SELECT seq, cause FROM receipts JOIN items USING (seq)
            WHERE state IN ('failed', 'skipped') AND feed = ?1
            """, [.text(feed)]
        ) { row in (seq: row.integer() ?? 0, cause: row.text().flatMap(Cause.init(name:))) }
        var places = ended.filter { $0.cause.map(isWanted) ?? false }.map(\.seq)
        guard isWanted(.deferred) else { return places.sorted() }
        places += try rows(
            """
            SELECT seq FROM listings JOIN items USING (seq) LEFT JOIN receipts USING (seq)
            WHERE state IS NULL AND feed = ?1
            """, [.text(feed)]
        ) { row in row.integer() ?? 0 }
        return places.sorted()
    }

    /// Up to `limit` items that failed or were left out, in the order of their places, from the one behind `seq` on.
    public func unfinished(after seq: Int, limit: Int) throws(LedgerError) -> [Entry] {
        // By their places and not by the index of states, or each call would sort them all.
        try rows(
            """
            SELECT \(ItemTable.columns), \(ReceiptTable.columns) FROM items JOIN listings USING (seq)
            JOIN receipts USING (seq) WHERE receipts.seq > ?1 AND +state IN ('failed', 'skipped')
            ORDER BY receipts.seq LIMIT ?2
            """, [.integer(seq), .integer(limit)]
        ) { (row) throws(LedgerError) in
            let item = try ItemTable.item(from: &row)
            return Entry(item: item, receipt: try ReceiptTable.receipt(from: &row))
        }
    }

    /// What `read` makes of each row of a statement that is wanted now and then.
    func rows<Value: Sendable>(
        _ sql: String, _ values: [SQLValue] = [], _ read: @Sendable (inout Row) throws(LedgerError) -> Value
    ) throws(LedgerError) -> [Value] {
        try connection.withLock { (connection) throws(LedgerError) in
            var found: [Value] = []
            try Statement(sql, of: connection.database).forEach(values) { (row) throws(LedgerError) in
                found.append(try read(&row))
            }
            return found
        }
    }
}
