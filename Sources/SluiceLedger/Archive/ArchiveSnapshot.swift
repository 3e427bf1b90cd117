// SPDX-License-Identifier: MIT

package import SluiceFiles

/// A view of the database beside an archive that stays the same while a run adds records.
///
/// It copies the addresses of all records to a temporary table. One thread at a time uses it.
package final class ArchiveSnapshot {
    private let database: Database
    private let find: Statement

    /// Opens the database `name`.
    package init(_ name: String, in folder: Folder) throws(LedgerError) {
        let path = try ArchiveIndex.path(of: name, in: folder)
        database = try Database(path, access: folder.isReadOnly(name) ? .unchanging : .writing)
        try database.execute(
            """
            BEGIN;
            CREATE TEMP TABLE captures AS
                SELECT url, substr(line, instr(line, '"digest": "') + 11, 71) AS digest, date FROM records;
            CREATE INDEX temp.captures_by_url ON captures (url, digest)
            """)
        find = try Statement("SELECT max(date) FROM captures WHERE url = ?1 AND digest = ?2", of: database)
    }

    /// The numbers of the files, and the lengths of their complete records.
    package func files() throws(LedgerError) -> [(number: Int, length: Int)] {
        var files: [(Int, Int)] = []
        let statement = try Statement("SELECT number, length FROM files WHERE length > 0 ORDER BY number", of: database)
        try statement.forEach { (row) throws(LedgerError) in
            guard let number = try row.quantity(), let length = try row.quantity() else { return }
            files.append((number, length))
        }
        return files
    }

    /// The time of the last record; `nil` without records.
    package func lastDate() throws(LedgerError) -> String? { try database.text("SELECT max(date) FROM captures") }

    /// The time of the last response from an address with this payload; `nil` if there is none.
    package func date(of url: String, sha256: String) throws(LedgerError) -> String? {
        try find.first([.text(url), .text("sha256:\(sha256)")]) { row in row.text() }.flatMap { $0 }
    }

    /// Calls `body` with all lines of the index for other programs, in the order of their bytes.
    package func forEachLine(_ body: (String) throws(LedgerError) -> Void) throws(LedgerError) {
        try ArchiveIndex.forEachLine(in: database, body)
    }
}
