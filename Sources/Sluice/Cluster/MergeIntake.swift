// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Lists the photos of all shards, and submits those that have a result.
struct MergeIntake: Intake {
    /// The number of photos that are claimed together.
    private static let batchSize = 256

    /// The number of photos of all shards.
    let rows: Int
    let shards: [MergedShard]
    let results: ShardResults
    var keepsEarlierReceipts: Bool { false }

    func submitItems(to driver: RunDriver) async -> Bool {
        driver.record(.pageRequested(number: 1))
        driver.record(.pageLoaded(number: 1, photos: rows, total: rows))
        do throws(MirrorError) {
            for shard in shards where !driver.intakeToken.isCancelled { try await submit(shard, to: driver) }
        } catch {
            driver.stop(StopReason(error))
        }
        return false
    }

    /// Lists the photos of a shard, and submits those that have a result.
    private func submit(_ shard: MergedShard, to driver: RunDriver) async throws(MirrorError) {
        let attempt = shard.committed.map { $0.attempts.name(of: $0.attempt) }
        var reader = try shard.reader()
        var streak = KeptStreak()
        while !driver.intakeToken.isCancelled {
            let batch = try reader.next(Self.batchSize)
            guard !batch.isEmpty else { return }
            if let attempt { results.add(batch.compactMap(\.entry), of: attempt) }
            let claims = try MirrorError.inLedger(driver.ledger.claim(batch.map(\.planned), in: driver.run))
            let ended = zip(claims, batch).filter { $1.entry != nil }.map(\.0)
            await driver.submit(ended[...], &streak)
        }
    }
}

/// The results of the shards' photos that are being merged; a photo's result is taken once.
final class ShardResults: Sendable {
    private let results = Locked<[Int: (receipt: Receipt, attempt: String)]>([:])

    func add(_ entries: [LedgerEntry], of attempt: String) {
        results.withLock { results in
            for entry in entries {
                if let receipt = entry.receipt { results[entry.item.seq] = (receipt, attempt) }
            }
        }
    }

    /// Removes and returns the result of a photo.
    func take(_ item: Item) -> (receipt: Receipt, attempt: String)? {
        results.withLock { $0.removeValue(forKey: item.seq) }
    }
}

/// Takes the files of the shards' photos into the mirror.
///
/// The mirror gets another name for each file, so the attempts stay complete until the merge is.
struct MergePipeline: ItemProcessing {
    let results: ShardResults
    let store: any Store

    func host(of item: Item) -> String { "" }

    func keptReceipt(_ claim: Claim, for item: Item) -> Receipt? { nil }

    /// Returns the shard's result with its files.
    ///
    /// It is kept if an interrupted merge has committed it.
    func knownResult(_ claim: Claim) -> ProcessedItem? {
        let item = claim.item
        guard let (receipt, attempt) = results.take(item) else { return nil }
        if receipt == claim.receipt, receipt.state == .done,
            receipt.files.allSatisfy({ store.size(of: $0.path) == $0.bytes })
        {
            return ProcessedItem(receipt, isKept: true)
        }
        let files = receipt.files.enumerated().map { index, file in
            store.stageCopy(of: "\(attempt)/\(file.path)", as: file, temporary: "\(item.seq)-\(index)")
        }
        return ProcessedItem(receipt, files: files)
    }

    func process(_ item: Item, claim: Claim, slot: WorkPool.Slot) async -> ProcessedItem {
        ProcessedItem(Receipt(.failed, failure: Failure(.internal, "the shard has no result for the photo")))
    }
}
