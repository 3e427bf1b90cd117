// SPDX-License-Identifier: MIT

public import SluiceModel

// What the ledger knows of walks through a feed, so that one that was interrupted can go on.

extension Ledger {
    /// Writes down that the run's walk came to its end: the next run begins anew.
    public func finishWalk(of run: LedgerRun) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try connection.runs.finishWalk(of: run)
            }
        }
    }

    /// The walk of the run before this one, if it asked for the same, began since `time`, and was ended first.
    public func interruptedWalk(before run: LedgerRun, since time: Int) throws(LedgerError) -> InterruptedWalk? {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.runs.interruptedWalk(before: run, since: time)
        }
    }

    /// A page of an interrupted walk with all that it had and earlier ones had not; `nil` for one that it never came to.
    public func page(_ number: Int, of walk: InterruptedWalk) throws(LedgerError) -> Page? {
        guard var page = walk.pages[number] else { return nil }
        // Photos that stood on an earlier page too are not on this one any more; the walk went on all the same.
        page.mayBeEmpty = true
        page.photos = try connection.withLock { (connection) throws(LedgerError) in
            try connection.photos(onPage: number, of: walk.run)
        }
        return page
    }
}
