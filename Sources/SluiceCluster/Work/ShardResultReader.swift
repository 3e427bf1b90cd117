// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

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

    /// Returns the next entries of the ledger.
    private func recorded(_ count: Int) throws(MirrorError) -> [LedgerEntry] {
        switch attempt {
        case .some(let attempt): try MirrorError.inLedger(attempt.ledger.entries(after: last, limit: count))
        case .none: []
        }
    }
}
