// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

// The sidecars of originals. They are composed for every item and compared with the receipt, so that new facts of the
// feed reach them.

extension ItemPipeline {
    /// Stages the sidecar of an item that is done, unless the existing one is current or was edited.
    ///
    /// An item that has a sidecar keeps it current without the option.
    @inline(never) func addSidecar(to result: inout ProcessedItem, of claim: Claim) throws(Failure) {
        guard result.receipt.state == .done, let original = result.receipt.original else { return }
        let earlier = claim.receipt?.sidecar
        guard options.writesSidecars || earlier != nil else { return }
        // The ledger also has the facts of adopted sidecars.
        let photo = try Failure.inLedger(ledger.entry(at: claim.item.seq))?.item.photo ?? claim.item.photo
        let bytes = PhotoXMP(of: photo, at: result.receipt.url).sidecar
        let file = StoredFile(
            path: PhotoXMP.path(of: original), bytes: bytes.count, sha256: SHA256.digest(of: bytes))
        if let earlier, earlier.path !== file.path { result.obsoleteFiles.append(earlier) }
        result.receipt.sidecar = earlier?.path === file.path ? earlier : nil
        guard earlier != file || !isIntact(file) else { return }
        guard mayWrite(file, after: earlier, claim) else {
            if result.receipt.sidecar == nil {
                recorder.record(.itemNoted(claim.item, "its sidecar is not written: \(file.path) is another program's"))
            }
            return
        }
        result.files.append(
            try Failure.onDisk(
                store.stage(bytes, as: file.path, temporary: "\(claim.item.seq)-xmp", durability: options.durability)))
        result.receipt.sidecar = file
    }

    /// Whether the sidecar's name is free, or has an unchanged file of an earlier run, or this very one.
    ///
    /// Photo managers write their own facts to the same file. Only a repair replaces that. A run that lacks the results
    /// of a killed one finds its sidecars without a receipt.
    private func mayWrite(_ file: StoredFile, after earlier: StoredFile?, _ claim: Claim) -> Bool {
        if fileSizes.size(of: file.path) == nil || broken.contains(file.path) || claim.isInDoubt { return true }
        let known = earlier.map { $0.path === file.path ? $0 : file } ?? file
        return (try? store.contains(known)) == true
    }
}
