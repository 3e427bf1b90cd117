// SPDX-License-Identifier: MIT

internal import CSQLite
package import SluiceModel

/// The ledger's database connection with its prepared statements; use it from one thread at a time.
final class LedgerConnection {
    let database: Database
    let items: ItemTable
    let receipts: ReceiptTable
    let runs: RunTable
    let fileNames: FileNameTable
    let intentions: IntentionTable
    private let entries: Statement
    private let photos: Statement
    private let attempts: Statement
    private let fetchTime: Statement
    private var isFlushing = false

    init(_ path: String, access: Database.Access) throws(LedgerError) {
        database = try Database(path, access: access)
        // Comes before any setting, because another program's file must stay unchanged.
        try Schema.prepare(database, access: access)
        // A small page cache keeps the memory of a run independent of the ledger's size; the system caches the file
        // anyway.
        try database.execute(
            """
            PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096; PRAGMA cell_size_check = ON
            """)
        if access.allowsWrites { try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL") }
        items = ItemTable(database)
        receipts = ReceiptTable(database)
        runs = RunTable(database)
        fileNames = FileNameTable(database)
        intentions = IntentionTable(database)
        entries = Statement(
            """
            SELECT \(ItemTable.columns), \(ReceiptTable.columns) FROM items JOIN listings USING (seq)
            LEFT JOIN receipts USING (seq) WHERE seq > ?1 ORDER BY seq LIMIT ?2
            """, of: database)
        attempts = Statement(
            "SELECT coalesce((SELECT count FROM attempts WHERE seq = ?1), 0), ?1 IN doubts", of: database)
        fetchTime = Statement(
            """
            SELECT started FROM changes JOIN runs USING (run) WHERE seq = ?1 AND kind <> 'gone'
            ORDER BY run DESC LIMIT 1
            """, of: database)
        photos = Statement(
            """
            SELECT \(ItemTable.columns), \(ReceiptTable.columns) FROM listings JOIN items USING (seq)
            LEFT JOIN receipts USING (seq) WHERE run = ?1 AND page = ?2 ORDER BY seq
            """, of: database)
    }

    /// Runs `body` in one transaction.
    ///
    /// Without `flushed` the transaction survives a crash of the process, which is enough for facts that the feed
    /// repeats. With `flushed` it also survives a power failure, together with all earlier transactions. Results that
    /// were reported to the user need this.
    func transaction<Result>(
        flushed: Bool, _ body: () throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result {
        if flushed != isFlushing {
            try database.execute(flushed ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
            isFlushing = flushed
        }
        return try database.transaction(body)
    }

    /// Returns up to `limit` entries after the position `seq`.
    func entries(after seq: Int, limit: Int) throws(LedgerError) -> [LedgerEntry] {
        var found: [LedgerEntry] = []
        try entries.forEach([.integer(seq), .integer(limit)]) { (row) throws(LedgerError) in
            let item = try ItemTable.item(from: &row)
            found.append(LedgerEntry(item: item, receipt: try ReceiptTable.receipt(from: &row)))
        }
        return found
    }

    /// Claims the item at a position; returns `nil` if it does not exist.
    func claim(_ seq: Int) throws(LedgerError) -> Claim? {
        guard let entry = try entries(after: seq - 1, limit: 1).first, entry.item.seq == seq else { return nil }
        var claim = Claim(entry.item, receipt: entry.receipt)
        try attempts.forEach([.integer(seq)]) { (row) throws(LedgerError) in
            claim.crashes = try row.quantity() ?? 0
            claim.isInDoubt = try row.quantity() == 1
        }
        return claim
    }

    /// Returns the start of the run that recorded the item's current file; `nil` if no run did.
    func fetchTime(of seq: Int) throws(LedgerError) -> Int? {
        try fetchTime.first([.integer(seq)]) { (row) throws(LedgerError) in try row.time() }.flatMap { $0 }
    }

    /// Returns the photos that a run listed on a page; an invalid record becomes an invalid photo again.
    func photos(onPage number: Int, of run: Int) throws(LedgerError) -> [Photo] {
        var found: [Photo] = []
        try photos.forEach([.integer(run), .integer(number)]) { (row) throws(LedgerError) in
            var photo = try ItemTable.item(from: &row).photo
            let failure = try ReceiptTable.receipt(from: &row)?.failure
            if failure?.cause == .feedParse { photo.invalidReason = failure }
            found.append(photo)
        }
        return found
    }

    func checkIntegrity() throws(LedgerError) {
        let path = database.path
        let verdict = try database.text("PRAGMA integrity_check(1)") ?? ""
        guard verdict == "ok" else {
            let error = unsafe LedgerError.readError(of: database.handle)
            throw LedgerError(code: error == nil ? .damaged : .disk, number: 0, reason: error ?? verdict, path: path)
        }
        guard let table = try database.text("PRAGMA foreign_key_check") else { return }
        throw LedgerError(code: .damaged, number: 0, reason: "table '\(table)' refers to missing rows", path: path)
    }
}

/// A ledger connection that can be closed, protected by a lock.
///
/// The lock is held during SQLite calls, because all callers wait for the same disk anyway.
final class LockedConnection: Sendable {
    private let connection: Locked<LedgerConnection?>
    private let path: String

    init(_ path: String, access: Database.Access) throws(LedgerError) {
        self.path = path
        do throws(LedgerError) {
            connection = Locked(try LedgerConnection(path, access: access))
        } catch {
            throw LedgerDamage.explained(error)
        }
    }

    /// Runs `body` with exclusive access to the connection; throws if it is closed.
    func withLock<Result>(
        _ body: (LedgerConnection) throws(LedgerError) -> sending Result
    ) throws(LedgerError) -> sending Result {
        try connection.withLock { [path] (connection) throws(LedgerError) in
            guard let connection else {
                throw LedgerError(code: .internal, number: 0, reason: "the ledger is closed", path: path)
            }
            do throws(LedgerError) { return try body(connection) } catch { throw LedgerDamage.explained(error) }
        }
    }

    /// Closes the connection; SQLite then removes the files next to the database.
    func close() {
        connection.withLock { $0 = nil }
    }
}

extension Ledger {
    package static var loadedLibraries: [LibraryVersion] {
        [LibraryVersion("SQLite", unsafe String(cString: sqlite3_libversion()))]
    }
}
