// SPDX-License-Identifier: MIT

internal import SluiceLedger
package import SluiceModel
internal import SluiceStore

extension MirrorFolder {
    /// Records a done photo as skipped, then removes its files.
    ///
    /// It is in doubt in between, so that the files of a killed run are known to be left over.
    package borrowing func drop(_ item: Item, _ receipt: Receipt, because failure: Failure) throws(MirrorError) {
        var skipped = receipt
        (skipped.state, skipped.failure) = (.skipped, failure)
        (skipped.original, skipped.sidecar, skipped.thumbs, skipped.stamp) = (nil, nil, [], nil)
        try MirrorError.inLedger(ledger.record([(item, skipped)], inDoubt: [item]))
        try MirrorError.onDisk(store.remove(receipt.files.map(\.path), durability: .batch))
        try MirrorError.inLedger(ledger.clearDoubt(about: item))
    }
}
