// SPDX-License-Identifier: MIT

internal import CSQLite
internal import SluiceFiles

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
