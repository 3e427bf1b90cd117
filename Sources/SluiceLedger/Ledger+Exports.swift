// SPDX-License-Identifier: MIT

internal import SluiceModel

// What was derived from the ledger, so that it is not written anew where nothing has changed. Triggers forget it with
// the first change of anything that the manifest or the gallery shows.

extension Ledger {
    /// The stamp that was left when all was last derived from the ledger; `nil` if anything has changed since.
    public func exportStamp() throws(LedgerError) -> String? {
        try rows("SELECT stamp FROM exports") { row in row.text() ?? "" }.first
    }

    /// Leaves a stamp: all that is derived from the ledger stands.
    public func noteExport(_ stamp: String) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try connection.database.execute("DELETE FROM exports")
                try Statement("INSERT INTO exports VALUES (?1)", of: connection.database).run([.text(stamp)])
            }
        }
    }
}
