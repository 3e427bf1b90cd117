// SPDX-License-Identifier: MIT

internal import SluiceModel

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
        run = row.integer()
        page = row.integer()
        facts = row.integer()
        crashes = row.integer() ?? 0
        isInDoubt = row.integer() == 1
        receipt = try ReceiptTable.receipt(from: &row)
    }

    /// Whether the item belongs to the photo.
    func matches(_ photo: Photo, ofFeed feed: String) -> Bool {
        id === photo.id && collection === photo.collection ?? "" && self.feed === feed
    }
}
