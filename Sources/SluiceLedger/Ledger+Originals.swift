// SPDX-License-Identifier: MIT

internal import CSQLite
package import SluiceFiles

/// An original in the mirror, according to the ledger.
package struct Original: Sendable, Hashable {
    package let seq: Int
    /// The path relative to the mirror.
    package let path: String
    package let bytes: Int
    /// The SHA-256 of the content.
    package let sha256: String
}

extension Ledger {
    /// Returns the originals that share their content with another one, grouped by content and ordered by position.
    package func originalsWithSharedContent() throws(LedgerError) -> [Original] {
        try rows(
            """
            SELECT seq, file, bytes, sha256 FROM receipts
            WHERE file IS NOT NULL AND sha256 IN
                (SELECT sha256 FROM receipts WHERE file IS NOT NULL GROUP BY sha256 HAVING count(*) > 1)
            ORDER BY sha256, seq
            """
        ) { (row) throws(LedgerError) in
            Original(
                seq: try row.quantity() ?? 0, path: row.text() ?? "", bytes: try row.quantity() ?? 0,
                sha256: row.text() ?? "")
        }
    }

    /// Returns for each SHA-256 the path of another item's original with the same content.
    ///
    /// It is the newest one, because a file system limits the number of hard links to one file.
    package func paths(
        ofContents contents: [(sha256: String, besides: Int)]
    ) throws(LedgerError) -> [String?] {
        guard !contents.isEmpty else { return [] }
        return try connection.withLock { (connection) throws(LedgerError) in
            // In one transaction, because otherwise SQLite locks the file for each of them.
            try connection.database.transaction { () throws(LedgerError) in
                var paths: [String?] = []
                for (sha256, seq) in contents {
                    paths.append(try connection.receipts.path(ofContent: sha256, besides: seq))
                }
                return paths
            }
        }
    }

    /// Returns the perceptual hash of the first original of each content.
    package func perceptualHashes() throws(LedgerError) -> [(seq: Int, hash: UInt64)] {
        try rows(
            "SELECT min(seq), phash FROM receipts WHERE file IS NOT NULL AND phash IS NOT NULL GROUP BY sha256"
        ) { (row) throws(LedgerError) in
            (seq: try row.quantity() ?? 0, hash: UInt64(row.text() ?? "", radix: 16) ?? 0)
        }
    }
}

// Copies of the ledger for another machine.

extension Ledger {
    /// A number that grows with each change by this process.
    package func changeCount() throws(LedgerError) -> Int {
        try connection.withLock { (connection) throws(LedgerError) in connection.database.changeCount }
    }

    /// Writes a copy of the mirror's ledger in its present state to a new file, while others may write to the ledger.
    package static func copy(from folder: Folder, to name: String) throws(LedgerError) {
        try copy(from: folder, to: name, in: folder, access: .writing)
    }

    /// Writes a copy of the ledger of a mirror that no process writes to; changes nothing in the mirror's folder.
    package static func copyUnchanged(from folder: Folder, to other: Folder) throws(LedgerError) {
        // A killed run leaves its last writes in a separate file.
        let isWhole = folder.size(of: name + "-wal") ?? 0 == 0
        let name = isRebuilt(in: folder) ? rebuilt : name
        try copy(of: name, from: folder, to: Self.name, in: other, access: isWhole ? .unchanging : .reading)
    }

    private static func copy(
        of ledger: String = name, from folder: Folder, to name: String, in other: Folder, access: Database.Access
    ) throws(LedgerError) {
        let (path, copy): (String, String)
        do throws(FileError) {
            try other.remove(name)
            (path, copy) = ("\(try folder.resolvedPath())/\(ledger)", "\(try other.resolvedPath())/\(name)")
        } catch {
            throw LedgerError(code: .disk, number: 0, reason: error.description, path: folder.fullPath(of: ledger))
        }
        // A connection of its own does not block the run's.
        let database = try Database(path, access: access)
        do throws(LedgerError) {
            try database.execute("VACUUM INTO '\(copy.replacing("'", with: "''"))'")
        } catch {
            throw LedgerDamage.explained(error)
        }
    }

    /// The number of names of copies that a ledger keeps; the newest one that was stored is among them.
    private static let publications = 100

    /// Records the name of a copy that is about to be made, so that this ledger and the copy are known to be newer than
    /// all earlier copies.
    package func record(publication name: String) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try Statement("INSERT INTO publications VALUES (?1)", of: connection.database).run([.text(name)])
                try connection.database.execute(
                    """
                    DELETE FROM publications
                    WHERE rowid <= (SELECT max(rowid) FROM publications) - \(Self.publications)
                    """)
            }
        }
    }

    /// Whether this ledger is the copy of that name, or was changed since it was copied under this name.
    package func contains(publication name: String) throws(LedgerError) -> Bool {
        try connection.withLock { (connection) throws(LedgerError) in
            let statement = Statement("SELECT count(*) FROM publications WHERE name = ?1", of: connection.database)
            return try statement.first([.text(name)]) { (row) throws(LedgerError) in try row.quantity() }.flatMap { $0 }
                ?? 0 > 0
        }
    }

    /// Replaces the mirror's ledger, which must be closed, by a staged copy.
    package static func replace(in folder: Folder, by copy: StagedFile) throws(FileError) {
        // The log of another database would damage the copy.
        for suffix in ["-wal", "-shm"] { try folder.remove(Self.name + suffix) }
        try folder.moveIntoPlace(copy)
        try folder.flushNames(of: [copy.name])
    }
}

extension Database {
    /// The number of rows that this connection has changed.
    fileprivate var changeCount: Int { Int(unsafe sqlite3_total_changes(handle)) }
}
