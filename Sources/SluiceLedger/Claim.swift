// SPDX-License-Identifier: MIT

public import SluiceModel

/// An item to process, and the ledger's knowledge about it.
public struct Claim: Sendable, Hashable {
    /// The item.
    public let item: Item
    /// How often the item has crashed its decoder, or may have, since it was last decoded without a crash.
    public var crashes: Int
    /// Whether a process died while it replaced the item's files, so that they may not match the receipt.
    public var isInDoubt: Bool
    /// Whether this claim added the item, so that no earlier run can have written its files.
    public var isNew = false
    /// The receipt of an earlier run, if any.
    public var receipt: Receipt?
    /// The file name assigned by this claim, for a new item; ``Ledger/name(of:)`` also returns it.
    public var name: String?

    /// Creates a claim.
    public init(_ item: Item, crashes: Int = 0, isInDoubt: Bool = false, receipt: Receipt? = nil) {
        self.item = item
        self.crashes = crashes
        self.isInDoubt = isInDoubt
        self.receipt = receipt
    }
}
