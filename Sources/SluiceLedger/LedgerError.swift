// SPDX-License-Identifier: MIT

internal import CSQLite
internal import SluiceSystem

/// An error from opening, reading or writing the ledger; the description names the file.
package struct LedgerError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The file is not a Sluice ledger, or is damaged beyond recognition.
        case notALedger
        /// A newer version of Sluice created the ledger.
        case tooNew
        case damaged
        case diskFull
        /// A disk or permission error: unreadable, read-only, or a missing folder.
        case disk
        /// Another program has locked the file.
        case busy
        case `internal`
    }

    package var code: Code
    /// SQLite's extended result code; 0 for errors detected by Sluice.
    package var number: Int32
    /// The message from SQLite or from Sluice.
    package var reason: String
    package var path: String

    /// A sentence that names the file, the problem and, if possible, a solution.
    package var description: String {
        switch code {
        case .notALedger: "cannot open ledger \(path): not a Sluice ledger, or damaged beyond recognition (\(reason))"
        case .tooNew: "cannot open ledger \(path): it requires a newer version of Sluice (\(reason))"
        case .damaged: "cannot use ledger \(path): it is damaged (\(reason))"
        case .diskFull: "cannot write ledger \(path): the disk is full or the quota is exceeded"
        case .disk: "cannot use ledger \(path): \(reason)"
        case .busy: "cannot use ledger \(path): another program has locked it (\(reason))"
        case .internal: "cannot use ledger \(path): internal error (\(reason)); please report this"
        }
    }
}

extension LedgerError {
    /// Converts an SQLite result code; the only place that interprets these codes.
    init(_ code: Int32, of database: OpaquePointer?, path: String) {
        let number = unsafe database.map { unsafe sqlite3_extended_errcode($0) } ?? code
        let message = unsafe database.map { unsafe String(cString: sqlite3_errmsg($0)) }
        var reason = unsafe message ?? String(cString: sqlite3_errstr(code))
        var kind = Self.kind(of: code & 0xFF)
        if number == csqlite_wrong_checksum { (kind, reason) = (.damaged, "a page differs from its checksum") }
        // SQLite reports most disk errors with one code; the system's error number tells them apart.
        let system = unsafe database.map { unsafe sqlite3_system_errno($0) } ?? 0
        if kind == .disk, system != 0 {
            reason += unsafe ": \(String(cString: strerror(system)))"
            if [ENOSPC, EDQUOT].contains(system) { kind = .diskFull }
        }
        if kind == .damaged, let error = unsafe Self.readError(of: database) { (kind, reason) = (.disk, error) }
        self.init(code: kind, number: number, reason: reason, path: path)
    }

    /// Why the file could not be read, if that failed; SQLite calls an error of the disk damage of the file.
    static func readError(of database: OpaquePointer?) -> String? {
        var code: Int32 = 0
        let result = unsafe sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &code)
        guard result == SQLITE_OK, [EIO, ENXIO, ERANGE].contains(code) else { return nil }
        return unsafe "cannot read it: \(String(cString: strerror(code)))"
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
