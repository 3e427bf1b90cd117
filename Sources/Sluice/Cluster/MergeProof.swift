// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// A shard whose committed attempt has one result and all files for each planned photo.
struct ProvenShard: Sendable {
    let number: Int
    /// The attempt's folder, relative to the mirror's.
    let attempt: String
    /// The digest of its ledger, from the receipt.
    let ledgerSHA256: String
}

/// Proves that the shards of a plan are complete, before anything is merged.
struct MergeProof {
    /// The shards without a receipt.
    private(set) var missing: [Int] = []
    private(set) var shards: [ProvenShard] = []
    private(set) var counts = ShardCounts()

    private static let batchSize = 1000

    /// Checks all shards; with `isDeep` it reads every file and compares it with its digest.
    ///
    /// Throws if a committed shard is damaged.
    init(
        of plan: Plan, in store: any Store, below destination: String, isDeep: Bool, token: CancellationToken
    ) throws(MirrorError) {
        for number in plan.shards.indices {
            guard let receipt = try ShardReceipt(of: number, of: plan, in: store) else {
                missing.append(number)
                continue
            }
            try RowFileReader.check(number, of: plan, in: store)
            let attempts = try ShardAttempts(of: number, of: plan, below: destination)
            let attempt = "\(ShardAttempts.name(of: number, of: plan))/\(receipt.attempt)"
            let folder: Folder
            do throws(FileError) { folder = try attempts.folder.folder(receipt.attempt) } catch {
                throw MirrorError(.damaged, "cannot merge shard \(number): its files are missing: \(error)")
            }
            guard try attempts.ledger(of: folder) == receipt.ledger else {
                throw MirrorError(
                    .damaged,
                    "cannot merge shard \(number): \(destination)/\(attempt) has changed after it was committed")
            }
            let check = FileCheck(in: LocalStore(folder), token: token)
            try proveShard(number, of: plan, in: store, attempt: folder, check: isDeep ? check : nil)
            shards.append(
                ProvenShard(number: number, attempt: attempt, ledgerSHA256: receipt.ledger.sha256))
            guard !token.isCancelled else { return }
        }
    }

    /// Compares the rows of a shard with the entries of the attempt's ledger, and looks up the files of each.
    private mutating func proveShard(
        _ number: Int, of plan: Plan, in store: any Store, attempt: Folder, check: FileCheck?
    ) throws(MirrorError) {
        var rows = try RowFileReader(number, of: plan, in: store)
        let ledger = try MirrorError.inLedger(Ledger(reading: attempt))
        defer { ledger.close() }
        let sizes = LocalStore(attempt).sizes()
        var last = 0
        while true {
            let planned = try rows.next(Self.batchSize)
            let entries = try MirrorError.inLedger(ledger.entries(after: last, limit: Self.batchSize))
            last = entries.last?.item.seq ?? last
            guard planned.map(\.item.seq) == entries.map(\.item.seq),
                planned.map(\.item.photo.id) == entries.map(\.item.photo.id),
                entries.allSatisfy({ $0.receipt != nil })
            else {
                throw MirrorError(.damaged, "cannot merge shard \(number): it does not have one result for each photo")
            }
            for entry in entries {
                counts.add(entry)
                for expected in ExpectedFile.all(of: entry) {
                    let path = expected.file.path
                    let isIntact =
                        check.map { $0.fault(of: expected) == nil } ?? (sizes.size(of: path) == expected.file.bytes)
                    if isIntact { continue }
                    throw MirrorError(
                        .damaged,
                        "cannot merge shard \(number): \(attempt.fullPath(of: path)) is missing or damaged")
                }
            }
            guard !planned.isEmpty else { return }
        }
    }
}
