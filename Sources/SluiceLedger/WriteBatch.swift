// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A write about one item, identified by its position, or about an intention.
enum PendingWrite: Sendable {
    case crash(Int)
    case clearedCrashes(Int)
    case doubt(Int)
    case clearedDoubt(Int)
    case receipt(Int, Receipt)
    case intention(Intention)
    case endedIntention(Intention)
}

/// The writes collected while the previous batch was being written; they share one transaction and one flush.
///
/// With more concurrent callers, each flush serves more writes. No caller returns before its write is durable.
final class WriteBatch: Sendable {
    private struct State {
        var writes: [PendingWrite] = []
        /// Whether any of the writes must survive a power failure.
        var isFlushed = false
        var result: Result<Void, LedgerError>?
    }

    private let state = Locked(State())

    /// Adds writes; call it only while this is the ledger's current batch.
    func add(_ writes: [PendingWrite], flushed: Bool) {
        state.withLock { state in
            state.writes += writes
            state.isFlushed = state.isFlushed || flushed
        }
    }

    /// Whether the batch was written, successfully or not.
    var isWritten: Bool { state.withLock { $0.result != nil } }

    /// Writes the batch; call it only once, after the last addition.
    func write(to connection: LedgerConnection) {
        let (writes, isFlushed) = state.withLock { ($0.writes, $0.isFlushed) }
        let result: Result<Void, LedgerError>
        do throws(LedgerError) {
            try connection.transaction(flushed: isFlushed) { () throws(LedgerError) in
                for write in writes {
                    switch write {
                    case .crash(let seq): try connection.receipts.recordCrash(seq)
                    case .clearedCrashes(let seq): try connection.receipts.clearCrashes(seq)
                    case .doubt(let seq): try connection.receipts.markInDoubt(seq)
                    case .clearedDoubt(let seq): try connection.receipts.clearDoubt(seq)
                    case .receipt(let seq, let receipt): try connection.receipts.record(receipt, seq)
                    case .intention(let intention): try connection.intentions.begin(intention)
                    case .endedIntention(let intention): try connection.intentions.end(intention)
                    }
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        state.withLock { $0 = State(result: result) }
    }

    /// Throws the error of the write, if it failed.
    func result() throws(LedgerError) {
        try state.withLock { $0.result }?.get()
    }
}
