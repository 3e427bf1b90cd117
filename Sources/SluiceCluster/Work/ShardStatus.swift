// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceLedger
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

/// Reads the photos of a shard in order, each with its result in an attempt's ledger.
struct ShardResultReader: ~Copyable {
    /// A planned photo, and its entry if the ledger has a result.
    typealias Result = (planned: PlannedItem, entry: LedgerEntry?)

    private let number: Int
    private var rows: RowFileReader
    private let attempt: AttemptResults?
    private var last = 0

    /// Opens a shard; without an attempt, no photo has a result.
    init(
        _ number: Int, of plan: Plan, in store: any Store, _ attempt: consuming AttemptResults?
    ) throws(MirrorError) {
        rows = try RowFileReader(number, of: plan, in: store)
        self.number = number
        self.attempt = attempt
    }

    /// Returns up to `count` further photos; none at the end.
    ///
    /// Throws if the ledger has other photos than the plan.
    mutating func next(_ count: Int) throws(MirrorError) -> [Result] {
        let planned = try rows.next(count)
        let end = planned.last?.item.seq ?? Int.max
        var entries: [Int: LedgerEntry] = [:]
        for entry in try recorded(max(1, planned.count)) where entry.item.seq <= end {
            entries[entry.item.seq] = entry
        }
        last = end
        var results: [Result] = []
        for row in planned {
            let entry = entries.removeValue(forKey: row.item.seq)
            guard entry.map({ $0.item.photo.id === row.item.photo.id }) ?? true else { break }
            results.append((row, entry?.receipt == nil ? nil : entry))
        }
        guard results.count == planned.count, entries.isEmpty else {
            throw MirrorError(.damaged, "cannot use the results of shard \(number): the ledger lists other photos")
        }
        return results
    }

    private func recorded(_ count: Int) throws(MirrorError) -> [LedgerEntry] {
        switch attempt {
        case .some(let attempt): try MirrorError.inLedger(attempt.ledger.entries(after: last, limit: count))
        case .none: []
        }
    }
}
