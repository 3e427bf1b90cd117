// SPDX-License-Identifier: MIT

internal import SluiceImaging
package import SluiceLedger
package import SluiceModel
package import SluiceTransfer

/// Processes the items of a run: photos of a feed by downloading them, local files by reading them.
package protocol ItemProcessing: Sendable {
    /// Returns the earlier receipt of an item that needs no work, judged by its ledger entry and file sizes.
    func keptReceipt(_ claim: Claim, for item: Item) -> Receipt?
    /// Returns the result of an item that is known without processing it; `nil` for other items.
    func knownResult(_ claim: Claim) -> ProcessedItem?
    /// Whether an earlier run did the item and its files are intact, so that a failure must not replace its receipt.
    func isDone(_ claim: Claim) -> Bool
    /// Returns the host whose slot the item needs.
    func host(of item: Item) -> String
    /// Processes an item. Its files are staged and still have to be committed.
    func process(_ item: Item, claim: Claim, slot: WorkPool.Slot) async -> ProcessedItem
}

extension ItemProcessing {
    package func knownResult(_ claim: Claim) -> ProcessedItem? { nil }

    package func isDone(_ claim: Claim) -> Bool { false }
}

extension Claim {
    /// Whether the item may have crashed the decoder.
    var isSuspect: Bool { crashes > 0 }

    /// Throws if the item has crashed the decoder twice, unless the quarantine is lifted.
    func checkQuarantine(lifted: Bool) throws(Failure) {
        guard crashes < 2 || lifted else {
            throw Failure(.quarantined, "crashed the decoder \(crashes) times", hint: .liftQuarantine)
        }
    }
}

extension Receipt {
    /// Whether the item is done.
    ///
    /// Salvaged pictures count only if the options allow them.
    func isDone(with options: ThumbnailOptions) -> Bool {
        state == .done && (failure == nil || options.salvages)
    }

    /// Whether the item is done, and its original is intact or, if there is none, its thumbnails are.
    func isDone(whereIntact isIntact: (StoredFile) -> Bool) -> Bool {
        state == .done && failure == nil && (original.map(isIntact) ?? thumbs.allSatisfy { isIntact($0.file) })
    }
}

extension ItemOutcome {
    /// Makes the outcome of an item that this run has processed.
    init(_ receipt: Receipt) {
        switch receipt.state {
        case .done: self = .done(receipt)
        case .skipped: self = .skipped(receipt)
        case .failed: self = .failed(receipt)
        }
    }
}
