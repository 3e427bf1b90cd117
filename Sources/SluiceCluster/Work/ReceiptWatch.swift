// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceEngine
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Looks for the receipts of shards during a run: gives the run the shares of finished shards, and stops it if another
/// attempt has committed its own.
final class ReceiptWatch: RunStep {
    private let shard: PlannedShard
    private let interval: Duration
    private let shares: Locked<HostShares>
    private let stop: @Sendable () -> Void
    private let timer = Locked<RepeatingTimer?>(nil)

    /// Looks for receipts after each `interval`; by default every ten seconds, or every minute in a bucket, where each
    /// request costs something.
    init(
        of shard: PlannedShard, _ shares: HostShares, every interval: Duration?, stop: @escaping @Sendable () -> Void
    ) {
        let usual = Duration.seconds(S3Location.isLocation(shard.store.location) ? 60 : 10)
        (self.shard, self.interval, self.stop) = (shard, interval ?? usual, stop)
        self.shares = Locked(shares)
    }

    func check(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError) {
        try shard.checkUncommitted()
        let session = run.session
        let queue = DispatchQueue(label: "sluice.receipts")
        let timer = RepeatingTimer(every: .milliseconds(Int(interval / .milliseconds(1))), on: queue) { [weak self] in
            self?.look(session)
        }
        self.timer.withLock { $0 = timer }
    }

    func end(_ driver: RunDriver, in mirror: borrowing MirrorFolder) {
        timer.withLock { $0 = nil }
    }

    private func look(_ session: FeedSession?) {
        let finished = shard.committedShards()
        let counts = shares.withLock { $0.finish(finished) ? $0.counts : nil }
        if let counts { session?.setShares(counts) }
        if finished.contains(shard.number), (try? shard.isCommitted) == true { stop() }
    }
}
