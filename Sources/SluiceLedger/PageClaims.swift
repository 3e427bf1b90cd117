// SPDX-License-Identifier: MIT

internal import SluiceModel

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
    /// The items after the first known photo; `nil` until a photo is known.
    private var ahead: ArraySlice<KnownItem>?
    /// The positions of the page's photos so far.
    private var positions: Set<Int> = []
    /// The range of positions whose listings only change their run, not yet written.
    private var unchanged: ClosedRange<Int>?

    init(_ page: Page, in run: LedgerRun, items: ItemTable) {
        (self.items, self.page, self.run) = (items, page, run)
    }

    /// Claims the photo's item; returns `nil` if this run has already listed the photo.
    ///
    /// It calls `note` if the photo was listed before with other addresses.
    mutating func claim(
        _ photo: Photo, noting note: (Photo) -> Void
    ) throws(LedgerError) -> (claim: Claim, isNew: Bool)? {
        let facts = photo.fingerprint.value
        guard let known = try known(photo) else {
            let seq = try items.add(photo, ofFeed: run.feed)
            try items.list(seq, page: page.number, facts: facts, in: run)
            return (Claim(item(photo, seq)), true)
        }
        let isFirst = positions.insert(known.seq).inserted
        guard isFirst, known.run != run.id else {
            if known.facts != facts, try !items.hasAddresses(of: photo, known.seq) { note(photo) }
            return nil
        }
        if (known.facts, known.page) == (facts, page.number) {
            try listAgain(known.seq)
        } else {
            if known.facts != facts { try items.refresh(photo, ofFeed: run.feed) }
            try items.list(known.seq, page: page.number, facts: facts, in: run)
        }
        let claim = Claim(
            item(photo, known.seq), crashes: known.crashes, isInDoubt: known.isInDoubt,
            receipt: known.receipt)
        return (claim, false)
    }

    /// Writes the pending listings.
    mutating func finish() throws(LedgerError) {
        if let unchanged { try items.listAgain(unchanged, in: run) }
        unchanged = nil
    }

    private func item(_ photo: Photo, _ seq: Int) -> Item {
        Item(seq: seq, feed: run.feed, page: page.number, photo: photo)
    }

    private mutating func known(_ photo: Photo) throws(LedgerError) -> KnownItem? {
        if let ahead, let index = ahead.prefix(Self.maxGap).firstIndex(where: { $0.matches(photo, ofFeed: run.feed) }) {
            self.ahead = ahead[(index + 1)...]
            return ahead[index]
        }
        let known = try items.known(photo, ofFeed: run.feed)
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
