// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// A shard to merge: its committed attempt has all files of its results.
struct MergedShard: Sendable {
    let opened: OpenedPlan
    let number: Int
    /// The committed attempt; `nil` if no photo has a result.
    let committed: (attempts: ShardAttempts, attempt: String, receipt: ShardReceipt)?

    /// Reads the photos with their results.
    func reader() throws(MirrorError) -> ShardResultReader {
        guard let (attempts, _, receipt) = committed else {
            return try ShardResultReader(number, of: opened.plan, in: opened.store, nil)
        }
        let results = try attempts.results(committedBy: receipt, orThrow: "cannot merge shard \(number)")
        return try ShardResultReader(number, of: opened.plan, in: opened.store, results)
    }
}

/// Proves that the shards of a plan and of the plans of its leftovers are complete, before anything is merged.
struct MergeProof {
    /// The shards of the last plan without a receipt.
    private(set) var missing: [Int] = []
    /// The number of photos that have no result after the last plan.
    private(set) var left = 0
    private(set) var shards: [MergedShard] = []
    private(set) var counts = ShardCounts()
    private var proven: PositionSet

    private static let batchSize = 1000

    /// Checks all shards; with `isDeep` it reads every file and compares it with its digest.
    ///
    /// Throws if a committed shard is damaged.
    init(
        of plans: [OpenedPlan], below destination: String, _ buckets: S3Options, isDeep: Bool,
        token: CancellationToken
    ) throws(MirrorError) {
        let rows = plans[0].plan.rows
        // A plan may claim any number of rows. They are counted before anything of that size is allocated.
        for opened in plans {
            for number in opened.plan.shards.indices where !token.isCancelled {
                try RowFileReader.check(number, of: opened.plan, in: opened.store)
            }
        }
        proven = PositionSet(upTo: token.isCancelled ? 0 : rows)
        for (index, opened) in plans.enumerated() {
            left = 0
            for number in opened.plan.shards.indices {
                guard let receipt = try ShardReceipt(of: number, of: opened.plan, in: opened.store) else {
                    guard index == plans.count - 1 else {
                        throw MirrorError(
                            .damaged,
                            "cannot merge shard \(number) of '\(opened.store.location)': its receipt is missing"
                        )
                    }
                    missing.append(number)
                    shards.append(MergedShard(opened: opened, number: number, committed: nil))
                    continue
                }
                try prove(receipt, of: opened, below: destination, buckets, isDeep: isDeep, token)
                left += receipt.counts.waiting
                guard !token.isCancelled else { return }
            }
        }
        let expected = rows - left - missing.reduce(0) { $0 + plans[plans.count - 1].plan.shards[$1].rows }
        guard proven.count == expected else {
            throw MirrorError(
                .damaged, "cannot merge: \(expected) photos should have a result, and \(proven.count) have one")
        }
    }

    private mutating func prove(
        _ receipt: ShardReceipt, of opened: OpenedPlan, below destination: String, _ buckets: S3Options,
        isDeep: Bool, _ token: CancellationToken
    ) throws(MirrorError) {
        let number = receipt.shard
        guard let attempt = receipt.attempt else {
            shards.append(MergedShard(opened: opened, number: number, committed: nil))
            return
        }
        let attempts = try ShardAttempts(of: number, of: opened.plan, below: destination, buckets)
        let results = try attempts.results(committedBy: receipt, orThrow: "cannot merge shard \(number)")
        let reader = try ShardResultReader(number, of: opened.plan, in: opened.store, results)
        let ended = counts.ended
        try prove(reader, of: number, attempts.files(of: attempt), isDeep: isDeep, token)
        guard counts.ended - ended == opened.plan.shards[number].rows - receipt.counts.waiting else {
            throw MirrorError(.damaged, "cannot merge shard \(number): it does not have one result for each photo")
        }
        shards.append(MergedShard(opened: opened, number: number, committed: (attempts, attempt, receipt)))
    }

    /// Counts the results of a shard, and looks up the files of each.
    private mutating func prove(
        _ reader: consuming ShardResultReader, of shard: Int, _ files: any Store, isDeep: Bool,
        _ token: CancellationToken
    ) throws(MirrorError) {
        let (sizes, check) = (files.sizes(), FileCheck(in: files, token: token))
        while case let results = try reader.next(Self.batchSize), !results.isEmpty {
            for case let (planned, entry?) in results {
                guard entry.receipt.map({ OutputPath.matches($0, named: planned.name) }) ?? true else {
                    throw MirrorError(
                        .damaged, "cannot merge shard \(shard): photo \(entry.item.seq) has files of another name")
                }
                guard proven.insert(entry.item.seq) else {
                    throw MirrorError(
                        .damaged, "cannot merge shard \(shard): photo \(entry.item.seq) has a second result")
                }
                counts.add(entry)
                for expected in ExpectedFile.all(of: entry) {
                    let path = expected.file.path
                    let isIntact =
                        isDeep ? check.fault(of: expected) == nil : sizes.size(of: path) == expected.file.bytes
                    if isIntact { continue }
                    throw MirrorError(
                        .damaged,
                        "cannot merge shard \(shard): \(files.location)/\(path) is missing or damaged")
                }
            }
        }
    }
}

/// The positions of photos that have a result: one bit for each.
private struct PositionSet {
    private var words: [UInt64]
    private let end: Int
    private(set) var count = 0

    /// Makes an empty set of positions from 1.
    init(upTo end: Int) {
        self.end = end
        words = Array(repeating: 0, count: end / 64 + 1)
    }

    /// Adds a position; returns `false` if it is out of range or in the set already.
    mutating func insert(_ position: Int) -> Bool {
        guard position >= 1, position <= end, words[position / 64] & (1 << (position % 64)) == 0 else { return false }
        words[position / 64] |= 1 << (position % 64)
        count += 1
        return true
    }
}
