// SPDX-License-Identifier: MIT

package import SluiceLedger
package import SluiceModel
package import SluiceStore

extension Ledger {
    /// Records a done photo as skipped, then removes its files from the mirror's store.
    ///
    /// It is in doubt in between, so that the files of a killed run are known to be left over.
    package func drop(
        _ item: Item, _ receipt: Receipt, because failure: Failure, from store: any Store
    ) throws(MirrorError) {
        var skipped = receipt
        (skipped.state, skipped.failure) = (.skipped, failure)
        (skipped.original, skipped.sidecar, skipped.thumbs, skipped.stamp) = (nil, nil, [], nil)
        try MirrorError.inLedger(record([(item, skipped)], inDoubt: [item]))
        try MirrorError.onDisk(store.remove(receipt.files.map(\.path), durability: .batch))
        try MirrorError.inLedger(clearDoubt(about: item))
    }
}
