// SPDX-License-Identifier: MIT

import CSQLite
import Foundation

/// Reads a copy of a mirror's ledger with SQLite, so that the files of the killed run stay unchanged.
struct LedgerFile {
    /// The faults that SQLite finds.
    private(set) var faults: [String] = []
    /// The URLs of finished photos, and their files with their sizes.
    private(set) var done: Set<String> = []
    private(set) var files: [String: Int] = [:]

    /// Reads the ledger of a mirror; `nil` if the run was killed before it existed.
    init?(of mirror: String, copyingTo folder: String) throws {
        let (ledger, copy) = ("\(mirror)/.sluice/ledger.sqlite", "\(folder)/ledger.sqlite")
        let manager = FileManager.default
        for suffix in ["", "-journal", "-wal", "-shm"] where manager.fileExists(atPath: copy + suffix) {
            try manager.removeItem(atPath: copy + suffix)
        }
        guard let size = try? manager.attributesOfItem(atPath: ledger)[.size] as? Int, size > 0 else { return nil }
        for suffix in ["", "-journal", "-wal"] where manager.fileExists(atPath: ledger + suffix) {
            try manager.copyItem(atPath: ledger + suffix, toPath: copy + suffix)
        }
        var handle: OpaquePointer?
        guard sqlite3_open(copy, &handle) == SQLITE_OK, let handle else { throw RigError("cannot open \(copy)") }
        defer { sqlite3_close(handle) }
        do { try read(handle) } catch { faults.append("\(error)") }
    }

    private mutating func read(_ handle: OpaquePointer) throws {
        let verdict = try Self.rows("PRAGMA integrity_check", of: handle).map(\.[0])
        if verdict != ["ok"] { faults += verdict.prefix(3) }
        faults += try Self.rows("PRAGMA foreign_key_check", of: handle).prefix(3).map { $0.joined(separator: " ") }
        // The run may have been killed before it created the tables.
        let tables = try Self.rows("SELECT name FROM sqlite_schema WHERE name = 'receipts'", of: handle)
        guard !tables.isEmpty else { return }
        let receipts = "FROM receipts WHERE state = 'done'"
        done = Set(try Self.rows("SELECT url \(receipts)", of: handle).map(\.[0]))
        let thumbs = """
            SELECT json_extract(value, '$.file'), json_extract(value, '$.bytes')
            FROM receipts, json_each(thumbs) WHERE state = 'done'
            """
        for row in try Self.rows("SELECT file, bytes \(receipts)", of: handle) + Self.rows(thumbs, of: handle) {
            files[row[0]] = Int(row[1])
        }
    }

    private static func rows(_ sql: String, of handle: OpaquePointer) throws -> [[String]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw RigError("cannot run \(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                    })
            case SQLITE_DONE: return rows
            default: throw RigError("cannot run \(sql): \(String(cString: sqlite3_errmsg(handle)))")
            }
        }
    }
}
