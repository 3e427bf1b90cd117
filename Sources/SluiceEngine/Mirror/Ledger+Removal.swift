// SPDX-License-Identifier: MIT

package import SluiceLedger
package import SluiceModel
package import SluiceStore

// Photos leave the mirror in one order: a transaction takes their files from the receipts and records the intention to
// remove them, then the files are removed, and then manifest and gallery are written.

extension Ledger {
    /// The number of photos that one transaction withdraws.
    private static let withdrawnTogether = 256

    /// Records photos as skipped, and removes their files from the mirror's store.
    package func drop(
        _ photos: [(entry: LedgerEntry, failure: Failure)], from store: any Store
    ) throws(MirrorError) {
        for start in stride(from: 0, to: photos.count, by: Self.withdrawnTogether) {
            let batch = Array(photos[start..<min(start + Self.withdrawnTogether, photos.count)])
            _ = try finish(MirrorError.inLedger(withdraw(batch)), in: store)
        }
    }

    /// Removes the files of intentions, except for those that their items have again.
    ///
    /// Returns the number of files that remain because another writer has changed them.
    package func finish(_ removals: [Intention], in store: any Store) throws(MirrorError) -> Int {
        var files: [StoredFile] = []
        for case .removeFile(let file, let seq) in removals where try !MirrorError.inLedger(keeps(file, of: seq)) {
            files.append(file)
        }
        let changed = try MirrorError.inMirror(store.removeUnchanged(files, durability: .batch))
        try MirrorError.inLedger(end(removals))
        return changed.count
    }

    /// Removes the files that a killed command would have removed.
    ///
    /// A file that cannot be removed now remains an intention, which a verification reports. It prevents no other work.
    func finishRemovals(in store: any Store) throws(MirrorError) {
        let removals = try MirrorError.inLedger(intentions()).filter { $0 != .writeOutput }
        guard !removals.isEmpty else { return }
        do throws(MirrorError) { _ = try finish(removals, in: store) } catch {
            for removal in removals { _ = try? finish([removal], in: store) }
        }
    }
}
