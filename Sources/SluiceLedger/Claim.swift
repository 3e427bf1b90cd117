// SPDX-License-Identifier: MIT

public import SluiceModel

/// An item whose turn has come, and what the ledger knows of it.
public struct Claim: Sendable, Hashable {
    /// The item.
    public let item: Item
    /// How many attempts were begun since the last one that came to an end: its process died in each.
    ///
    /// An item that kills whoever tries it shows here, and can be quarantined.
    public var brokenAttempts: Int
    /// Whether a process ended while it replaced the item's files: they may not be what the receipt tells.
    public var isInDoubt: Bool
    /// What an earlier run left, if any did.
    public var receipt: Receipt?
    /// The name that a new item was given just now; ``Ledger/name(of:)`` has it too.
    public var name: String?

    /// Makes a claim.
    public init(_ item: Item, brokenAttempts: Int = 0, isInDoubt: Bool = false, receipt: Receipt? = nil) {
        self.item = item
        self.brokenAttempts = brokenAttempts
        self.isInDoubt = isInDoubt
        self.receipt = receipt
    }
}
