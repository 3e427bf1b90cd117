// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceLedger
public import SluiceModel

/// The results of a run that mirrors a lock, except those that the ledger has.
///
/// The receipt of a photo that an earlier run has stored stays as it is if the photo has gone since.
public final class LockRun: Sendable {
    private struct State {
        var failures: TextMap<Failure> = [:]
        var kept = 0
        var others = 0
    }

    private let state = Locked(State())

    /// Knows of no results.
    public init() {}

    /// Records an event of the run.
    public func record(_ event: Event) {
        switch event {
        case .pageFailed: state.withLock { $0.others += 1 }
        case .itemEnded(_, .kept): state.withLock { $0.kept += 1 }
        case .itemEnded(let item, .failed) where item.photo.invalidReason != nil:
            state.withLock { $0.others += 1 }
        case .itemEnded(let item, .failed(let receipt)), .itemEnded(let item, .skipped(let receipt)):
            let failure = receipt.failure ?? Failure(.deferred, "")
            state.withLock { $0.failures[item.photo.id] = failure }
        default: break
        }
    }

    /// The number of photos that the run kept because the mirror had them.
    public var keptCount: Int { state.withLock(\.kept) }

    /// Whether something failed that is no photo of the lock: an invalid line, or the reading of the file.
    public var hasOtherFailures: Bool { state.withLock { $0.others > 0 } }

    /// The receipt of a photo, or that of its failure in the run; `nil` if there is none.
    func receipt(of photo: LockedPhoto, in ledger: Ledger) throws(MirrorError) -> Receipt? {
        if let failure = state.withLock({ $0.failures[photo.url] }) { return Receipt(.failed, failure: failure) }
        return try MirrorError.inLedger(ledger.receipt(ofListedPhoto: photo.url))
    }
}
