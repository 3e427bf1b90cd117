// SPDX-License-Identifier: MIT

public import SluiceModel

extension Ledger {
    /// The runs, in their order.
    public func runs() throws(LedgerError) -> [PastRun] {
        try rows("SELECT run, source, feed, words, started, ended FROM runs ORDER BY run") { row in
            PastRun(
                id: row.integer() ?? 0, source: row.text() ?? "", feed: row.text() ?? "",
                words: row.text().flatMap(StoredLists.words) ?? [], started: row.integer() ?? 0, ended: row.integer())
        }
    }
}
