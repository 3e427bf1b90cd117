// SPDX-License-Identifier: MIT

package import SluiceFeeds
package import SluiceModel

/// Accepts the photos of each page once per run.
package protocol PageClaiming: Sendable {
    associatedtype Claimed: Sendable

    /// Returns the page's photos that no earlier page listed, and passes repeated photos with other URLs to `conflict`.
    mutating func claim(_ page: Page, conflict: (Photo) -> Void) throws(Failure) -> [Claimed]
}

/// Limits on the photos that are read from a feed.
package struct ReadingLimits: Sendable {
    /// The maximum number of pages; `nil` for all.
    package var pages: Int?
    /// The maximum number of photos.
    package var items = Int.max
    /// The note to report when `items` is reached, if the limit comes from the service's terms.
    package var termsNote: String?
    /// Which photos to read.
    package var selection = Selection()

    package init(pages: Int? = nil, items: Int = .max, termsNote: String? = nil, selection: Selection = Selection()) {
        (self.pages, self.items, self.termsNote, self.selection) = (pages, items, termsNote, selection)
    }
}

/// Reads a feed page by page, in the same way for runs and dry runs.
///
/// It applies the limits and the selection, skips repeated photos, and stops at feeds that loop.
package struct PageReader<Claims: PageClaiming>: Sendable {
    private var prefetcher: PagePrefetcher
    /// The number of photos that may still be read.
    private var itemsLeft: Int
    private var selector: PhotoSelector
    private var conflicts = ConflictingPhotos()
    package private(set) var claims: Claims
    private let limits: ReadingLimits
    private let token: CancellationToken
    private let report: @Sendable (Event) -> Void

    /// Starts before the first page.
    ///
    /// `report` receives the pages' events and notes.
    package init(
        _ feed: any Feed, limits: ReadingLimits, claims: Claims, token: CancellationToken,
        report: @escaping @Sendable (Event) -> Void
    ) {
        prefetcher = PagePrefetcher(PageWalker(feed, limit: limits.pages), token: token)
        itemsLeft = limits.items
        selector = PhotoSelector(limits.selection)
        (self.limits, self.claims, self.token, self.report) = (limits, claims, token, report)
    }

    /// Whether the limits or the selection want no more photos.
    package var isComplete: Bool { itemsLeft <= 0 || selector.isFinished }

    /// Whether the last page of the feed, or of the page limit, has been read.
    package var hasReachedLastPage: Bool { prefetcher.nextPageNumber == nil && !prefetcher.hasFailed }

    /// The number of the page that ``next()`` reads.
    package private(set) var pageNumber = 0

    /// Whether a page could not be read.
    package var hasFailed: Bool { prefetcher.hasFailed }

    /// Requests the next page without waiting for it.
    package mutating func requestPage() {
        guard !isComplete, !prefetcher.isPrefetching, let number = prefetcher.nextPageNumber else { return }
        report(.pageRequested(number: number))
        prefetcher.prefetch()
    }

    /// Reads the next page and claims its photos; returns `nil` at the end.
    package mutating func next() async throws(Failure) -> ArraySlice<Claims.Claimed>? {
        guard !token.isCancelled, !isComplete, let number = prefetcher.nextPageNumber else { return nil }
        pageNumber = number
        requestPage()
        guard var page = try await prefetcher.next() else { return nil }
        let listed = page.photos.count
        selector.apply(to: &page)
        report(.pageLoaded(number: number, photos: page.photos.count, total: page.total))
        if let share = page.share { report(.sourceRead(share: share)) }
        for note in page.notes { report(.note(note)) }
        let claimed = try claims.claim(page) { conflicts.add($0) }
        // Photos that were not selected count as new: nothing records whether they are.
        try prefetcher.recordNewPhotos(count: claimed.count + listed - page.photos.count)
        let wanted = claimed.prefix(itemsLeft)
        itemsLeft -= wanted.count
        return wanted
    }

    /// Cancels the request in flight, and reports the notes on the whole feed.
    package func finish() {
        prefetcher.cancel()
        if itemsLeft <= 0, let note = limits.termsNote { report(.note(note, hint: .confirmPermission)) }
        if let note = conflicts.note { report(.note(note)) }
    }
}

/// Records of a feed that repeat a photo with a different URL within one run.
///
/// The first record of a photo is used.
private struct ConflictingPhotos: Sendable {
    private var count = 0
    private var firstID = ""

    mutating func add(_ photo: Photo) {
        if count == 0 { firstID = photo.id }
        count += 1
    }

    /// The note to report; `nil` if there are no conflicts.
    var note: String? {
        guard count > 0 else { return nil }
        let others = count > 1 ? " (and \(count - 1) more such records)" : ""
        return "the feed lists \(firstID) again with a different URL\(others); the first URL is used"
    }
}
