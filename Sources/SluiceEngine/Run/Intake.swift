// SPDX-License-Identifier: MIT

/// Supplies the items of a run, for example from a feed or from the ledger.
package protocol Intake: Sendable {
    /// Whether items that fail keep the receipts of earlier runs.
    var keepsEarlierReceipts: Bool { get }

    /// Submits all items to the driver. Returns whether it read a feed to its end.
    ///
    /// It waits while the driver has no capacity, and ends early when ``RunDriver/intakeToken`` is cancelled.
    func submitItems(to driver: RunDriver) async -> Bool
}
