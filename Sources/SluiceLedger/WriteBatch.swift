// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What the ledger is asked to write down of an item.
enum Write: Sendable {
    case attempt(Int)
    case endOfAttempt(Int)
    case doubt(Int)
    case endOfDoubt(Int)
    case receipt(Int, Receipt)
}

/// The writes that came while an earlier batch was being written; they share one transaction and one flush.
///
/// So the more callers there are, the less each flush costs, and still none of them returns before its write is safe.
final class WriteBatch: Sendable {
    private struct State {
        var writes: [Write] = []
        /// Whether anything of it must outlive a power cut.
        var isFlushed = false
        var result: Result<Void, LedgerError>?
    }

    private let state = Locked(State())

    /// Adds to the batch; only while it is the ledger's current one.
    func add(_ writes: [Write], flushed: Bool) {
        state.withLock { state in
            state.writes += writes
            state.isFlushed = state.isFlushed || flushed
        }
    }

    /// Whether somebody has written it, well or not.
    var isWritten: Bool { state.withLock { $0.result != nil } }

    /// Writes everything; only once, and only when nobody adds any more.
    func write(to connection: Connection) {
        let (writes, isFlushed) = state.withLock { ($0.writes, $0.isFlushed) }
        let result: Result<Void, LedgerError>
        do throws(LedgerError) {
            try connection.transaction(flushed: isFlushed) { () throws(LedgerError) in
                for write in writes {
                    switch write {
                    case .attempt(let seq): try connection.receipts.beginAttempt(seq)
                    case .endOfAttempt(let seq): try connection.receipts.endAttempt(seq)
                    case .doubt(let seq): try connection.receipts.doubt(seq)
                    case .endOfDoubt(let seq): try connection.receipts.endDoubt(seq)
                    case .receipt(let seq, let receipt): try connection.receipts.record(receipt, seq)
                    }
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        state.withLock { $0 = State(result: result) }
    }

    /// Throws what the write ended with.
    func result() throws(LedgerError) {
        try state.withLock { $0.result }?.get()
    }
}
