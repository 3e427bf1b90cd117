// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// A shard to merge: its committed attempt has all files of its results.
struct MergedShard: Sendable {
    let opened: OpenedPlan
    let number: Int
    /// The committed attempt; `nil` if no photo has a result.
    let committed: (attempts: ShardAttempts, attempt: String, receipt: ShardReceipt)?

    func reader() throws(MirrorError) -> ShardResultReader {
        guard let (attempts, _, receipt) = committed else {
            return try ShardResultReader(number, of: opened.plan, in: opened.store, nil)
        }
        let results = try attempts.results(committedBy: receipt, orThrow: "cannot merge shard \(number)")
        return try ShardResultReader(number, of: opened.plan, in: opened.store, results)
    }
}

/// Proves that the shards of a plan, of those that were appended to it, and of their leftovers are complete, before
/// anything is merged.
struct MergeProof {
    /// The shards of the last plan without a receipt.
    private(set) var missing: [Int] = []
    /// The number of photos that have no result after the last plan.
    private(set) var left = 0
    /// The number of photos of the mirror.
    let rows: Int
    /// The plans whose photos an earlier merge has joined.
    let merged: CertifiedPlans
    private(set) var shards: [MergedShard] = []
    private(set) var counts = ShardCounts()
    /// The positions of the photos that have a result.
    private var proven = PositionSet()

    private static let batchSize = 1000

    /// Checks all shards, and the photos of an earlier merge; with `isDeep` it reads every file and compares it with
    /// its digest.
    ///
    /// Throws if a committed shard is damaged.
    init(
        of plans: [OpenedPlan], below destination: String, _ buckets: S3Options, isDeep: Bool,
        token: CancellationToken
    ) throws(MirrorError) {
        let certified = try CertifiedPlans(at: destination, buckets)
        let groups = OpenedPlan.groups(plans).filter { !certified.contains($0[0].plan) }
        guard let first = groups.first?.first else {
            throw MirrorError(.locked, "cannot merge into '\(destination)': another merge has finished it")
        }
        merged = try Self.merged(certified, before: first, in: destination)
        rows = groups.reduce(merged.rows) { $0 + $1[0].plan.rows }
        // A plan may claim any number of rows. They are counted before anything of that size is allocated.
        for opened in groups.joined() {
            for number in opened.plan.shards.indices where !token.isCancelled {
                try RowFileReader.check(number, of: opened.plan, in: opened.store)
            }
        }
        if merged.rows > 0 { try proveMerged(in: destination, buckets, isDeep: isDeep, token) }
        for group in groups {
            try checkComplete(before: group[0])
            try prove(group, below: destination, buckets, isDeep: isDeep, token)
            guard !token.isCancelled else { return }
        }
        let last = groups[groups.count - 1]
        let expected = rows - left - missing.reduce(0) { $0 + last[last.count - 1].plan.shards[$1].rows }
        guard proven.count == expected else {
            throw MirrorError(
                .damaged, "cannot merge: \(expected) photos should have a result, and \(proven.count) have one")
        }
    }

    /// Returns the plans that the mirror has already, if the first new one was appended to them.
    private static func merged(
        _ certified: CertifiedPlans, before first: OpenedPlan, in destination: String
    ) throws(MirrorError) -> CertifiedPlans {
        guard let base = first.plan.appendedTo else { return CertifiedPlans() }
        guard certified.sources.last?.plan == base else {
            throw MirrorError(
                .usage,
                "cannot merge '\(first.store.location)': it was appended to another plan, which is not the last one in "
                    + "'\(destination)'; name that plan first")
        }
        return certified
    }

    /// Throws if the plans before this one have photos without a result.
    private func checkComplete(before next: OpenedPlan) throws(MirrorError) {
        guard !missing.isEmpty || left > 0 else { return }
        throw MirrorError(
            .usage,
            "cannot merge '\(next.store.location)': the plan before it has unfinished shards; finish them, or merge that "
                + "plan alone")
    }

    /// Checks a plan and those of its leftovers.
    private mutating func prove(
        _ plans: [OpenedPlan], below destination: String, _ buckets: S3Options, isDeep: Bool, _ token: CancellationToken
    ) throws(MirrorError) {
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
                left.add(receipt.counts.waiting)
                guard !token.isCancelled else { return }
            }
        }
    }

    /// Checks the photos of an earlier merge, with their files.
    private mutating func proveMerged(
        in destination: String, _ buckets: S3Options, isDeep: Bool, _ token: CancellationToken
    ) throws(MirrorError) {
        let mirror = try MirrorFolder.open(reading: destination, buckets: buckets)
        let check = FileProof(in: mirror.store, isDeep: isDeep, token)
        var last = 0
        while last < merged.rows, !token.isCancelled {
            let entries = try MirrorError.inLedger(mirror.ledger.entries(after: last, limit: Self.batchSize))
            guard let end = entries.last?.item.seq else { break }
            last = end
            for entry in entries where entry.item.seq <= merged.rows && entry.receipt != nil {
                _ = prove(entry.item.seq)
                counts.add(entry)
                guard let path = check.damagedFile(of: entry) else { continue }
                throw MirrorError(
                    .damaged, "cannot merge: \(destination)/\(path) of an earlier merge is missing or damaged")
            }
        }
        guard proven.count == merged.rows || token.isCancelled else {
            throw MirrorError(
                .damaged,
                "cannot merge: '\(destination)' has \(proven.count) of the \(merged.rows) photos of an earlier merge")
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
        guard receipt.files.isEmpty else {
            throw MirrorError(
                .usage, "cannot merge shard \(number) into a mirror: it was committed as a piece of a dataset")
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

    /// Adds a position; returns `false` if it is out of range or has a result already.
    private mutating func prove(_ position: Int) -> Bool {
        position >= 1 && position <= rows && proven.insert(position)
    }

    /// Counts the results of a shard, and looks up the files of each.
    private mutating func prove(
        _ reader: consuming ShardResultReader, of shard: Int, _ files: any Store, isDeep: Bool,
        _ token: CancellationToken
    ) throws(MirrorError) {
        let check = FileProof(in: files, isDeep: isDeep, token)
        while case let results = try reader.next(Self.batchSize), !results.isEmpty {
            for case let (planned, entry?) in results {
                guard entry.receipt.map({ OutputPath.matches($0, named: planned.name) }) ?? true else {
                    throw MirrorError(
                        .damaged, "cannot merge shard \(shard): photo \(entry.item.seq) has files of another name")
                }
                guard prove(entry.item.seq) else {
                    throw MirrorError(
                        .damaged, "cannot merge shard \(shard): photo \(entry.item.seq) has a second result")
                }
                counts.add(entry)
                guard let path = check.damagedFile(of: entry) else { continue }
                throw MirrorError(
                    .damaged, "cannot merge shard \(shard): \(files.location)/\(path) is missing or damaged")
            }
        }
    }
}

/// Compares the files of results with their recorded sizes, or with their digests as well.
private struct FileProof {
    private let sizes: any FileSizes
    private let check: FileCheck
    private let isDeep: Bool

    init(in files: any Store, isDeep: Bool, _ token: CancellationToken) {
        (sizes, check, self.isDeep) = (files.sizes(), FileCheck(in: files, token: token), isDeep)
    }

    /// Returns the path of the first file that is missing or damaged.
    func damagedFile(of entry: LedgerEntry) -> String? {
        ExpectedFile.all(of: entry).first { expected in
            isDeep
                ? check.fault(of: expected) != nil : sizes.size(of: expected.file.path) != expected.file.bytes
        }?.file.path
    }
}
