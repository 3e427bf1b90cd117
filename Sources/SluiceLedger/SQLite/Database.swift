// SPDX-License-Identifier: MIT

internal import CSQLite

/// One SQLite connection's one owner.
///
/// It is opened without SQLite's own locks, so it is used by one thread at a time: the ledger keeps it behind a lock.
@safe struct Database: ~Copyable {
    let handle: OpaquePointer
    let path: String

    /// What may be done with the file.
    enum Access {
        /// It is made if it is not there.
        case writing
        /// Nothing is written; SQLite wants the two files that a connection leaves beside it to be there.
        case reading
        /// Nothing is written, by nobody, and nothing beside it is looked at.
        case unchanging
    }

    /// Opens the file; a symbolic link in the path's place is refused.
    init(_ path: String, access: Access = .writing) throws(LedgerError) {
        var handle: OpaquePointer?
        let flags =
            (access == .writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE
        var code = unsafe sqlite3_open_v2(Self.name(of: path, access), &handle, flags, nil)
        if code == SQLITE_OK, let handle = unsafe handle { code = unsafe csqlite_harden(handle) }
        guard code == SQLITE_OK, let handle = unsafe handle else {
            let error = unsafe LedgerError(code, of: handle, path: path)
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        unsafe self.handle = handle
        self.path = path
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, 5_000)
    }

    /// What SQLite calls the file: an address, where something is to be said beside its path.
    private static func name(of path: String, _ access: Access) -> String {
        guard access == .unchanging else { return path }
        let escapes: [UInt8: String] = [UInt8(ascii: "%"): "%25", UInt8(ascii: "?"): "%3f", UInt8(ascii: "#"): "%23"]
        let escaped = path.unicodeScalars.map { scalar in
            UInt8(exactly: scalar.value).flatMap { escapes[$0] } ?? String(scalar)
        }
        return "file://\(escaped.joined())?immutable=1"
    }

    // The v2 call waits for statements that are not finalized yet, so that the two may go in any order.
    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs statements that yield nothing and take no parameters.
    borrowing func execute(_ sql: String) throws(LedgerError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The first column of the first row.
    borrowing func text(_ sql: String) throws(LedgerError) -> String? {
        let statement = try Statement(sql, of: self)
        return try statement.first { row in row.text() }.flatMap { $0 }
    }

    /// The first column of the first row, a whole number.
    borrowing func integer(_ sql: String) throws(LedgerError) -> Int {
        let statement = try Statement(sql, of: self)
        return try statement.first { row in row.integer() }.flatMap { $0 } ?? 0
    }

    /// Runs `body` in one transaction: all of it stands, or nothing.
    borrowing func transaction<Result>(_ body: () throws(LedgerError) -> Result) throws(LedgerError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite rolls back by itself after some errors, and then calls this one a mistake.
            try? execute("ROLLBACK")
            throw error
        }
    }

    borrowing func check(_ code: Int32) throws(LedgerError) {
        guard code != SQLITE_OK else { return }
        throw unsafe LedgerError(code, of: handle, path: path)
    }
}
