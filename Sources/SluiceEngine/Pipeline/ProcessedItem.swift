// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceLedger
package import SluiceModel
internal import SluiceStore

/// The result of processing an item: its receipt and the staged files to commit.
package struct ProcessedItem: Sendable {
    var receipt = Receipt(.done)
    /// Staged files that have not got their final names yet.
    var files: [StagedFile] = []
    /// Files of earlier runs to remove after the commit, because the new files have other names.
    var obsoleteFiles: [StoredFile] = []
    /// Whether an earlier run did the item.
    var isKept = false
    /// How long each phase took.
    var timings = ItemTimings()
    /// Whether the ledger keeps the earlier receipt unless this item is done.
    var keepsEarlierReceipt = false
    /// Whether the files may replace files of an earlier run, so that a crash leaves the item in doubt.
    var replacesFiles = false
    /// The names of the item's files that are in the ledger, which the item may replace; `nil` if it may replace any.
    ///
    /// Other files are not Sluice's, or their receipts were lost. They are never replaced by other bytes.
    private var replaceableNames: TextSet?
    /// Whether files with the item's names may remain that the receipt omits.
    private var wasInDoubt = false

    /// The item's end, as reported to readers of events.
    package var end: ItemOutcome { isKept ? .kept(receipt) : ItemOutcome(receipt) }

    package init(_ receipt: Receipt = Receipt(.done), files: [StagedFile] = [], isKept: Bool = false) {
        (self.receipt, self.files, self.isKept) = (receipt, files, isKept)
    }

    /// Whether the receipt is recorded in the ledger.
    ///
    /// That of a cancelled item is not, so that the next run retries it.
    ///
    /// It is inlined, because the caller would otherwise copy the whole result to call it.
    @inline(__always) var isRecorded: Bool {
        !(keepsEarlierReceipt && receipt.state != .done) && receipt.failure?.cause != .cancelled
    }

    /// Determines which files of the earlier receipt the item replaces.
    mutating func compare(with claim: Claim) {
        let names = TextSet(claim.receipt?.files.map(\.path) ?? [])
        replacesFiles = files.contains { names.contains($0.name) }
        // A run that ended during the commit of this item may have left files that have no receipt.
        replaceableNames = claim.isInDoubt ? nil : names
        wasInDoubt = claim.isInDoubt
    }

    /// Returns the name of an existing file that the item must not replace, or `nil`; `sizes` are those of the store.
    func foreignFile(in store: any Store, _ sizes: any FileSizes) throws(FileError) -> String? {
        guard let replaceableNames else { return nil }
        for name in files.map(\.name) where !replaceableNames.contains(name) && sizes.size(of: name) != nil {
            guard let own = receipt.files.first(where: { $0.path === name }), try store.contains(own) else {
                return name
            }
        }
        return nil
    }

    /// Whether a later run may replace files with the item's names, although this receipt omits them.
    func leavesFiles(in store: any Store) -> Bool {
        if wasInDoubt, receipt.state != .done { return true }
        guard let replaceableNames, !replaceableNames.isEmpty else { return false }
        let kept = TextSet((receipt.files + obsoleteFiles).map(\.path))
        return replaceableNames.sorted().contains { !kept.contains($0) && store.size(of: $0) != nil }
    }

    /// Removes committed files from `files`.
    ///
    /// Returns the first failure of the others.
    mutating func settleFiles(_ failures: [StagedFile: FileError]) -> FileError? {
        files.removeAll { failures[$0] == nil }
        return files.first.flatMap { failures[$0] }
    }

    /// Deletes staged files whose final names already refer to the same bytes.
    mutating func discardFiles(named names: TextSet, in store: any Store) {
        for file in files where names.contains(file.name) { store.discard(file) }
        files.removeAll { names.contains($0.name) }
    }

    /// Removes the staged original from the result.
    mutating func dropOriginal() {
        files.removeAll { $0.name === receipt.original?.path }
        receipt.original = nil
    }

    /// Removes all files from the result, and deletes those that are staged.
    mutating func dropPictures(from store: any Store) {
        for file in files { store.discard(file) }
        files = []
        (receipt.original, receipt.sidecar, receipt.thumbs) = (nil, nil, [])
    }

    /// Turns the result into a failure without the files that are still staged.
    mutating func fail(with failure: Failure) {
        let lost = TextSet(files.map(\.name))
        if let path = receipt.original?.path, lost.contains(path) { receipt.original = nil }
        if let path = receipt.sidecar?.path, lost.contains(path) { receipt.sidecar = nil }
        receipt.thumbs.removeAll { lost.contains($0.file.path) }
        receipt.end(with: failure)
        isKept = false
        obsoleteFiles = []
    }
}
