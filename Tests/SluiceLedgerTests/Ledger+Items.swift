// SPDX-License-Identifier: MIT

import SluiceLedger
import SluiceModel

extension Ledger {
    /// The items of a page, for tests that need no more of its claims.
    func items(
        of page: Page, in run: LedgerRun, naming: NameTemplate? = nil, noting note: (Photo) -> Void = { _ in }
    ) throws(LedgerError) -> [Item] {
        try claim(page, in: run, naming: naming, noting: note).map(\.item)
    }

    /// What the ledger has of an item now.
    func claim(_ item: Item) throws(LedgerError) -> Claim {
        try claim(places: [item.seq])[0]
    }
}
