// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel
internal import SluiceStore

/// Closes shards: commits what their attempts have finished, so that the rest can be planned again.
///
/// A closed shard has a receipt like any other, so no attempt can commit it any more.
struct ShardClosing {
    let plan: Plan
    let store: any Store
    /// The mirror's folder, which holds the attempts.
    let destination: String
    let buckets: S3Options

    /// Returns the receipt of a shard, which is closed if it is not committed.
    ///
    /// Throws if a process works on it.
    func receipt(of number: Int) throws(MirrorError) -> ShardReceipt {
        if let receipt = try ShardReceipt(of: number, of: plan, in: store) { return receipt }
        try close(number)
        guard let receipt = try ShardReceipt(of: number, of: plan, in: store) else {
            throw MirrorError(.local, "cannot close shard \(number): '\(store.location)' does not keep its receipt")
        }
        return receipt
    }

    func attempts(at number: Int) throws(MirrorError) -> ShardAttempts {
        try ShardAttempts(of: number, of: plan, below: destination, buckets, create: true)
    }

    private func close(_ number: Int) throws(MirrorError) {
        let started = Machine.secondsSince1970
        let attempts = try attempts(at: number)
        var best: (attempt: String, ended: Int)?
        for attempt in try attempts.all() {
            guard let ended = try withResults(of: attempt, in: attempts, { _, counts, _ in counts.ended }) else {
                continue
            }
            if ended > best?.ended ?? 0 { best = (attempt, ended) }
        }
        guard let best else {
            let receipt = ShardReceipt(
                of: number, of: plan, attempt: nil, ledger: nil, counts: ShardCounts(), startedAt: started)
            _ = try receipt.writeIfFirst(to: store)
            return
        }
        // An attempt that has resumed in the meantime is counted again.
        _ = try withResults(of: best.attempt, in: attempts) { (results, counts, lock) throws(MirrorError) in
            try attempts.keep(results, in: lock)
            let receipt = ShardReceipt(
                of: number, of: plan, attempt: best.attempt, ledger: results.file, counts: counts, startedAt: started)
            _ = try receipt.writeIfFirst(to: store)
        }
    }

    /// Calls `body` with the results and the counts of an attempt, and its lock; returns `nil` if it has no usable
    /// ledger.
    private func withResults<Value>(
        of attempt: String, in attempts: ShardAttempts,
        _ body: (borrowing AttemptResults, ShardCounts, borrowing LocationLock) throws(MirrorError) -> Value
    ) throws(MirrorError) -> Value? {
        guard let lock = try attempts.lockSettled(attempt) else { return nil }
        let results = try attempts.results(of: attempt)
        guard let counts = try? ShardCounts(in: results.ledger) else { return nil }
        let value = try body(results, counts, lock)
        lock.release()
        return value
    }
}
