// SPDX-License-Identifier: MIT

internal import SluiceModel

// A run with several sources records all of them, and the names of their feeds, as one text each: see `SourceSet`.

extension Ledger {
    /// The SQL condition that an item's feed is one of those in the text `names`, an expression.
    static func isOfFeeds(_ names: String) -> String {
        "(items.feed = \(names) OR instr(char(10) || \(names) || char(10), char(10) || items.feed || char(10)))"
    }

    /// Returns the runs, as a JSON array, whose sources all belong to those of this run.
    func runsOfSameSources(as run: LedgerRun) throws(LedgerError) -> String {
        let source = try rows("SELECT source FROM runs WHERE run = ?1", [.integer(run.id)]) { row in row.text() ?? "" }
        return try runs(withSourcesIn: source.first ?? "")
    }

    /// Returns the runs, as a JSON array, whose sources all belong to those in a text.
    func runs(withSourcesIn source: String) throws(LedgerError) -> String {
        let all = SourceSet(text: source)
        let runs = try rows("SELECT run, source FROM runs") { row in
            (run: row.integer() ?? 0, source: row.text() ?? "")
        }
        let own = runs.filter { $0.source === source || all.isSuperset(of: SourceSet(text: $0.source)) }
        return "[\(own.map { "\($0.run)" }.joined(separator: ","))]"
    }
}
