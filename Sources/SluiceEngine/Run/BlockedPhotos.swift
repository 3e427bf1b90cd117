// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceModel

/// Removes the photos on a blocklist that are in the mirror at the end of a run.
///
/// New ones are not even stored; these are photos of earlier runs and of merged shards.
package final class BlockedPhotos: RunStep {
    private let removed = Locked(0)

    package init() {}

    package var count: Int { removed.withLock { $0 } }

    package func finish(_ driver: RunDriver) throws(MirrorError) {
        let blocklist = driver.pipeline.blocklist
        guard !blocklist.isEmpty else { return }
        var positions: [Int] = []
        var batches = driver.ledger.batches()
        while let entries = try MirrorError.inLedger(batches.next()) {
            let blocked = entries.compactMap { entry -> (entry: LedgerEntry, failure: Failure)? in
                guard let receipt = entry.receipt, receipt.state == .done else { return nil }
                return blocklist.failure(of: receipt).map { (entry, $0) }
            }
            try driver.ledger.drop(blocked, from: driver.committer.store)
            positions += blocked.map(\.entry.item.seq)
            removed.withLock { $0 += blocked.count }
        }
        guard count > 0 else { return }
        driver.recordRemoval(of: positions, because: .blocked)
        driver.record(.note("removed \(count) \(count == 1 ? "photo" : "photos") on the blocklist"))
    }
}
