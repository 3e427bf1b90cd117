// SPDX-License-Identifier: MIT

internal import SluiceLedger
package import SluiceModel

/// Submits items that the ledger knows, to retry or repair them without reading a feed.
package struct LedgerIntake: Intake {
    package enum Selection: Sendable {
        /// Items that ended with one of these causes.
        case failures(CauseSet)
        /// Items whose files are damaged or missing.
        case broken(BrokenItems)
    }

    package let selection: Selection
    package let maxItems: Int

    package init(_ selection: Selection, maxItems: Int = .max) {
        (self.selection, self.maxItems) = (selection, maxItems)
    }

    package var keepsEarlierReceipts: Bool {
        switch selection {
        case .failures: false
        case .broken: true
        }
    }

    package func submitItems(to driver: RunDriver) async -> Bool {
        do throws(LedgerError) {
            let positions = try positions(in: driver.ledger, of: driver.run.feed)
            await driver.submit(positions: positions.prefix(maxItems), reportsPage: true)
        } catch {
            driver.stop(StopReason(error))
        }
        return false
    }

    private func positions(in ledger: Ledger, of feed: String) throws(LedgerError) -> [Int] {
        switch selection {
        case .failures(let causes):
            // Invalid records cannot be retried without reading the feed.
            try ledger.positions(ofFeed: feed) { $0 != .feedParse && causes.contains($0) }
        case .broken(let broken): broken.items
        }
    }
}

extension RunDriver {
    /// The number of items that are claimed together.
    private static let batchSize = 256

    /// Submits the items at these positions of the ledger.
    ///
    /// With `reportsPage` they are reported as one page. `input` returns what an item is made from, if that is its own.
    package func submit(
        positions: ArraySlice<Int>, reportsPage: Bool, input: (Item) -> ItemInput? = { _ in nil }
    ) async {
        do throws(LedgerError) {
            if reportsPage {
                record(.pageRequested(number: 1))
                record(.pageLoaded(number: 1, photos: positions.count, total: positions.count))
            }
            var streak = KeptStreak()
            var remaining = positions
            while !remaining.isEmpty, !intakeToken.isCancelled {
                await submit(try ledger.claim(positions: remaining.prefix(Self.batchSize))[...], &streak, input: input)
                remaining = remaining.dropFirst(Self.batchSize)
            }
        } catch {
            stop(StopReason(error))
        }
    }
}

/// Items of one feed with missing or damaged files.
public struct BrokenItems: Sendable, Hashable {
    /// The sequence numbers of the items.
    public package(set) var items: [Int] = []
    /// Files that exist, but must be created again.
    package var files: TextSet = []
    package var sizes: TextSet = []

    package init() {}
}
