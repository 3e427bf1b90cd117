// SPDX-License-Identifier: MIT

package import SluiceModel

/// Claims the photos of one page.
///
/// A feed usually lists the same photos in the same order as before. Known items are therefore read ahead in order, and
/// unchanged listings are written together. A million known items take a few seconds.
struct PageClaims {
    /// The number of read-ahead items to search; a feed with a larger gap falls back to single lookups.
    private static let maxGap = 16

    private let items: ItemTable
    private let page: Page
    private let run: LedgerRun
    /// The name of the feed that lists the page.
    private let feed: String
    /// The items after the first known photo; `nil` until a photo is known.
    private var ahead: ArraySlice<KnownItem>?
    /// The positions of the page's photos so far.
    private var positions: Set<Int> = []
    /// The range of positions whose listings only change their run, not yet written.
    private var unchanged: ClosedRange<Int>?

    init(_ page: Page, in run: LedgerRun, items: ItemTable) {
        (self.items, self.page, self.run) = (items, page, run)
        feed = page.feed ?? run.feed
    }

    /// Claims the photo's item; returns `nil` if this run has already listed the photo.
    ///
    /// It calls `note` if the photo was listed before with other addresses. A photo that only has the id of another
    /// source's photo is claimed under an id with its source, and a row that only has the id of another row under one
    /// with a hash.
    mutating func claim(
        _ photo: Photo, noting note: (Photo) -> Void
    ) throws(LedgerError) -> (claim: Claim, isNew: Bool)? {
        var named = photo
        var other: Photo?
        if let claim = try claimListed(named, noting: { other = $0 }) { return claim }
        guard other != nil else { return nil }
        if page.feed != nil, let apart = photo.namedApart, try isOfOtherSource(photo) {
            named = apart
            other = nil
            if let claim = try claimListed(named, noting: { other = $0 }) { return claim }
        }
        if other != nil, page.hasRows, photo.invalidReason == nil {
            other = nil
            if let claim = try claimListed(named.namedByRow, noting: { other = $0 }) { return claim }
        }
        if let other, other.invalidReason == nil || page.feed == nil { note(other) }
        return nil
    }

    /// Whether this run's photo with the same id comes from a source whose ids mean other photos.
    private func isOfOtherSource(_ photo: Photo) throws(LedgerError) -> Bool {
        guard let known = try items.known(photo, ofFeed: feed) else { return false }
        let source = try items.source(of: known.seq)
        return source.map { source in !page.peers.contains { $0 === source } } ?? false
    }

    private mutating func claimListed(
        _ photo: Photo, noting note: (Photo) -> Void
    ) throws(LedgerError) -> (claim: Claim, isNew: Bool)? {
        let facts = photo.fingerprint.value
        guard let known = try known(photo) else {
            let seq = try items.add(photo, ofFeed: feed)
            try items.list(seq, page: page.number, facts: facts, in: run)
            return (Claim(item(photo, seq)), true)
        }
        let isFirst = positions.insert(known.seq).inserted
        guard isFirst, known.run != run.id else {
            if photo.invalidReason != nil, page.feed != nil {
                // Such records have no addresses that could differ.
                note(photo)
            } else if known.facts != facts, try !items.shows(photo, at: known.seq, withCaption: page.hasRows) {
                note(photo)
            }
            return nil
        }
        if (known.facts, known.page) == (facts, page.number) {
            try listAgain(known.seq)
        } else {
            if known.facts != facts { try items.refresh(photo, ofFeed: feed) }
            try items.list(known.seq, page: page.number, facts: facts, in: run)
        }
        let claim = Claim(
            item(photo, known.seq, markedAs: known.marks), crashes: known.crashes, isInDoubt: known.isInDoubt,
            receipt: known.receipt)
        return (claim, false)
    }

    mutating func finish() throws(LedgerError) {
        if let unchanged { try items.listAgain(unchanged, in: run) }
        unchanged = nil
    }

    private func item(_ photo: Photo, _ seq: Int, markedAs marks: Photo? = nil) -> Item {
        var photo = photo
        if let marks { photo.takeMarks(of: marks) }
        return Item(seq: seq, feed: feed, page: page.number, photo: photo)
    }

    private mutating func known(_ photo: Photo) throws(LedgerError) -> KnownItem? {
        if let ahead, let index = ahead.prefix(Self.maxGap).firstIndex(where: { $0.matches(photo, ofFeed: feed) }) {
            self.ahead = ahead[(index + 1)...]
            return ahead[index]
        }
        let known = try items.known(photo, ofFeed: feed)
        if ahead == nil, let known { ahead = try items.known(after: known.seq, limit: page.photos.count)[...] }
        return known
    }

    private mutating func listAgain(_ seq: Int) throws(LedgerError) {
        if let range = unchanged, seq == range.upperBound + 1 {
            unchanged = range.lowerBound...seq
        } else {
            try finish()
            unchanged = seq...seq
        }
    }
}

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
    /// A photo that has only the user's marks.
    let marks: Photo
    let receipt: Receipt?
    private let feed: String
    private let collection: String
    private let id: String
    private static let unmarked = Photo(id: "")

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
        var marks = Self.unmarked
        ItemTable.read(PhotoMark.fields, of: &marks, from: &row)
        self.marks = marks
        receipt = try ReceiptTable.receipt(from: &row)
    }

    /// Whether the item belongs to the photo.
    func matches(_ photo: Photo, ofFeed feed: String) -> Bool {
        id === photo.id && collection === photo.collection ?? "" && self.feed === feed
    }
}
