// SPDX-License-Identifier: MIT

public import SluiceModel

extension Ledger {
    /// The runs, in their order.
    public func runs() throws(LedgerError) -> [PastRun] {
        try connection.withLock { (connection) throws(LedgerError) in
            let sql = "SELECT run, source, feed, words, started, ended FROM runs ORDER BY run"
            var runs: [PastRun] = []
            try Statement(sql, of: connection.database).forEach { (row) throws(LedgerError) in
                let (id, source, feed) = (row.integer() ?? 0, row.text() ?? "", row.text() ?? "")
                let words = row.text().flatMap(StoredLists.words) ?? []
                runs.append(
                    PastRun(
                        id: id, source: source, feed: feed, words: words, started: row.integer() ?? 0,
                        ended: row.integer()))
            }
            return runs
        }
    }
}
