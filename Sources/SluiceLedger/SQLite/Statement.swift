// SPDX-License-Identifier: MIT

internal import CSQLite
internal import SluiceModel

/// A statement that is run many times with bound parameters, and prepared for the first run.
///
/// A run uses half of the ledger's statements. To prepare the others took 2 % of the work of 'thumbs' for one photo.
@safe final class Statement {
    private let sql: String
    private var prepared: OpaquePointer?
    private let database: OpaquePointer
    private let path: String

    /// Creates the statement in `sql`; the database must outlive every run.
    init(_ sql: String, of database: borrowing Database) {
        self.sql = sql
        unsafe self.database = unsafe database.handle
        path = database.path
    }

    deinit { unsafe sqlite3_finalize(prepared) }

    private func prepare() throws(LedgerError) -> OpaquePointer {
        if let prepared = unsafe prepared { return unsafe prepared }
        let code = unsafe sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw unsafe LedgerError(code, of: database, path: path)
        }
        return unsafe prepared
    }

    /// Runs the statement and calls `body` with each row.
    func forEach(
        _ values: [SQLValue] = [], _ body: (inout ResultRow) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        let handle = unsafe try prepare()
        try unsafe bind(values, to: handle)
        defer { unsafe sqlite3_reset(handle) }
        while true {
            switch unsafe sqlite3_step(handle) {
            case SQLITE_ROW:
                var row = unsafe ResultRow(handle, path: path)
                try body(&row)
            case SQLITE_DONE: return
            case let code: throw unsafe LedgerError(code, of: database, path: path)
            }
        }
    }

    /// Runs the statement and maps the first row with `body`; returns `nil` if there is no row.
    func first<Result>(
        _ values: [SQLValue] = [], _ body: (inout ResultRow) throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result? {
        var result: Result?
        try forEach(values) { (row) throws(LedgerError) in
            if result == nil { result = try body(&row) }
        }
        return result
    }

    /// Runs the statement and ignores its rows.
    func run(_ values: [SQLValue]) throws(LedgerError) {
        try forEach(values) { _ in }
    }

    /// The position of the row that the connection inserted last.
    var lastPosition: Int { Int(unsafe sqlite3_last_insert_rowid(database)) }

    /// The number of rows that the connection's last change inserted, updated or deleted.
    var lastCount: Int { Int(unsafe sqlite3_changes(database)) }

    private func bind(_ values: [SQLValue], to handle: OpaquePointer) throws(LedgerError) {
        var index: Int32 = 0
        for value in values {
            index += 1
            let code =
                switch value {
                case .null: unsafe sqlite3_bind_null(handle, index)
                case .integer(let number): unsafe sqlite3_bind_int64(handle, index, Int64(number))
                case .text(let text): unsafe bind(text, at: index, of: handle)
                }
            guard code == SQLITE_OK else { throw unsafe LedgerError(code, of: database, path: path) }
        }
    }

    private func bind(_ text: String, at index: Int32, of handle: OpaquePointer) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else {
                    return unsafe csqlite_bind_text(handle, index, "", 0)
                }
                return unsafe csqlite_bind_text(handle, index, start, Int32(clamping: characters.count))
            }
        }
    }
}

/// The value of a parameter.
enum SQLValue {
    case null
    case integer(Int)
    case text(String)

    init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
    init(_ number: Int?) { self = number.map(SQLValue.integer) ?? .null }
}

/// The current row of a statement; its columns are read in order.
@safe struct ResultRow {
    private let handle: OpaquePointer
    private let path: String
    private var column: Int32 = 0

    fileprivate init(_ handle: OpaquePointer, path: String) {
        unsafe self.handle = handle
        self.path = path
    }

    /// Creates the error for a row with values that Sluice never writes.
    func damaged(_ reason: String) -> LedgerError {
        LedgerError(code: .damaged, number: SQLITE_CORRUPT, reason: reason, path: path)
    }

    /// Reads the next column as text; returns `nil` for NULL.
    mutating func text() -> String? {
        defer { column += 1 }
        guard let bytes = unsafe sqlite3_column_text(handle, column) else { return nil }
        // Uses the length, because a text may contain NUL characters.
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Reads the next column as a hash, an integer with any bits; returns `nil` for NULL.
    ///
    /// Its result is only compared. Every other integer of a ledger, which may come from a stranger, has a range.
    mutating func hash() -> Int? {
        defer { column += 1 }
        guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        return Int(unsafe sqlite3_column_int64(handle, column))
    }

    /// Reads the next column as a count, a position or a size; returns `nil` for NULL.
    mutating func quantity() throws(LedgerError) -> Int? { try number(in: Quantity.range, "count or size") }

    /// Reads the next column as a time in seconds since 1970; returns `nil` for NULL.
    mutating func time() throws(LedgerError) -> Int? { try number(in: Quantity.times, "time") }

    /// Reads the next column as a width or height in pixels; returns `nil` for NULL.
    mutating func side() throws(LedgerError) -> Int? { try number(in: Quantity.sides, "width or height") }

    private mutating func number(in range: ClosedRange<Int>, _ kind: String) throws(LedgerError) -> Int? {
        guard let number = hash() else { return nil }
        guard range.contains(number) else { throw damaged("\(number) is not a valid \(kind)") }
        return number
    }
}
