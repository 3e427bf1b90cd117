// SPDX-License-Identifier: MIT

package import SluiceModel

/// The walk of an interrupted run: the pages that it read, with their cursors.
package struct InterruptedWalk: Sendable {
    let run: Int
    var pages: [Int: Page] = [:]

    init(run: Int) { self.run = run }

    /// The number of pages read.
    package var count: Int { pages.count }

    /// The numbers of the pages of one of several feeds; the cursors begin with the position of their feed.
    package func pageNumbers(ofFeed index: Int) -> [Int] {
        pages.keys.filter { pages[$0]?.next?.rawValue.hasPrefix("\(index)\n") == true }.sorted()
    }
}

extension Ledger {
    /// Records that the run read its feed to the end; the next run then starts from the beginning.
    package func finishWalk(of run: LedgerRun) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try connection.runs.finishWalk(of: run)
            }
        }
    }

    /// Returns the previous run's walk if it was interrupted, had the same parameters, and started at `time` or later.
    package func interruptedWalk(before run: LedgerRun, since time: Int) throws(LedgerError) -> InterruptedWalk? {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.runs.interruptedWalk(before: run, since: time)
        }
    }

    /// Returns a page of an interrupted walk, without photos of earlier pages; `nil` if the walk did not reach the
    /// page.
    package func page(_ number: Int, of walk: InterruptedWalk) throws(LedgerError) -> Page? {
        guard var page = walk.pages[number] else { return nil }
        // Photos that an earlier page also listed are missing here, so the page may be empty before the end of the
        // feed.
        page.mayBeEmpty = true
        page.photos = try connection.withLock { (connection) throws(LedgerError) in
            try connection.photos(onPage: number, of: walk.run)
        }
        return page
    }
}

/// Reads items of a ledger with their receipts, in order and some at a time.
///
/// Memory use does not depend on the ledger's length, and the ledger may be used between two batches.
package struct EntryBatches: Sendable {
    package enum Selection: Sendable {
        case all
        /// The items that failed, were skipped, or are done without thumbnails.
        case unfinished
        /// The items at these positions, which are sorted; positions without an item are left out.
        case positions([Int])
    }

    private let ledger: Ledger
    private let selection: Selection
    private let size: Int
    private var last = 0
    /// The number of selected positions that were read.
    private var read = 0

    fileprivate init(_ ledger: Ledger, _ selection: Selection, size: Int) {
        (self.ledger, self.selection, self.size) = (ledger, selection, size)
    }

    /// Returns the next items; `nil` at the end.
    package mutating func next() throws(LedgerError) -> [LedgerEntry]? {
        var entries: [LedgerEntry] = []
        switch selection {
        case .all: entries = try ledger.entries(after: last, limit: size)
        case .unfinished: entries = try ledger.unfinished(after: last, limit: size)
        case .positions(let positions):
            while entries.count < size, read < positions.count {
                if let entry = try ledger.entry(at: positions[read]) { entries.append(entry) }
                read += 1
            }
        }
        guard let end = entries.last else { return nil }
        last = end.item.seq
        return entries
    }
}

extension Ledger {
    /// Reads items in batches of at most `size`.
    package func batches(of selection: EntryBatches.Selection = .all, size: Int = 256) -> EntryBatches {
        EntryBatches(self, selection, size: size)
    }
}
