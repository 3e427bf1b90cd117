// SPDX-License-Identifier: MIT

public import SluiceModel

/// A walk through a feed's pages, one at a time, with the guards that no feed is trusted to need not.
public struct Walk: Sendable {
    /// No page has more photos.
    static let mostPhotos = 100_000
    /// So many pages without one new photo end a walk.
    static let patience = 3
    /// So many pages without one photo, of which the feed says that there may be such, do too.
    static let patienceWithEmptyPages = 100

    private let feed: any Feed
    private let limit: Int?
    private var number = 0
    private var next: Cursor?
    private var isOver = false
    private var isEmpty = false
    private var cursors: [Cursor: Int] = [:]
    private var pagesWithoutNews = 0

    /// Begins before the first page; `limit` is how many pages are wanted.
    public init(_ feed: any Feed, limit: Int? = nil) {
        self.feed = feed
        self.limit = limit
    }

    /// The number of the page that ``nextPage(token:)`` would give; `nil` at the end.
    public var nextNumber: Int? { isOver || number >= limit ?? .max ? nil : number + 1 }

    /// The next page; `nil` behind the last.
    ///
    /// A failure ends the walk: without a page nobody knows where the next one is.
    public mutating func nextPage(token: Token) async throws(Failure) -> Page? {
        guard let wanted = nextNumber else { return nil }
        isOver = true
        if let longest = feed.longest, wanted > longest {
            throw Failure(.paginationLoop, "the feed goes on behind page \(longest)")
        }
        if let next {
            if let earlier = cursors.updateValue(wanted, forKey: next) {
                throw Failure(.paginationLoop, "page \(wanted) repeats page \(earlier)")
            }
        }
        let page = try await feed.page(wanted, at: next, token: token)
        guard page.photos.count <= Self.mostPhotos else {
            throw Failure(.feedParse, "page \(wanted) has \(page.photos.count) photos (limit \(Self.mostPhotos))")
        }
        number = wanted
        next = page.next
        // Some services link from their last page to an empty one.
        isOver = page.next == nil || page.photos.isEmpty && !page.mayBeEmpty
        isEmpty = page.photos.isEmpty
        return page
    }

    /// Takes note of how many of the last page's photos were new; that a finite feed repeats itself is no trap.
    public mutating func found(new count: Int) throws(Failure) {
        pagesWithoutNews = count > 0 || feed.longest == nil ? 0 : pagesWithoutNews + 1
        let patience = isEmpty ? Self.patienceWithEmptyPages : Self.patience
        guard pagesWithoutNews < patience || nextNumber == nil else {
            isOver = true
            throw Failure(.paginationLoop, "\(pagesWithoutNews) pages to page \(number) had no new photo")
        }
    }
}
