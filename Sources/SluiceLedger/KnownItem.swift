// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What the ledger has of an item before a page lists its photo once more.
///
/// A class, because all of it is much to copy, and a page has many.
final class KnownItem {
    let seq: Int
    /// The run that listed it last, on which page, and a number for what it said of the photo.
    let run: Int?
    let page: Int?
    let facts: Int?
    let brokenAttempts: Int
    let isInDoubt: Bool
    let receipt: Receipt?
    private let feed: String
    private let collection: String
    private let id: String

    /// Reads it from the row's next columns.
    init(_ row: inout Row) throws(LedgerError) {
        seq = row.integer() ?? 0
        feed = row.text() ?? ""
        collection = row.text() ?? ""
        id = row.text() ?? ""
        run = row.integer()
        page = row.integer()
        facts = row.integer()
        brokenAttempts = row.integer() ?? 0
        isInDoubt = row.integer() == 1
        receipt = try ReceiptTable.receipt(from: &row)
    }

    /// Whether it is the photo's.
    func isOf(_ photo: Photo, ofFeed feed: String) -> Bool {
        id == photo.id && collection == photo.collection ?? "" && self.feed == feed
    }
}
