// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// Lists the photos of all shards, and submits those that have a result.
struct MergeIntake: Intake {
    /// The number of photos that are claimed together.
    private static let batchSize = 256

    /// The number of photos of all shards.
    let rows: Int
    let shards: [MergedShard]
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
            let claims = try MirrorError.inLedger(driver.ledger.claim(batch.map(\.planned), in: driver.run))
            let ended = zip(claims, batch).filter { $1.entry != nil }.map(\.0)
            var results: [Int: ShardResult] = [:]
            for entry in batch.compactMap(\.entry) {
                if let attempt, let receipt = entry.receipt {
                    results[entry.item.seq] = ShardResult(receipt: receipt, attempt: attempt)
                }
            }
            await driver.submit(ended[...], &streak) { item in results[item.seq].map { .result($0) } }
        }
    }
}

/// A photo's result in a shard's attempt.
///
/// The mirror gets another name for each file, so the attempts stay complete until the merge is.
private struct ShardResult: KnownResult {
    let receipt: Receipt
    let attempt: String

    /// Returns the shard's result with its files.
    ///
    /// It is kept if an interrupted merge has committed it.
    func result(for claim: Claim, in store: any Store) -> ProcessedItem {
        if receipt == claim.receipt, receipt.state == .done,
            receipt.files.allSatisfy({ store.size(of: $0.path) == $0.bytes })
        {
            return ProcessedItem(receipt, isKept: true)
        }
        let files = receipt.files.enumerated().map { index, file in
            store.stageCopy(of: "\(attempt)/\(file.path)", as: file, temporary: "\(claim.item.seq)-\(index)")
        }
        return ProcessedItem(receipt, files: files)
    }
}
