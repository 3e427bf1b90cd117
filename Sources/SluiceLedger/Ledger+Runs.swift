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

// A run with several sources records all of them, and the names of their feeds, as one text each: see `SourceSet`.

extension Ledger {
    /// The SQL condition that an item's feed is one of those in the text `names`, an expression.
    static func isOfFeeds(_ names: String) -> String {
        "(items.feed = \(names) OR instr(char(10) || \(names) || char(10), char(10) || items.feed || char(10)))"
    }

    /// Returns the runs, as a JSON array, whose sources all belong to those of this run.
    ///
    /// The words of a command name sources by absolute paths, so that they are the same in every folder.
    func runsOfSameSources(as run: LedgerRun) throws(LedgerError) -> String {
        let known = try rows("SELECT source, words FROM runs WHERE run = ?1", [.integer(run.id)]) { row in
            (source: row.text() ?? "", words: row.text().flatMap(JSONColumns.arguments) ?? [])
        }.first
        let source = known?.source ?? ""
        let (names, all) = (SourceSet(text: source), Self.sources(source, in: known?.words ?? []))
        let runs = try rows("SELECT run, source, words FROM runs") { (row) throws(LedgerError) in
            (
                run: try row.quantity() ?? 0, source: row.text() ?? "",
                words: row.text().flatMap(JSONColumns.arguments) ?? []
            )
        }
        let own = runs.filter { run in
            guard let all, let own = Self.sources(run.source, in: run.words) else {
                return run.source === source || names.isSuperset(of: SourceSet(text: run.source))
            }
            return all.isSuperset(of: own)
        }
        return "[\(own.map { "\($0.run)" }.joined(separator: ","))]"
    }

    /// The sources as the words of a command name them; `nil` if its arguments are others, or if it has no words.
    private static func sources(_ source: String, in words: [String]) -> SourceSet? {
        let named = words.dropFirst().prefix { !$0.hasPrefix("--") }
        return named.count == SourceSet(text: source).members.count ? SourceSet(Array(named)) : nil
    }
}
