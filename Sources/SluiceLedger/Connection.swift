// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The ledger's one connection with its prepared statements; one thread at a time.
final class Connection {
    let database: Database
    let items: ItemTable
    let receipts: ReceiptTable
    let runs: RunTable
    let names: NameTable
    private let entries: Statement
    private let photos: Statement
    private let attempts: Statement
    private var isFlushing = false

    init(_ path: String, access: Database.Access = .writing) throws(LedgerError) {
        database = try Database(path, access: access)
        // Before anything is set: a file that is not ours must stay as it is.
        try Schema.prepare(database, mayWrite: access == .writing)
        // With more pages kept, the memory of a run would grow with its ledger for long; the system keeps the file anyway.
        try database.execute(
            """
            PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096; PRAGMA cell_size_check = ON
            """)
        if access == .writing { try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL") }
        items = try ItemTable(database)
        receipts = try ReceiptTable(database)
        runs = try RunTable(database)
        names = try NameTable(database)
        entries = try Statement(
            """
            SELECT \(ItemTable.columns), \(ReceiptTable.columns) FROM items JOIN listings USING (seq)
            LEFT JOIN receipts USING (seq) WHERE seq > ?1 ORDER BY seq LIMIT ?2
            """, of: database)
        attempts = try Statement(
            "SELECT coalesce((SELECT count FROM attempts WHERE seq = ?1), 0), ?1 IN doubts", of: database)
        photos = try Statement(
            """
            SELECT \(ItemTable.columns), \(ReceiptTable.columns) FROM listings JOIN items USING (seq)
            LEFT JOIN receipts USING (seq) WHERE run = ?1 AND page = ?2 ORDER BY seq
            """, of: database)
    }

    /// Runs `body` in one transaction.
    ///
    /// Without `flushed` it outlives the process, which is enough for what the feed would tell again; with it, and with
    /// everything before it, it outlives a power cut too: what the user was told is done stays done.
    func transaction<Result>(
        flushed: Bool, _ body: () throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result {
        if flushed != isFlushing {
            try database.execute(flushed ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
            isFlushing = flushed
        }
        return try database.transaction(body)
    }

    /// Up to `limit` entries behind the item `seq`.
    func entries(after seq: Int, limit: Int) throws(LedgerError) -> [Entry] {
        var found: [Entry] = []
        try entries.forEach([.integer(seq), .integer(limit)]) { (row) throws(LedgerError) in
            let item = try ItemTable.item(from: &row)
            found.append(Entry(item: item, receipt: try ReceiptTable.receipt(from: &row)))
        }
        return found
    }

    /// The item in a place, claimed; `nil` if there is none.
    func claim(_ seq: Int) throws(LedgerError) -> Claim? {
        guard let entry = try entries(after: seq - 1, limit: 1).first, entry.item.seq == seq else { return nil }
        var claim = Claim(entry.item, receipt: entry.receipt)
        try attempts.forEach([.integer(seq)]) { row in
            claim.brokenAttempts = row.integer() ?? 0
            claim.isInDoubt = row.integer() == 1
        }
        return claim
    }

    /// What a run listed on a page; a record that was no photo is none again.
    func photos(onPage number: Int, of run: Int) throws(LedgerError) -> [Photo] {
        var found: [Photo] = []
        try photos.forEach([.integer(run), .integer(number)]) { (row) throws(LedgerError) in
            var photo = try ItemTable.item(from: &row).photo
            let failure = try ReceiptTable.receipt(from: &row)?.failure
            if failure?.cause == .feedParse { photo.flaw = failure }
            found.append(photo)
        }
        return found
    }

    func checkIntegrity() throws(LedgerError) {
        let path = database.path
        let verdict = try database.text("PRAGMA integrity_check(1)") ?? ""
        guard verdict == "ok" else {
            throw LedgerError(code: .damaged, number: 0, reason: verdict, path: path)
        }
        guard let table = try database.text("PRAGMA foreign_key_check") else { return }
        throw LedgerError(code: .damaged, number: 0, reason: "\(table) speaks of what is not there", path: path)
    }
}
