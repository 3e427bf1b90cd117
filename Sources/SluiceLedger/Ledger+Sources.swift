// SPDX-License-Identifier: MIT

internal import SluiceModel

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
