// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The ledger's tables and their migrations.
///
/// Every fact that a filter may use has its own column. Variants and thumbnails are JSON texts: they are always read
/// and written together with their item, so separate rows would only cost a second lookup. SQL can still read them with
/// `json_each`. Data that every run changes for each item (`listings`), and data that few items have (`attempts`: how
/// often the item crashed a decoder), are in separate tables. A run that finds nothing new therefore rewrites little.
enum Schema {
    /// The application ID in the file's header: `Slui`.
    static let applicationID = 0x536C_7569

    /// The schema version that this version of Sluice writes.
    static var version: Int { migrations.count }

    /// The migrations from each version to the next.
    private static let migrations = migrations(for: PhotoField.all, ReceiptField.all)

    /// Merges the written migrations with those of fields, each of which states its version.
    ///
    /// The written migrations have the other versions, in order.
    static func migrations(for photos: [PhotoField], _ receipts: [ReceiptField]) -> [String] {
        var columns: [Int: [String]] = [:]
        for field in photos {
            guard let version = field.ledgerVersion, version > lastVersionWithWrittenColumns else { continue }
            columns[version, default: []].append("ALTER TABLE items ADD COLUMN \(field.name) \(field.columnType)")
        }
        for field in receipts {
            guard let version = field.ledger, version > 1 else { continue }
            columns[version, default: []].append("ALTER TABLE receipts ADD COLUMN \(field.name) \(field.columnType)")
        }
        var written = writtenMigrations[...]
        let versions = written.count + columns.count
        return (1...versions).map { version in
            if let columns = columns[version] { return columns.joined(separator: "; ") }
            guard let next = written.popFirst() else {
                preconditionFailure("a field states a version of the ledger after \(versions)")
            }
            return next
        }
    }

    /// The last version up to which the written migrations contain the columns of photos.
    private static let lastVersionWithWrittenColumns = 8

    /// The migrations except those for fields; a released migration is never changed.
    private static let writtenMigrations = [
        """
        CREATE TABLE runs (
            run INTEGER PRIMARY KEY, source TEXT NOT NULL, feed TEXT NOT NULL, options TEXT NOT NULL,
            started INTEGER NOT NULL, ended INTEGER, pages INTEGER, done INTEGER, kept INTEGER, skipped INTEGER,
            failed INTEGER
        ) STRICT;

        CREATE TABLE pages (
            run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL, photos INTEGER NOT NULL, next TEXT,
            total INTEGER, PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE items (
            seq INTEGER PRIMARY KEY, feed TEXT NOT NULL, collection TEXT NOT NULL, id TEXT NOT NULL,
            variants TEXT NOT NULL, width INTEGER, height INTEGER, caption TEXT, author TEXT, author_url TEXT,
            page_url TEXT, license TEXT, license_url TEXT, attribution TEXT, color TEXT, placeholder TEXT,
            UNIQUE (feed, collection, id)
        ) STRICT;

        CREATE TABLE listings (
            seq INTEGER PRIMARY KEY REFERENCES items, run INTEGER NOT NULL REFERENCES runs, page INTEGER NOT NULL,
            facts INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE attempts (
            seq INTEGER PRIMARY KEY REFERENCES items, count INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE receipts (
            seq INTEGER PRIMARY KEY REFERENCES items, state TEXT NOT NULL, cause TEXT, detail TEXT,
            failure_status INTEGER, failure_url TEXT, variant TEXT, url TEXT, final_url TEXT, status INTEGER,
            file TEXT, bytes INTEGER, sha256 TEXT, format TEXT, width INTEGER, height INTEGER, orientation INTEGER,
            etag TEXT, last_modified TEXT, color TEXT, placeholder TEXT, phash TEXT, thumbs TEXT NOT NULL
        ) STRICT;
        CREATE INDEX receipts_by_state ON receipts (state, cause);
        """,
        """
        ALTER TABLE items ADD COLUMN ping TEXT;
        ALTER TABLE runs ADD COLUMN walk TEXT;
        ALTER TABLE runs ADD COLUMN walked INTEGER;
        CREATE INDEX listings_by_page ON listings (run, page);
        """,
        "ALTER TABLE runs ADD COLUMN words TEXT",
        """
        CREATE TABLE names (
            seq INTEGER PRIMARY KEY REFERENCES items, name TEXT NOT NULL, folded INTEGER NOT NULL UNIQUE
        ) STRICT
        """,
        """
        CREATE TABLE hosts (
            run INTEGER NOT NULL REFERENCES runs, host TEXT NOT NULL, done INTEGER NOT NULL, failed INTEGER NOT NULL,
            retried INTEGER NOT NULL, paused INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (run, host)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE changes (
            seq INTEGER NOT NULL REFERENCES items, run INTEGER NOT NULL REFERENCES runs, kind TEXT NOT NULL,
            PRIMARY KEY (seq, run)
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER receipts_change BEFORE INSERT ON receipts
        WHEN NEW.state = 'done' AND coalesce(NEW.sha256, NEW.thumbs) IS NOT (
            SELECT coalesce(sha256, thumbs) FROM receipts WHERE seq = NEW.seq AND state = 'done')
        BEGIN
            INSERT OR REPLACE INTO changes VALUES (
                NEW.seq, (SELECT max(run) FROM runs),
                iif(EXISTS (SELECT 1 FROM receipts WHERE seq = NEW.seq AND state = 'done'), 'changed', 'new'));
        END
        """,
        "ALTER TABLE items ADD COLUMN date INTEGER; ALTER TABLE items ADD COLUMN camera TEXT",
        "CREATE TABLE doubts (seq INTEGER PRIMARY KEY REFERENCES items) STRICT",
        """
        CREATE TABLE exports (stamp TEXT NOT NULL) STRICT;

        CREATE TRIGGER items_export AFTER UPDATE ON items WHEN EXISTS (SELECT 1 FROM exports)
        BEGIN DELETE FROM exports; END;

        CREATE TRIGGER listings_export AFTER INSERT ON listings WHEN EXISTS (SELECT 1 FROM exports)
        BEGIN DELETE FROM exports; END;

        CREATE TRIGGER pages_export AFTER UPDATE OF page ON listings WHEN EXISTS (SELECT 1 FROM exports)
        BEGIN DELETE FROM exports; END;

        CREATE TRIGGER absences_export AFTER DELETE ON listings WHEN EXISTS (SELECT 1 FROM exports)
        BEGIN DELETE FROM exports; END;

        CREATE TRIGGER receipts_export AFTER INSERT ON receipts WHEN EXISTS (SELECT 1 FROM exports)
        BEGIN DELETE FROM exports; END;

        CREATE INDEX changes_gone ON changes (seq) WHERE kind = 'gone';
        """,
        // A quarter of the hash is enough to find it and needs a quarter of the space.
        "CREATE INDEX receipts_by_content ON receipts (substr(sha256, 1, 16)) WHERE file IS NOT NULL",
        "CREATE INDEX receipts_with_terms ON receipts (state) WHERE usage IS NOT NULL OR cause = 'opted-out'",
        // The counts per host are in report.json, and nothing read them here.
        "DROP TABLE hosts",
        """
        CREATE TABLE intentions (
            kind TEXT NOT NULL, seq INTEGER NOT NULL, file TEXT NOT NULL, PRIMARY KEY (kind, seq, file)
        ) STRICT, WITHOUT ROWID
        """,
        // The names of the ledger's copies in a bucket, by which an older ledger is recognised.
        "CREATE TABLE publications (name TEXT NOT NULL) STRICT",
    ]

    /// Returns the statements that make a new ledger as the migrations would.
    ///
    /// Each change of a table makes SQLite read the whole schema again, which took a tenth of the work of 'thumbs' for
    /// one photo. So a column that a migration adds is written where SQLite would put it. Characters instead of bytes
    /// took another 3 %.
    static func creation(by migrations: ArraySlice<String>) -> String {
        var statements: [String] = []
        for statement in migrations.flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
            let text = statement.drop(while: \.isSpace)
            let words = text.split(maxSplits: 5, whereSeparator: \.isSpace).map(Substring.init)
            guard words.count > 2, words[0] == "ALTER" || words[0] == "DROP",
                let table = statements.firstIndex(where: { $0.hasPrefix("CREATE TABLE \(words[2]) (") })
            else {
                statements.append(String(Substring(text)))
                continue
            }
            if words[0] == "DROP" { statements.remove(at: table) } else { statements[table].addColumn(words[5]) }
        }
        return statements.joined(separator: ";\n")
    }

    /// Creates the tables in a new file or migrates an older ledger; throws for any other file.
    static func prepare(
        _ database: borrowing Database, access: Database.Access = .creating, by migrations: [String] = migrations
    ) throws(LedgerError) {
        let version = migrations.count
        let found = try identify(database, migrations)
        guard found > 0 || access == .creating else {
            throw LedgerError(code: .notALedger, number: 0, reason: "it is empty", path: database.path)
        }
        if found > 0 { try checkObjects(in: database, of: migrations.prefix(found)) }
        guard found < version else { return }
        guard access.allowsWrites else {
            let reason = "its schema version \(found) must be upgraded to \(version), which requires write access"
            throw LedgerError(code: .disk, number: 0, reason: reason, path: database.path)
        }
        try database.transaction { () throws(LedgerError) in
            // Checks the version again, because another process may have migrated the file.
            let found = try identify(database, migrations)
            if found == 0 {
                try database.execute(creation(by: migrations[...]))
            } else {
                for migration in migrations[found...] { try database.execute(migration) }
            }
            try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        }
    }

    /// Returns the schema version of the file; 0 for an empty file.
    private static func identify(_ database: borrowing Database, _ migrations: [String]) throws(LedgerError) -> Int {
        let version = migrations.count
        let found = try database.setting("user_version")
        let owner = try database.setting("application_id")
        let isEmpty = try database.count("SELECT count(*) FROM sqlite_schema") == 0
        let path = database.path
        guard owner == applicationID ? found > 0 : owner == 0 && found == 0 && isEmpty else {
            throw LedgerError(code: .notALedger, number: 0, reason: "another program's database", path: path)
        }
        if found > 0, found != version, try hasSchema(of: migrations[...], database) {
            let reason = "it states schema version \(found), but has the tables of version \(version)"
            throw LedgerError(code: .damaged, number: 0, reason: reason, path: path)
        }
        guard found <= version else {
            let reason = "schema version \(found), this version of Sluice supports \(version)"
            throw LedgerError(code: .tooNew, number: 0, reason: reason, path: path)
        }
        return found
    }

    /// Throws if the file has other tables, indexes, triggers or views than these statements create.
    ///
    /// A ledger may come from someone else. Triggers, views, generated columns, checks and indexes on expressions run
    /// SQL of their author when they are used, which may take any time and memory.
    static func checkObjects(
        in database: borrowing Database, of statements: ArraySlice<String>
    ) throws(LedgerError) {
        let expected = try Database(":memory:")
        try expected.execute(creation(by: statements))
        let own = TextSet(try definitions(in: expected))
        let found = try definitions(in: database)
        if let foreign = found.first(where: { !own.contains($0) }) {
            let name = foreign.split(separator: " ", maxSplits: 2).prefix(2).joined(separator: " '").prefix(80)
            throw LedgerError(
                code: .damaged, number: 0, reason: "its \(name)' is not one of Sluice's", path: database.path)
        }
        guard found.count == own.count else {
            throw LedgerError(code: .damaged, number: 0, reason: "a table is missing", path: database.path)
        }
    }

    /// Whether the file has exactly the tables, indexes and triggers of the version that it states.
    static func isConsistent(_ database: borrowing Database) throws(LedgerError) -> Bool {
        let version = try database.setting("user_version")
        return try hasSchema(of: migrations.prefix(max(version, 0)), database)
    }

    private static func hasSchema(
        of migrations: ArraySlice<String>, _ database: borrowing Database
    ) throws(LedgerError) -> Bool {
        let expected = try Database(":memory:")
        try expected.execute(creation(by: migrations))
        return try definitions(in: database) == definitions(in: expected)
    }

    /// The types, names and definitions of all tables, indexes, triggers and views, without white space in definitions.
    ///
    /// Releases of SQLite differ in the spaces that they leave when they change a table.
    static func definitions(in database: borrowing Database) throws(LedgerError) -> [String] {
        let statement = Statement(
            """
            SELECT type || ' ' || name || ' ' || tbl_name || ' ' || replace(replace(coalesce(sql, ''), char(10), ''), ' ', '') FROM sqlite_schema
            ORDER BY type, name LIMIT 200
            """, of: database)
        var found: [String] = []
        try statement.forEach([]) { (row) throws(LedgerError) in found.append(row.text() ?? "") }
        return found
    }
}

extension PhotoField {
    fileprivate var columnType: String { isNumber ? "INTEGER" : "TEXT" }
}

extension ReceiptField {
    fileprivate var columnType: String {
        switch value {
        case .number, .side: "INTEGER"
        case .text, .object, .thumbs: "TEXT"
        }
    }
}

extension String {
    /// Adds a column to the definition of a table: before the constraint of the whole table, if there is one.
    fileprivate mutating func addColumn(_ column: Substring) {
        guard var place = utf8.lastIndex(of: UInt8(ascii: ")")) else { return }
        let columns = utf8[..<place]
        if columns.last(where: { !$0.isSpace }) == UInt8(ascii: ")"),
            let open = columns.lastIndex(of: UInt8(ascii: "(")),
            let comma = columns[..<open].lastIndex(of: UInt8(ascii: ","))
        {
            place = comma
        }
        insert(contentsOf: ", \(column)", at: place)
    }
}
