// SPDX-License-Identifier: MIT

public import SluiceModel

/// An item to process, and the ledger's knowledge about it.
public struct Claim: Sendable, Hashable {
    /// The item.
    public let item: Item
    /// How often the item has crashed its decoder, or may have, since it was last decoded without a crash.
    public var crashes: Int
    /// Whether the item may have files that do not match its receipt or that the receipt omits, for example because a
    /// process died while it wrote them.
    public var isInDoubt: Bool
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
