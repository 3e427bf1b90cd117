// SPDX-License-Identifier: MIT

package import SluiceFiles

/// The SQLite database beside an archive: how long its files are, and which records they hold.
///
/// It survives a crash of the process after each call, and tells where an incomplete record begins. It also keeps the
/// memory of a run independent of the size of the archive. One thread at a time uses it.
package final class ArchiveIndex {
    /// A record of a response.
    package struct Record: Sendable {
        /// The line of the record in the index for other programs, without its line end.
        package var line: String
        /// The hash of the payload, if later records may refer to it.
        package var digest: String?
        /// The address of the response.
        package var url: String
        /// The time of the record, as in its header.
        package var date: String

        package init(line: String, digest: String?, url: String, date: String) {
            (self.line, self.digest, self.url, self.date) = (line, digest, url, date)
        }
    }

    private let database: Database
    private let addRecord: Statement
    private let setLength: Statement
    private let find: Statement

    fileprivate static let schema = """
        CREATE TABLE files (number INTEGER PRIMARY KEY, length INTEGER NOT NULL) STRICT;
        CREATE TABLE records (
            line TEXT NOT NULL, file INTEGER NOT NULL, tail INTEGER NOT NULL, digest TEXT, url TEXT NOT NULL,
            date TEXT NOT NULL
        ) STRICT;
        CREATE INDEX records_by_digest ON records (digest) WHERE digest IS NOT NULL;
        CREATE INDEX records_by_file ON records (file, tail)
        """

    /// Opens the database `name`, or creates it.
    package init(_ name: String, in folder: Folder) throws(LedgerError) {
        database = try Database(Self.path(of: name, in: folder))
        let isNew = try database.count("SELECT count(*) FROM sqlite_schema") == 0
        if !isNew { try Schema.checkObjects(in: database, of: [Self.schema]) }
        try database.execute(
            """
            PRAGMA cache_size = -4096; PRAGMA cell_size_check = ON; PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL
            """)
        if isNew { try database.execute("BEGIN IMMEDIATE; \(Self.schema); COMMIT") }
        addRecord = Statement("INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6)", of: database)
        setLength = Statement("INSERT OR REPLACE INTO files VALUES (?1, ?2)", of: database)
        find = Statement("SELECT url, date FROM records WHERE digest = ?1 ORDER BY rowid LIMIT 1", of: database)
    }

    /// The path of a database without links in it, which SQLite refuses.
    static func path(of name: String, in folder: Folder) throws(LedgerError) -> String {
        do throws(FileError) { return try folder.resolvedPath() + "/" + name } catch {
            throw LedgerError(code: .disk, number: 0, reason: error.description, path: folder.fullPath(of: name))
        }
    }

    /// The last file and the length of its complete records; `nil` for a new archive.
    package func lastFile() throws(LedgerError) -> (number: Int, length: Int)? {
        let statement = Statement("SELECT number, length FROM files ORDER BY number DESC LIMIT 1", of: database)
        return try statement.first { (row) throws(LedgerError) in (try row.quantity() ?? 0, try row.quantity() ?? 0) }
    }

    /// Records that a file has this many bytes of complete records; `record` is the last one.
    package func extend(_ number: Int, to length: Int, adding record: Record? = nil) throws(LedgerError) {
        try database.transaction { () throws(LedgerError) in
            try setLength.run([.integer(number), .integer(length)])
            guard let record else { return }
            try addRecord.run([
                .text(record.line), .integer(number), .integer(length), SQLValue(record.digest), .text(record.url),
                .text(record.date),
            ])
        }
    }

    /// Forgets the records that a file of this size does not hold completely; returns the length of the others.
    package func cut(_ number: Int, to size: Int) throws(LedgerError) -> Int {
        let last = Statement("SELECT max(tail) FROM records WHERE file = ?1 AND tail <= ?2", of: database)
        let length =
            try last.first([.integer(number), .integer(size)]) { (row) throws(LedgerError) in try row.quantity() }
            .flatMap { $0 } ?? 0
        let forget = Statement("DELETE FROM records WHERE file = ?1 AND tail > ?2", of: database)
        try database.transaction { () throws(LedgerError) in
            try forget.run([.integer(number), .integer(length)])
            try setLength.run([.integer(number), .integer(length)])
        }
        return length
    }

    /// Returns the address and the time of the first response with this payload.
    package func response(withPayload digest: String) throws(LedgerError) -> (url: String, date: String)? {
        try find.first([.text(digest)]) { row in (row.text() ?? "", row.text() ?? "") }
    }

    /// Calls `body` with all lines, in the order of their bytes.
    package func forEachLine(_ body: (String) throws(LedgerError) -> Void) throws(LedgerError) {
        try Self.forEachLine(in: database, body)
    }

    static func forEachLine(
        in database: borrowing Database, _ body: (String) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        let statement = Statement("SELECT line FROM records ORDER BY line", of: database)
        try statement.forEach { (row) throws(LedgerError) in try body(row.text() ?? "") }
    }
}

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
        try Schema.checkObjects(in: database, of: [ArchiveIndex.schema])
        try database.execute(
            """
            BEGIN;
            CREATE TEMP TABLE captures AS
                SELECT url, substr(line, instr(line, '"digest": "') + 11, 71) AS digest, date FROM records;
            CREATE INDEX temp.captures_by_url ON captures (url, digest)
            """)
        find = Statement("SELECT max(date) FROM captures WHERE url = ?1 AND digest = ?2", of: database)
    }

    /// The numbers of the files, and the lengths of their complete records.
    package func files() throws(LedgerError) -> [(number: Int, length: Int)] {
        var files: [(Int, Int)] = []
        let statement = Statement("SELECT number, length FROM files WHERE length > 0 ORDER BY number", of: database)
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
