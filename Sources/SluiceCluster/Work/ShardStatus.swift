// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel
internal import SluiceStore

/// Writes the progress of a shard to `status/00007.json` in the plan's folder, at most once a second, or every ten
/// seconds in a bucket.
///
/// Programs that start shards read it. If it cannot be written, the run continues.
final class ShardStatus: Sendable {
    static let folder = "status"

    private let interval: Duration
    private let shard: PlannedShard
    private let attempt: String
    private let state = Locked<(summary: Summary, written: ContinuousClock.Instant?)>((Summary(), nil))

    init(of shard: PlannedShard, attempt: String) {
        (self.shard, self.attempt) = (shard, attempt)
        // Each request to a bucket costs something.
        interval = S3Location.isLocation(shard.store.location) ? .seconds(10) : .seconds(1)
    }

    /// Counts an event; events arrive one at a time.
    func record(_ event: Event) {
        let now = ContinuousClock.now
        let isLast = if case .runFinished = event { true } else { false }
        let due = state.withLock { state -> Summary? in
            state.summary.count(event)
            guard isLast || state.written.map({ now - $0 >= interval }) ?? true else { return nil }
            state.written = now
            return state.summary
        }
        if let due { write(due) }
    }

    private func write(_ summary: Summary) {
        var writer = JSONWriter()
        writer.object { status in
            status.member("schema", 1)
            status.member("shard", shard.number)
            status.member("attempt", attempt)
            status.member("rows", shard.rows)
            status.member("ended", summary.ended)
            status.member("done", summary.done)
            status.member("kept", summary.kept)
            status.member("skipped", summary.skipped)
            status.member("failed", summary.failed)
            status.member("bytes", summary.bytesReceived)
            status.member("time", Machine.secondsSince1970)
        }
        writer.newline()
        let name = Plan.digits(shard.number)
        try? shard.store.write(
            writer.bytes, to: "\(Self.folder)/\(name).json", temporary: "\(Self.folder)/.\(name)-\(attempt)",
            durability: .none)
    }
}
