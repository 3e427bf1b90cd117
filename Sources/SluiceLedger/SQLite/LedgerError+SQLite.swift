// SPDX-License-Identifier: MIT

internal import CSQLite

extension LedgerError {
    /// What SQLite's result means for the ledger; the one place that knows SQLite's numbers.
    init(_ code: Int32, of database: OpaquePointer?, path: String) {
        let number = unsafe database.map { unsafe sqlite3_extended_errcode($0) } ?? code
        let words = unsafe database.map { unsafe String(cString: sqlite3_errmsg($0)) }
        let reason = unsafe words ?? String(cString: sqlite3_errstr(code))
        self.init(code: Self.kind(of: code & 0xFF), number: number, reason: reason, path: path)
    }

    private static func kind(of code: Int32) -> Code {
        switch code {
        case SQLITE_NOTADB: .notALedger
        case SQLITE_CORRUPT, SQLITE_FORMAT: .damaged
        case SQLITE_FULL: .diskFull
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_PROTOCOL: .disk
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        default: .internal
        }
    }
}
