// SPDX-License-Identifier: MIT

internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension LedgerError {
    /// Converts an SQLite result code; the only place that interprets these codes.
    init(_ code: Int32, of database: OpaquePointer?, path: String) {
        let number = unsafe database.map { unsafe sqlite3_extended_errcode($0) } ?? code
        let message = unsafe database.map { unsafe String(cString: sqlite3_errmsg($0)) }
        var reason = unsafe message ?? String(cString: sqlite3_errstr(code))
        var kind = Self.kind(of: code & 0xFF)
        // SQLite reports most disk errors with one code; the system's error number tells them apart.
        let system = unsafe database.map { unsafe sqlite3_system_errno($0) } ?? 0
        if kind == .disk, system != 0 {
            reason += unsafe ": \(String(cString: strerror(system)))"
            if [ENOSPC, EDQUOT].contains(system) { kind = .diskFull }
        }
        self.init(code: kind, number: number, reason: reason, path: path)
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
