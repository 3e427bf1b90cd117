// SPDX-License-Identifier: MIT

package import SluiceModel

/// An item to process, and the ledger's knowledge about it.
package struct Claim: Sendable, Hashable {
    package let item: Item
    /// How often the item has crashed its decoder, or may have, since it was last decoded without a crash.
    package var crashes: Int
    /// Whether the item may have files that do not match its receipt or that the receipt omits, for example because a
    /// process died while it wrote them.
    package var isInDoubt: Bool
    /// The receipt of an earlier run, if any.
    package var receipt: Receipt?
    /// The file name assigned by this claim, for a new item; ``Ledger/name(of:)`` also returns it.
    package var name: String?

    package init(_ item: Item, crashes: Int = 0, isInDoubt: Bool = false, receipt: Receipt? = nil) {
        (self.item, self.crashes, self.isInDoubt, self.receipt) = (item, crashes, isInDoubt, receipt)
    }
}

/// The ledger's data about an item before a page lists its photo again.
///
/// It is a class because its data is large and a page has many items.
final class KnownItem {
    let seq: Int
    /// The run that last listed the item, the page, and the fingerprint of the photo's facts.
    let run: Int?
    let page: Int?
    let facts: Int?
    let crashes: Int
    let isInDoubt: Bool
    let receipt: Receipt?
    private let feed: String
    private let collection: String
    private let id: String

    /// Reads an item from the row's next columns.
    init(_ row: inout ResultRow) throws(LedgerError) {
        seq = try row.quantity() ?? 0
        feed = row.text() ?? ""
        collection = row.text() ?? ""
        id = row.text() ?? ""
        run = try row.quantity()
        page = try row.quantity()
        facts = row.hash()
        crashes = try row.quantity() ?? 0
        isInDoubt = try row.quantity() == 1
        receipt = try ReceiptTable.receipt(from: &row)
    }

    /// Whether the item belongs to the photo.
    func matches(_ photo: Photo, ofFeed feed: String) -> Bool {
        id === photo.id && collection === photo.collection ?? "" && self.feed === feed
    }
}
