// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceModel

// Between a file's new name and its receipt the process may end: then another file stands there than the ledger tells
// of, and its size may be the same.

extension EndWriter {
    /// Has the ledger know of items whose files are about to be replaced; their receipts take that back.
    func doubt(_ items: [Item], flushed: Bool) throws(MirrorError) {
        guard !items.isEmpty else { return }
        try MirrorError.inLedger(ledger.doubt(items, flushed: flushed))
    }

    /// What is to be believed of an earlier run's receipt: all of it, unless the process ended over the item.
    ///
    /// Then files that are not what the receipt tells are taken out of it.
    func believed(_ claim: Claim) -> Claim {
        guard claim.isInDoubt, claim.receipt != nil else { return claim }
        let check = FileCheck(in: folder, token: Token())
        let expected = ExpectedFile.all(of: Entry(item: claim.item, receipt: claim.receipt))
        let changed = Set(expected.compactMap(check.fault).filter { $0.kind == .changed }.map(\.path))
        var claim = claim
        if let path = claim.receipt?.original?.path, changed.contains(path) { claim.receipt?.original = nil }
        claim.receipt?.thumbs.removeAll { changed.contains($0.file.path) }
        return claim
    }
}
