// SPDX-License-Identifier: MIT

public import SluiceModel

// What became of items from run to run. A trigger writes down which run did an item first, and which one found it changed;
// that a feed lists one no more shows at the end of a whole walk.

extension Ledger {
    /// Writes down what a walk to the feed's end did not meet any more, and what it met again.
    public func noteAbsences(in run: LedgerRun) throws(LedgerError) {
        let last = "(SELECT kind FROM changes AS last WHERE last.seq = listings.seq ORDER BY last.run DESC LIMIT 1)"
        // CROSS JOIN keeps the order: few listings are of older runs, and few changes are absences.
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try Statement(
                    """
                    INSERT OR REPLACE INTO changes SELECT seq, ?1, 'gone' FROM listings CROSS JOIN runs USING (run)
                    CROSS JOIN items USING (seq) WHERE run < ?1 AND items.feed = ?2
                    AND source = (SELECT source FROM runs WHERE run = ?1) AND \(last) IS NOT 'gone'
                    """, of: connection.database
                ).run([.integer(run.id), .text(run.feed)])
                try Statement(
                    """
                    INSERT OR REPLACE INTO changes SELECT seq, ?1, 'new' FROM changes CROSS JOIN listings USING (seq)
                    WHERE kind = 'gone' AND listings.run = ?1 AND \(last) = 'gone'
                    """, of: connection.database
                ).run([.integer(run.id)])
            }
        }
    }

    /// What became of items in the runs behind `first`, up to `last`, in the order of their places.
    public func changes(after first: Int, upTo last: Int) throws(LedgerError) -> [Change] {
        let steps = try rows(
            """
            SELECT seq, kind, coalesce(file, name, id) FROM changes JOIN items USING (seq) LEFT JOIN names USING (seq)
            LEFT JOIN receipts USING (seq) WHERE run > ?1 AND run <= ?2 ORDER BY seq, changes.run
            """, [.integer(first), .integer(last)]
        ) { row in
            Change(
                item: row.integer() ?? 0, kind: row.text().flatMap(Change.Kind.init) ?? .changed, name: row.text() ?? ""
            )
        }
        var changes: [Change] = []
        var next = steps[...]
        while let step = next.first {
            let own = next.prefix { $0.item == step.item }
            next = next.dropFirst(own.count)
            if let kind = Change.Kind(own.map(\.kind)) {
                changes.append(Change(item: step.item, kind: kind, name: step.name))
            }
        }
        return changes
    }
}

extension Change.Kind {
    /// What some steps come to; `nil` if they come to nothing: it came and went, or went and came back.
    fileprivate init?(_ steps: [Change.Kind]) {
        switch (steps.first, steps.last) {
        case (.new, .gone), (.gone, .new), (nil, _), (_, nil): return nil
        case (_, .gone): self = .gone
        case (.new, _): self = .new
        default: self = .changed
        }
    }
}
