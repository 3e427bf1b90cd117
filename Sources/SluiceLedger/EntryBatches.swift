// SPDX-License-Identifier: MIT

package import SluiceModel

/// Reads items of a ledger with their receipts, in order and some at a time.
///
/// Memory use does not depend on the ledger's length, and the ledger may be used between two batches.
package struct EntryBatches: Sendable {
    /// The items to read.
    package enum Selection: Sendable {
        /// All items.
        case all
        /// The items that failed or were skipped.
        case unfinished
        /// The items at these positions, which are sorted; positions without an item are left out.
        case positions([Int])
    }

    private let ledger: Ledger
    private let selection: Selection
    private let size: Int
    /// The last item's position.
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
