// SPDX-License-Identifier: MIT

/// The ledger's tables, version by version.
///
/// Every fact that a filter may want has a column of its own. Variants and thumbnails are JSON texts: they are always
/// written and read whole with their item, so child rows would only cost a second walk, and SQL still reaches into
/// them with `json_each`. What each run changes for every item (`listings`) and what only items in flight have
/// (`attempts`) stand apart from the wide rows, so that a run that finds nothing new rewrites little.
enum Schema {
    /// `Slui`, in the file's header.
    static let applicationID = 0x536C_7569

    /// The version that this Sluice writes.
    static var version: Int { migrations.count }

    /// What leads from each version to the next; what is released is never edited, only added to.
    private static let migrations = [
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
        "ALTER TABLE receipts ADD COLUMN stamp TEXT",
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
        // A quarter of a hash finds it as well, in a quarter of the room.
        "CREATE INDEX receipts_by_content ON receipts (substr(sha256, 1, 16)) WHERE file IS NOT NULL",
    ]

    /// Makes the tables in a new file, brings an older ledger up to date, and refuses every other file.
    static func prepare(_ database: borrowing Database, mayWrite: Bool = true) throws(LedgerError) {
        let found = try identify(database)
        guard found < version else { return }
        guard mayWrite else {
            let reason = "it is of version \(found), and has to be brought to \(version) where it can be written"
            throw LedgerError(code: .disk, number: 0, reason: reason, path: database.path)
        }
        try database.transaction { () throws(LedgerError) in
            // Again, for another process may have come first.
            for migration in migrations[try identify(database)...] { try database.execute(migration) }
            try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        }
    }

    /// The version of the ledger that the file is; 0 for an empty file.
    private static func identify(_ database: borrowing Database) throws(LedgerError) -> Int {
        let found = try database.integer("PRAGMA user_version")
        let owner = try database.integer("PRAGMA application_id")
        let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
        let path = database.path
        guard owner == applicationID ? found > 0 : owner == 0 && found == 0 && isEmpty else {
            throw LedgerError(code: .notALedger, number: 0, reason: "another program's database", path: path)
        }
        guard found <= version else {
            let reason = "version \(found), and this one knows \(version)"
            throw LedgerError(code: .tooNew, number: 0, reason: reason, path: path)
        }
        return found
    }
}
