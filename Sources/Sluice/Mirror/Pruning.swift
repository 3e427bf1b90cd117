// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// Removes a feed's items that its last complete listing did not contain, and their files.
struct Pruning: RunStep {
    private static let batch = 256

    let options: PruneOptions

    /// Removes the items that the run did not list; if they exceed the limit, stops the run.
    func handleMissingItems(_ driver: RunDriver) throws(MirrorError) {
        let unlisted = try MirrorError.inLedger(driver.ledger.unlisted(in: driver.run))
        let total = unlisted.count + (try MirrorError.inLedger(driver.ledger.listedCount(in: driver.run)))
        for seq in unlisted where driver.isDryRun {
            guard let entry = try MirrorError.inLedger(driver.ledger.entry(at: seq)) else { continue }
            driver.list(.photo(entry.item, entry.receipt ?? Receipt(.skipped, failure: Failure(.deferred, ""))))
        }
        if let refusal = options.refusal(of: unlisted.count, of: total) {
            return driver.stop(.limit(refusal, hint: .raisePruneLimit))
        }
        var changed = 0
        for start in stride(from: 0, to: unlisted.count, by: Self.batch) {
            let batch = Array(unlisted[start..<min(start + Self.batch, unlisted.count)])
            let removals = try MirrorError.inLedger(driver.ledger.remove(batch))
            changed += try driver.ledger.finish(removals, in: driver.committer.store)
        }
        driver.record(.note("pruned \(unlisted.count) of \(total) photos that are no longer in the feed"))
        if changed > 0 {
            driver.record(.note("kept \(changed) changed \(changed == 1 ? "object" : "objects") of pruned photos"))
        }
    }
}
