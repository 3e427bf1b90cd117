// SPDX-License-Identifier: MIT

public import SluiceModel

/// An item to process, and the ledger's knowledge about it.
public struct Claim: Sendable, Hashable {
    /// The item.
    public let item: Item
    /// The number of attempts since the last completed one that were never completed, because the process died.
    ///
    /// It identifies items that crash the process, so that they can be quarantined.
    public var unfinishedAttempts: Int
    /// Whether a process died while it replaced the item's files, so that they may not match the receipt.
    public var isInDoubt: Bool
    /// The receipt of an earlier run, if any.
    public var receipt: Receipt?
    /// The file name assigned by this claim, for a new item; ``Ledger/name(of:)`` also returns it.
    public var name: String?

    /// Creates a claim.
    public init(_ item: Item, unfinishedAttempts: Int = 0, isInDoubt: Bool = false, receipt: Receipt? = nil) {
        self.item = item
        self.unfinishedAttempts = unfinishedAttempts
        self.isInDoubt = isInDoubt
        self.receipt = receipt
    }
}
