// SPDX-License-Identifier: MIT

public import SluiceModel

extension Ledger {
    /// The runs, in their order.
    public func runs() throws(LedgerError) -> [PastRun] {
        try rows("\(Self.allRuns) ORDER BY run", [], Self.run(from:))
    }

    /// The last run that was begun.
    public func lastRun() throws(LedgerError) -> PastRun? {
        try rows("\(Self.allRuns) ORDER BY run DESC LIMIT 1", [], Self.run(from:)).first
    }

    private static let allRuns = "SELECT run, source, feed, words, started, ended FROM runs"

    private static func run(from row: inout Row) -> PastRun {
        PastRun(
            id: row.integer() ?? 0, source: row.text() ?? "", feed: row.text() ?? "",
            words: row.text().flatMap(StoredLists.words) ?? [], started: row.integer() ?? 0, ended: row.integer())
    }
}
