// SPDX-License-Identifier: MIT

package import SluiceModel

/// A run recorded in the ledger; the pages and items that it lists refer to it.
package struct LedgerRun: Sendable, Hashable, Identifiable {
    /// The run's number in this mirror, from 1.
    package let id: Int
    /// The feed's name; those of several feeds are a text of a ``SourceSet``.
    package let feed: String

    /// Whether there is no earlier run.
    var isFirst: Bool { id == 1 }
}

extension Ledger {
    /// Records the start of a run.
    ///
    /// It also removes old runs that changed nothing, so that a mirror that runs daily does not grow without photos.
    /// `options` is a fingerprint of all options that affect the files, and `walk` of those that affect the pages.
    /// `words` are the arguments of the user's command.
    package func beginRun(
        source: String, feed: String, options: String, walk: String = "", words: [String] = [], startedAt: Int
    ) throws(LedgerError) -> LedgerRun {
        try connection.withLock { (connection) throws(LedgerError) in
            let values = [
                SQLValue.text(source), .text(feed), .text(options), .integer(startedAt), .text(walk),
                .text(JSONColumns.text(of: words)),
            ]
            let id = try connection.transaction(flushed: false) { () throws(LedgerError) in
                let id = try connection.runs.begin(values)
                try connection.runs.forget(before: id)
                return id
            }
            return LedgerRun(id: id, feed: feed)
        }
    }

    /// Records the results of a run, and merges the write-ahead log into the file.
    package func endRun(_ run: LedgerRun, summary: Summary, endedAt: Int) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: true) { () throws(LedgerError) in
                try connection.runs.end(run, summary: summary, endedAt: endedAt)
            }
            try connection.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Records a run of another ledger, without its results.
    package func restore(_ past: PastRun) throws(LedgerError) {
        let run = try beginRun(
            source: past.source, feed: past.feed, options: "", words: past.words, startedAt: past.started)
        if let ended = past.ended { try endRun(run, summary: Summary(), endedAt: ended) }
    }

    /// Returns all runs in order.
    package func runs() throws(LedgerError) -> [PastRun] {
        try rows("\(Self.allRuns) ORDER BY run", [], Self.run(from:))
    }

    /// Returns the run that started last.
    package func lastRun() throws(LedgerError) -> PastRun? {
        try rows("\(Self.allRuns) ORDER BY run DESC LIMIT 1", [], Self.run(from:)).first
    }

    private static let allRuns = "SELECT run, source, feed, words, started, ended FROM runs"

    private static func run(from row: inout ResultRow) throws(LedgerError) -> PastRun {
        PastRun(
            id: try row.quantity() ?? 0, source: row.text() ?? "", feed: row.text() ?? "",
            words: row.text().flatMap(JSONColumns.arguments) ?? [], started: try row.time() ?? 0,
            ended: try row.time())
    }
}
