// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// Items from the ledger to process instead of a feed's photos.
enum RetrySelection: Sendable {
    /// Items that ended with one of these causes.
    case failures(CauseSet)
    /// Items whose files are damaged or missing.
    case broken(BrokenItems)

    /// Returns the items' positions in the ledger.
    func positions(in ledger: Ledger, of feed: String) throws(LedgerError) -> [Int] {
        switch self {
        case .failures(let causes):
            // Invalid records cannot be retried without reading the feed.
            try ledger.positions(ofFeed: feed) { $0 != .feedParse && causes.contains($0) }
        case .broken(let broken): broken.items
        }
    }

    /// Whether items that fail again keep their earlier receipts.
    var keepsReceipts: Bool {
        switch self {
        case .failures: false
        case .broken: true
        }
    }
}

extension RunDriver {
    /// The number of items that are claimed together.
    private static let batchSize = 256

    /// Processes items that the ledger knows, reported as one page.
    func process(_ retry: RetrySelection) async {
        do throws(LedgerError) {
            let positions = try retry.positions(in: ledger, of: run.feed)
            await process(positions.prefix(maxItems ?? .max), reportsPage: true)
        } catch {
            stop(StopReason(error))
        }
    }

    /// Processes the items at these positions of the ledger.
    ///
    /// With `reportsPage` they are reported as one page.
    func process(_ positions: ArraySlice<Int>, reportsPage: Bool) async {
        do throws(LedgerError) {
            if reportsPage {
                recorder.record(.pageRequested(number: 1))
                recorder.record(.pageLoaded(number: 1, photos: positions.count, total: positions.count))
            }
            var streak = KeptStreak()
            var remaining = positions
            while !remaining.isEmpty, !intake.isCancelled {
                await submit(try ledger.claim(positions: remaining.prefix(Self.batchSize))[...], &streak)
                remaining = remaining.dropFirst(Self.batchSize)
            }
        } catch {
            stop(StopReason(error))
        }
    }
}
