// SPDX-License-Identifier: MIT

import SluiceLedger
import SluiceModel

extension Ledger {
    /// Claims a page and returns only its items.
    func items(
        of page: Page, in run: LedgerRun, naming: NameTemplate? = nil, noting note: (Photo) -> Void = { _ in }
    ) throws(LedgerError) -> [Item] {
        try claim(page, in: run, naming: naming, noting: note).map(\.item)
    }

    /// Returns the current claim of an item.
    func claim(_ item: Item) throws(LedgerError) -> Claim {
        try claim(positions: [item.seq])[0]
    }
}
