// SPDX-License-Identifier: MIT

public import SluiceModel

/// What the ledger knows of an item when its turn comes.
public struct Claim: Sendable, Hashable {
    /// How many attempts were begun since the last one that came to an end: its process died in each.
    ///
    /// An item that kills whoever tries it shows here, and can be quarantined.
    public var brokenAttempts: Int
    /// Whether a process ended while it replaced the item's files: they may not be what the receipt tells.
    public var isInDoubt: Bool
    /// What an earlier run left, if any did.
    public var receipt: Receipt?

    /// Makes a claim.
    public init(brokenAttempts: Int, isInDoubt: Bool = false, receipt: Receipt?) {
        self.brokenAttempts = brokenAttempts
        self.isInDoubt = isInDoubt
        self.receipt = receipt
    }
}
