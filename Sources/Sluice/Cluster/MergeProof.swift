// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// A shard to merge: its committed attempt has all files of its results.
struct MergedShard: Sendable {
    let wave: Wave
    let number: Int
    /// The attempt's folder, relative to the mirror's; `nil` if no photo has a result.
    let attempt: String?
}

/// Proves that the shards of a plan and of the plans of its leftovers are complete, before anything is merged.
struct MergeProof {
    /// The shards of the last plan without a receipt.
    private(set) var missing: [Int] = []
    /// The number of photos that the last plan has left to a further one.
    private(set) var left = 0
    private(set) var shards: [MergedShard] = []
    private(set) var counts = ShardCounts()
    private var proven: PositionSet

    private static let batchSize = 1000

    /// Checks all shards; with `isDeep` it reads every file and compares it with its digest.
    ///
    /// Throws if a committed shard is damaged.
    init(
        of waves: [Wave], below destination: String, isDeep: Bool, token: CancellationToken
    ) throws(MirrorError) {
        let rows = waves[0].plan.rows
        proven = PositionSet(upTo: rows)
        for (index, wave) in waves.enumerated() {
            left = 0
            for number in wave.plan.shards.indices {
                try RowFileReader.check(number, of: wave.plan, in: wave.store)
                guard let receipt = try ShardReceipt(of: number, of: wave.plan, in: wave.store) else {
                    guard index == waves.count - 1 else {
                        throw MirrorError(
                            .damaged, "cannot merge shard \(number) of '\(wave.store.location)': its receipt is missing"
                        )
                    }
                    missing.append(number)
                    shards.append(MergedShard(wave: wave, number: number, attempt: nil))
                    continue
                }
                try prove(receipt, of: wave, below: destination, isDeep: isDeep, token)
                left += receipt.counts.waiting
                guard !token.isCancelled else { return }
            }
        }
        let expected = rows - left - missing.reduce(0) { $0 + waves[waves.count - 1].plan.shards[$1].rows }
        guard proven.count == expected else {
            throw MirrorError(
                .damaged, "cannot merge: \(expected) photos should have a result, and \(proven.count) have one")
        }
    }

    private mutating func prove(
        _ receipt: ShardReceipt, of wave: Wave, below destination: String, isDeep: Bool, _ token: CancellationToken
    ) throws(MirrorError) {
        let number = receipt.shard
        guard let attempt = receipt.attempt else {
            shards.append(MergedShard(wave: wave, number: number, attempt: nil))
            return
        }
        let attempts = try ShardAttempts(of: number, of: wave.plan, below: destination)
        let name = "\(ShardAttempts.name(of: number, of: wave.plan))/\(attempt)"
        let folder: Folder
        do throws(FileError) { folder = try attempts.folder.folder(attempt) } catch {
            throw MirrorError(.damaged, "cannot merge shard \(number): its files are missing: \(error)")
        }
        guard try attempts.ledger(of: folder) == receipt.ledger else {
            throw MirrorError(
                .damaged, "cannot merge shard \(number): \(destination)/\(name) has changed after it was committed")
        }
        let ended = counts.ended
        try proveResults(of: wave, number, in: folder, FileCheck(in: LocalStore(folder), token: token), isDeep: isDeep)
        guard counts.ended - ended == wave.plan.shards[number].rows - receipt.counts.waiting else {
            throw MirrorError(.damaged, "cannot merge shard \(number): it does not have one result for each photo")
        }
        shards.append(MergedShard(wave: wave, number: number, attempt: name))
    }

    /// Counts the results of a shard, and looks up the files of each.
    private mutating func proveResults(
        of wave: Wave, _ number: Int, in attempt: Folder, _ check: FileCheck, isDeep: Bool
    ) throws(MirrorError) {
        var reader = try ShardResultReader(number, of: wave.plan, in: wave.store, attempt: attempt)
        let sizes = LocalStore(attempt).sizes()
        while case let results = try reader.next(Self.batchSize), !results.isEmpty {
            for entry in results.compactMap(\.entry) {
                guard proven.insert(entry.item.seq) else {
                    throw MirrorError(
                        .damaged, "cannot merge shard \(number): photo \(entry.item.seq) has a second result")
                }
                counts.add(entry)
                for expected in ExpectedFile.all(of: entry) {
                    let path = expected.file.path
                    let isIntact =
                        isDeep ? check.fault(of: expected) == nil : sizes.size(of: path) == expected.file.bytes
                    if isIntact { continue }
                    throw MirrorError(
                        .damaged, "cannot merge shard \(number): \(attempt.fullPath(of: path)) is missing or damaged")
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
