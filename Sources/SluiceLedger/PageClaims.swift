// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Claims the photos of one page.
///
/// A feed mostly lists what it listed before, in the order in which it did. Those items are read one behind the other, and
/// written together: a million that are all there already are a matter of seconds.
struct PageClaims {
    /// A feed that lost so many photos in one place is looked up photo by photo.
    private static let gap = 16

    private let items: ItemTable
    private let page: Page
    private let run: LedgerRun
    /// What the ledger has behind the first photo that it knew; `nil` until one was known.
    private var ahead: ArraySlice<KnownItem>?
    /// Places of the page's photos so far.
    private var places: Set<Int> = []
    /// Places whose listings change in nothing but the run.
    private var unchanged: ClosedRange<Int>?

    init(_ page: Page, in run: LedgerRun, items: ItemTable) {
        (self.items, self.page, self.run) = (items, page, run)
    }

    /// Claims the photo's item, new or known; `nil` if this run has listed the photo before, and a word to `noting` if it
    /// then had other addresses.
    mutating func claim(
        _ photo: Photo, noting note: (Photo) -> Void
    ) throws(LedgerError) -> (claim: Claim, isNew: Bool)? {
        let facts = photo.fingerprint.value
        guard let known = try known(photo) else {
            let seq = try items.add(photo, ofFeed: run.feed)
            try items.list(seq, page: page.number, facts: facts, in: run)
            return (Claim(item(photo, seq)), true)
        }
        let isFirst = places.insert(known.seq).inserted
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
            item(photo, known.seq), brokenAttempts: known.brokenAttempts, isInDoubt: known.isInDoubt,
            receipt: known.receipt)
        return (claim, false)
    }

    /// Writes down what waits for that.
    mutating func finish() throws(LedgerError) {
        if let unchanged { try items.listAgain(unchanged, in: run) }
        unchanged = nil
    }

    private func item(_ photo: Photo, _ seq: Int) -> Item {
        Item(seq: seq, feed: run.feed, page: page.number, photo: photo)
    }

    private mutating func known(_ photo: Photo) throws(LedgerError) -> KnownItem? {
        if let ahead, let index = ahead.prefix(Self.gap).firstIndex(where: { $0.isOf(photo, ofFeed: run.feed) }) {
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
