// SPDX-License-Identifier: MIT

package import SluiceLedger

/// Supplies the items of a run, for example from a feed or from the ledger.
package protocol Intake: Sendable {
    /// Whether items that fail keep the receipts of earlier runs.
    var keepsEarlierReceipts: Bool { get }

    /// Submits all items to the driver. Returns whether it read a feed to its end.
    ///
    /// It waits while the driver has no capacity, and ends early when ``RunDriver/intakeToken`` is cancelled.
    func submitItems(to driver: RunDriver) async -> Bool
}

/// Handles a feed's items that the feed no longer lists.
package protocol MissingItemsHandling: Sendable {
    /// Handles the items that the run did not list. Called once, after the run has read the whole feed.
    func handleMissingItems(of run: LedgerRun, in driver: RunDriver)
}

/// Changes a mirror between the last commit of a run and its manifest and gallery.
package protocol FinishingStep: Sendable {
    /// Prepares for the run, before its first item.
    func begin(_ run: LedgerRun, in driver: RunDriver) throws(MirrorError)
    /// Does the work, also if the run was stopped.
    func finish(_ run: LedgerRun, in driver: RunDriver) throws(MirrorError)
}
