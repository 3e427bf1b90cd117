// SPDX-License-Identifier: MIT

package import SluiceModel

// Changes of items between runs. A trigger records the run that first completed an item, and the run that found it
// changed. The end of a complete walk shows which items the feed no longer lists.

extension Ledger {
    /// Records the items that a complete walk no longer found, and those that it found again.
    package func recordAbsences(in run: LedgerRun) throws(LedgerError) {
        let runs = try runsOfSameSources(as: run)
        let last = "(SELECT kind FROM changes AS last WHERE last.seq = listings.seq ORDER BY last.run DESC LIMIT 1)"
        // CROSS JOIN fixes the join order: few listings are of older runs, and few changes are absences.
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try Statement(
                    """
                    INSERT OR REPLACE INTO changes SELECT seq, ?1, 'gone' FROM listings
                    CROSS JOIN items USING (seq) WHERE run < ?1 AND \(Self.isOfFeeds("?2"))
                    AND run IN (SELECT value FROM json_each(?3)) AND \(last) IS NOT 'gone'
                    """, of: connection.database
                ).run([.integer(run.id), .text(run.feed), .text(runs)])
                try Statement(
                    """
                    INSERT OR REPLACE INTO changes SELECT seq, ?1, 'new' FROM changes CROSS JOIN listings USING (seq)
                    WHERE kind = 'gone' AND listings.run = ?1 AND \(last) = 'gone'
                    """, of: connection.database
                ).run([.integer(run.id)])
            }
        }
    }

    /// Returns the changes in the runs after `first` up to `last`, ordered by position.
    package func changes(after first: Int, upTo last: Int) throws(LedgerError) -> [ItemChange] {
        let steps = try rows(
            """
            SELECT seq, kind, coalesce(file, name, id) FROM changes JOIN items USING (seq) LEFT JOIN names USING (seq)
            LEFT JOIN receipts USING (seq) WHERE run > ?1 AND run <= ?2 ORDER BY seq, changes.run
            """, [.integer(first), .integer(last)]
        ) { (row) throws(LedgerError) in
            ItemChange(
                item: try row.quantity() ?? 0, kind: row.text().flatMap(ItemChange.Kind.init) ?? .changed,
                name: row.text() ?? ""
            )
        }
        var changes: [ItemChange] = []
        var next = steps[...]
        while let step = next.first {
            let changesOfItem = next.prefix { $0.item == step.item }
            next = next.dropFirst(changesOfItem.count)
            if let kind = ItemChange.Kind(changesOfItem.map(\.kind)) {
                changes.append(ItemChange(item: step.item, kind: kind, name: step.name))
            }
        }
        return changes
    }

    /// Returns the positions of the photos that were done for the first time in this run or a later one.
    package func photosDone(sinceRun run: Int) throws(LedgerError) -> Set<Int> {
        Set<Int>(
            try rows("SELECT DISTINCT seq FROM changes WHERE run >= ?1 AND kind = 'new'", [.integer(run)]) {
                (row) throws(LedgerError) in try row.quantity() ?? 0
            })
    }
}

extension ItemChange.Kind {
    /// Combines successive changes of an item; `nil` if they cancel each other out.
    fileprivate init?(_ steps: [ItemChange.Kind]) {
        switch (steps.first, steps.last) {
        case (.new, .gone), (.gone, .new), (nil, _), (_, nil): return nil
        case (_, .gone): self = .gone
        case (.new, _): self = .new
        default: self = .changed
        }
    }
}

// A stamp shows that the manifest and the gallery are up to date, so that they are not written again. Triggers delete
// it with the first change of a fact that they show.

extension Ledger {
    /// Returns the stamp of the last export; `nil` if the ledger has changed since.
    package func exportStamp() throws(LedgerError) -> String? {
        try exports().first
    }

    /// Returns the names and digests of the files of the last export; none if the ledger has changed since.
    package func exportedFiles() throws(LedgerError) -> [(name: String, digest: String)] {
        try exports().dropFirst().map { text in
            let name = text.prefix(upTo: text.lastIndex(of: " ") ?? text.startIndex)
            return (String(name), String(text.dropFirst(name.count + 1)))
        }
    }

    /// Forgets the last export, because its files are about to be written.
    package func forgetExport() throws(LedgerError) {
        guard try exportStamp() != nil else { return }
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: true) { () throws(LedgerError) in
                try connection.database.execute("DELETE FROM exports")
            }
        }
    }

    /// The stamp of the last export, and its files, each as `NAME DIGEST`.
    private func exports() throws(LedgerError) -> [String] {
        try rows("SELECT stamp FROM exports ORDER BY rowid") { row in row.text() ?? "" }
    }

    /// Records that the manifest and the gallery match the ledger, and consist of these files.
    package func recordExportStamp(
        _ stamp: String, of files: [(name: String, digest: String)] = []
    ) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try connection.database.execute("DELETE FROM exports")
                let insert = Statement("INSERT INTO exports VALUES (?1)", of: connection.database)
                try insert.run([.text(stamp)])
                for file in files { try insert.run([.text("\(file.name) \(file.digest)")]) }
                try connection.intentions.end(.writeOutput)
            }
        }
    }
}
