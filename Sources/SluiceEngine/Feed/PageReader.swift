// SPDX-License-Identifier: MIT

package import SluiceFeeds
package import SluiceModel

/// Accepts the photos of each page once per run.
package protocol PageClaiming: Sendable {
    associatedtype Claimed: Sendable

    /// Returns the page's photos that no earlier page listed, and passes repeated photos with other URLs to `conflict`.
    mutating func claim(_ page: Page, conflict: (Photo) -> Void) throws(Failure) -> [Claimed]
}

/// Limits on the photos that are read from feeds.
package struct ReadingLimits: Sendable {
    /// The maximum number of pages of each feed; `nil` for all.
    package var pages: Int?
    /// The maximum number of photos.
    package var items = Int.max
    package var selection = Selection()

    package init(pages: Int? = nil, items: Int = .max, selection: Selection = Selection()) {
        (self.pages, self.items, self.selection) = (pages, items, selection)
    }
}

/// Reads feeds page by page, one feed after the other.
///
/// It applies the limits and the selection, skips repeated photos, and stops at feeds that loop. If one of several
/// feeds cannot be read, it reports that and continues with the next.
package struct PageReader<Claims: PageClaiming>: Sendable {
    private let feeds: [SourceFeed]
    /// The position of the current feed.
    private var index = 0
    private var prefetcher: PagePrefetcher
    /// The number of pages of the feeds before the current one.
    private var pagesBefore = 0
    /// The number of photos that may still be read.
    private var itemsLeft: Int
    /// The number of photos that may still be read from the current feed.
    private var feedItemsLeft: Int
    private var selector: PhotoSelector
    private var conflicts = ConflictingPhotos()
    package private(set) var claims: Claims
    /// The first failure of one of several feeds.
    package private(set) var failure: Failure?
    /// Whether an earlier feed was left before its end.
    private var isCut = false
    private let limits: ReadingLimits
    private let token: CancellationToken
    private let report: @Sendable (Event) -> Void

    /// Starts before the first page.
    ///
    /// `report` receives the pages' events and notes.
    package init(
        _ feeds: [SourceFeed], limits: ReadingLimits, claims: Claims, token: CancellationToken,
        report: @escaping @Sendable (Event) -> Void
    ) {
        precondition(!feeds.isEmpty, "a run reads at least one feed")
        self.feeds = feeds
        prefetcher = PagePrefetcher(PageWalker(feeds[0].feed, limit: limits.pages), token: token)
        feedItemsLeft = feeds[0].cap ?? .max
        itemsLeft = limits.items
        selector = PhotoSelector(limits.selection)
        (self.limits, self.claims, self.token, self.report) = (limits, claims, token, report)
    }

    /// The name of the feed of the last page.
    package var feedName: String { feeds[index].feed.name }

    private var isLastFeed: Bool { index == feeds.count - 1 }

    /// Whether the limits or the selection want no more photos.
    package var isComplete: Bool {
        itemsLeft <= 0 || selector.isFinished || isLastFeed && feedItemsLeft <= 0
    }

    /// Whether the last page of each feed, or of the page limit, has been read.
    package var hasReachedLastPage: Bool {
        isLastFeed && prefetcher.nextPageNumber == nil && !hasFailed && !isCut
    }

    /// Whether no feed has a further page, whether all could be read or not.
    package var hasVisitedAllFeeds: Bool { isLastFeed && prefetcher.nextPageNumber == nil }

    /// The number of the page that ``next()`` reads.
    package private(set) var pageNumber = 0

    /// Whether a page could not be read.
    package var hasFailed: Bool { failure != nil || prefetcher.hasFailed }

    /// Requests the next page without waiting for it.
    package mutating func requestPage() {
        guard !isComplete, feedItemsLeft > 0, !prefetcher.isPrefetching, let number = prefetcher.nextPageNumber else {
            return
        }
        report(.pageRequested(number: pagesBefore + number))
        prefetcher.prefetch()
    }

    /// Leaves the current feed; returns whether there is another one.
    package mutating func skipFeed() -> Bool {
        guard !isLastFeed else { return false }
        isCut = isCut || feedItemsLeft <= 0 || prefetcher.nextPageNumber != nil
        reportTerms()
        prefetcher.cancel()
        index += 1
        pagesBefore = pageNumber
        prefetcher = PagePrefetcher(PageWalker(feeds[index].feed, limit: limits.pages), token: token)
        feedItemsLeft = feeds[index].cap ?? .max
        return true
    }

    /// Reads the next page and claims its photos; returns `nil` at the end.
    package mutating func next() async throws(Failure) -> ArraySlice<Claims.Claimed>? {
        while !token.isCancelled, !isComplete {
            guard feedItemsLeft > 0, let number = prefetcher.nextPageNumber else {
                guard skipFeed() else { return nil }
                continue
            }
            pageNumber = pagesBefore + number
            requestPage()
            let page: Page?
            do throws(Failure) {
                page = try await prefetcher.next()
            } catch {
                try leaveFeed(after: error)
                continue
            }
            guard let page else { continue }
            return try take(page)
        }
        return nil
    }

    /// Applies the selection to a page and claims its photos.
    private mutating func take(_ loaded: Page) throws(Failure) -> ArraySlice<Claims.Claimed> {
        var page = loaded
        page.number = pageNumber
        let listed = page.photos.count
        if feeds.count > 1 { nameSource(of: &page) }
        selector.apply(to: &page)
        report(.pageLoaded(number: page.number, photos: page.photos.count, total: page.total))
        if let share = page.share { report(.sourceRead(share: share)) }
        for note in page.notes { report(.note(note)) }
        let claimed = try claims.claim(page) { conflicts.add($0) }
        // Photos that were not selected count as new: nothing records whether they are.
        do throws(Failure) {
            try prefetcher.recordNewPhotos(count: claimed.count + listed - page.photos.count)
        } catch {
            try leaveFeed(after: error)
        }
        let wanted = claimed.prefix(min(itemsLeft, feedItemsLeft))
        itemsLeft -= wanted.count
        feedItemsLeft -= wanted.count
        return wanted
    }

    /// Marks a page with its feed and its source, and its cursor with the position of its feed.
    private func nameSource(of page: inout Page) {
        let current = feeds[index]
        page.feed = current.feed.name
        page.peers = feeds.filter { $0.idScope == current.idScope }.compactMap(\.source)
        for position in page.photos.indices { page.photos[position].source = current.source }
        let share = page.share ?? (page.next == nil ? 1 : 0)
        page.share = (Double(index) + share) / Double(feeds.count)
        page.total = nil
        page.next = Cursor(rawValue: "\(index)\n\(page.next?.rawValue ?? "")")
    }

    /// Reports that one of several feeds cannot be read; throws if the run cannot continue with the next.
    private mutating func leaveFeed(after error: Failure) throws(Failure) {
        guard feeds.count > 1, error.cause != .cancelled, error.scope != .ledger else { throw error }
        var named = error
        if let source = feeds[index].source, !error.detail.contains(source), error.finalURL != source {
            named.detail = error.detail.isEmpty ? source : "\(source): \(error.detail)"
        }
        // It concerns this source only.
        named.scope = .item
        failure = failure ?? named
        report(.pageFailed(number: pageNumber, named))
    }

    /// Cancels the request in flight, and reports the notes on the whole feed.
    package func finish() {
        prefetcher.cancel()
        reportTerms()
        for note in [conflicts.note, selector.note].compactMap(\.self) { report(.note(note)) }
    }

    /// Reports that the terms of the current feed's service ended its reading.
    private func reportTerms() {
        guard feedItemsLeft <= 0, let cap = feeds[index].cap else { return }
        let terms = feeds[index].politeness.terms.map { " (\($0))" } ?? ""
        report(.note("stopped at \(cap) photos, the limit of \(feedName)'s terms\(terms)", hint: .confirmPermission))
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
