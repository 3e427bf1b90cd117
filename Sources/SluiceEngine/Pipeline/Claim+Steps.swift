// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceLedger
package import SluiceModel

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
        state == .done && (failure == nil || isUndecodable)
            && (original.map(isIntact) ?? thumbs.allSatisfy { isIntact($0.file) })
    }
}

extension Failure {
    /// Why a photo that the user rejected in the gallery has no files.
    package static let rejected = Failure(.policy, "rejected by the user")
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
