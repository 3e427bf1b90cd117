// SPDX-License-Identifier: MIT

internal import CSQLite
internal import SluiceFiles

/// The owner of an SQLite connection.
///
/// The connection is opened without SQLite's mutexes, so only one thread may use it at a time; the ledger protects it
/// with a lock.
@safe struct Database: ~Copyable {
    let handle: OpaquePointer
    let path: String

    /// The access mode of the file.
    enum Access {
        /// Reads and writes; creates a missing file, and the tables in an empty one.
        case creating
        /// Reads and writes an existing database.
        case writing
        /// Reads only; SQLite requires the write-ahead log and its index to exist next to the file.
        case reading
        /// Reads only, assumes that no process writes to the file, and ignores the files next to it.
        case unchanging

        /// Whether statements may change the file.
        var allowsWrites: Bool { self == .creating || self == .writing }

        fileprivate var flags: Int32 {
            switch self {
            case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .writing: SQLITE_OPEN_READWRITE
            case .reading, .unchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        }
    }

    /// The result of the settings of the library, which are made before the first connection.
    private static let settings: Int32 = {
        _ = csqlite_disable_statistics()
        return csqlite_register_checksums()
    }()

    /// Opens the file; throws if the path is a symbolic link.
    init(_ path: String, access: Access = .creating) throws(LedgerError) {
        var handle: OpaquePointer?
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE
        var code = Self.settings
        if code == SQLITE_OK {
            code = unsafe sqlite3_open_v2(Self.name(of: path, access), &handle, flags, CSQLITE_CHECKSUMS)
        }
        if code == SQLITE_OK, let handle = unsafe handle { code = unsafe csqlite_harden(handle) }
        guard code == SQLITE_OK, let handle = unsafe handle else {
            let error = unsafe LedgerError(code, of: handle, path: path)
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        unsafe self.handle = handle
        self.path = path
        unsafe csqlite_reserve_checksums(handle)
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, 5_000)
    }

    /// Returns the name for SQLite: the path, or a URI if the access mode needs a parameter.
    private static func name(of path: String, _ access: Access) -> String {
        guard access == .unchanging else { return path }
        let escapes: [UInt8: String] = [UInt8(ascii: "%"): "%25", UInt8(ascii: "?"): "%3f", UInt8(ascii: "#"): "%23"]
        let escaped = path.unicodeScalars.map { scalar in
            UInt8(exactly: scalar.value).flatMap { escapes[$0] } ?? String(scalar)
        }
        return "file://\(escaped.joined())?immutable=1"
    }

    // sqlite3_close_v2() waits for unfinalized statements, so statements and connection can be released in any order.
    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs statements without parameters and results.
    borrowing func execute(_ sql: String) throws(LedgerError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Returns the first column of the first row as text.
    borrowing func text(_ sql: String) throws(LedgerError) -> String? {
        let statement = Statement(sql, of: self)
        return try statement.first { row in row.text() }.flatMap { $0 }
    }

    /// Returns the first column of the first row as a count.
    borrowing func count(_ sql: String) throws(LedgerError) -> Int {
        let statement = Statement(sql, of: self)
        return try statement.first { (row) throws(LedgerError) in try row.quantity() }.flatMap { $0 } ?? 0
    }

    /// Returns a setting that the file's header stores; other programs use all of its bits.
    borrowing func setting(_ name: String) throws(LedgerError) -> Int {
        let statement = Statement("PRAGMA \(name)", of: self)
        return try statement.first { row in row.hash() }.flatMap { $0 } ?? 0
    }

    /// Runs `body` in one transaction, which is rolled back if it throws.
    borrowing func transaction<Result>(_ body: () throws(LedgerError) -> Result) throws(LedgerError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // After some errors SQLite has already rolled back, and this statement fails.
            try? execute("ROLLBACK")
            throw error
        }
    }

    borrowing func check(_ code: Int32) throws(LedgerError) {
        guard code != SQLITE_OK else { return }
        throw unsafe LedgerError(code, of: handle, path: path)
    }
}

/// Finds out whether an unexpected error of SQLite comes from a damaged file.
///
/// SQLite reports some damage of the header and of the tables' definitions with the codes for invalid SQL or a
/// read-only file.
enum LedgerDamage {
    /// The size of an SQLite header in bytes.
    private static let headerSize = 100

    /// Returns the error as damage if the file is damaged, otherwise the same error.
    static func explained(_ error: LedgerError) -> LedgerError {
        guard let reason = reason(for: error) else { return error }
        return LedgerError(code: .damaged, number: error.number, reason: reason, path: error.path)
    }

    private static func reason(for error: LedgerError) -> String? {
        switch error.code {
        case .disk where error.number & 0xFF == SQLITE_READONLY:
            return headerFault(in: error.path)
        case .internal where error.number != 0:
            return headerFault(in: error.path) ?? (isSound(error.path) ? nil : error.reason)
        case .notALedger, .tooNew, .damaged, .diskFull, .disk, .busy, .internal:
            return nil
        }
    }

    /// Returns the fault of a header field whose damage SQLite reports as another error; `nil` if the fields are valid.
    private static func headerFault(in path: String) -> String? {
        guard let header = try? OpenFile.reading(path, followsLink: false).read(at: 0, count: headerSize),
            header.count == headerSize
        else { return nil }
        guard (1...2).contains(header[18]), (1...2).contains(header[19]) else { return "invalid file version" }
        let format = header[44..<48].reduce(0) { $0 << 8 | Int($1) }
        return (1...4).contains(format) ? nil : "invalid schema format \(format)"
    }

    private static func isSound(_ path: String) -> Bool {
        do throws(LedgerError) {
            let database = try Database(path, access: .reading)
            guard try Schema.isConsistent(database) else { return false }
            return try database.text("PRAGMA integrity_check(1)") == "ok"
        } catch {
            return error.code != .damaged && error.code != .notALedger
        }
    }
}
