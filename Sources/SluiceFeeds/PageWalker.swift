// SPDX-License-Identifier: MIT

package import SluiceModel

/// Loads a feed's pages in order and stops at loops, oversized pages and the page limit.
package struct PageWalker: Sendable {
    /// The maximum number of photos on a page.
    static let maxPhotosPerPage = 100_000
    /// The number of consecutive pages without a new photo that ends the walk.
    static let maxPagesWithoutNewPhotos = 3
    /// The same limit for pages without any photo, on feeds that may return empty pages.
    static let maxEmptyPages = 100

    private let feed: any Feed
    private let limit: Int?
    private var number = 0
    private var next: Cursor?
    private var isAtEnd = false
    private var isEmpty = false
    private var cursors: [Cursor: Int] = [:]
    private var pagesWithoutNewPhotos = 0

    /// Starts before the first page and loads at most `limit` pages.
    package init(_ feed: any Feed, limit: Int? = nil) {
        self.feed = feed
        self.limit = limit
    }

    /// The number of the page that ``nextPage(token:)`` will load; `nil` at the end.
    package var nextPageNumber: Int? { isAtEnd || number >= limit ?? .max ? nil : number + 1 }

    /// Loads the next page; returns `nil` after the last.
    ///
    /// A failure ends the walk, because the cursor of the following page is then unknown.
    package mutating func nextPage(token: CancellationToken) async throws(Failure) -> Page? {
        guard let wanted = nextPageNumber else { return nil }
        isAtEnd = true
        if let maxPages = feed.maxPages, wanted > maxPages {
            throw Failure(.paginationLoop, "the feed has more than \(maxPages) pages")
        }
        if let next {
            if let address = next.foreignAddress { throw Failure(.crossOriginNext, address) }
            if let earlier = cursors.updateValue(wanted, forKey: next) {
                throw Failure(.paginationLoop, "page \(wanted) repeats page \(earlier)")
            }
        }
        let page = try await feed.page(wanted, at: next, token: token)
        guard page.photos.count <= Self.maxPhotosPerPage else {
            throw Failure(
                .feedParse, "page \(wanted) has \(page.photos.count) photos (limit \(Self.maxPhotosPerPage))")
        }
        number = wanted
        next = page.next
        // Some services link from their last page to an empty one.
        let isLast = page.photos.isEmpty && !page.mayBeEmpty && page.next?.foreignAddress == nil
        isAtEnd = page.next == nil || isLast
        isEmpty = page.photos.isEmpty
        return page
    }

    /// Records how many photos of the last page were new; throws after too many pages without one.
    ///
    /// Finite feeds may repeat photos any number of times.
    package mutating func recordNewPhotos(count: Int) throws(Failure) {
        pagesWithoutNewPhotos = count > 0 || feed.maxPages == nil ? 0 : pagesWithoutNewPhotos + 1
        let maximum = isEmpty ? Self.maxEmptyPages : Self.maxPagesWithoutNewPhotos
        guard pagesWithoutNewPhotos < maximum || nextPageNumber == nil else {
            isAtEnd = true
            throw Failure(
                .paginationLoop, "no new photo on the \(pagesWithoutNewPhotos) pages up to page \(number)")
        }
    }
}

extension Cursor {
    /// Precedes the address of a next page that is not requested; no address starts with it.
    private static let foreignPrefix = "foreign "

    /// Creates the cursor of a next page at another origin.
    ///
    /// The walk fails when it reaches this cursor, after the photos of the page that contains it.
    static func foreign(_ address: String) -> Cursor { Cursor(rawValue: foreignPrefix + address) }

    /// The address, if the next page is at another origin.
    var foreignAddress: String? {
        guard rawValue.hasPrefix(Self.foreignPrefix) else { return nil }
        // With paging by tree, other listings follow.
        return rawValue.dropFirst(Self.foreignPrefix.count).split(separator: "\n").first.map(String.init) ?? ""
    }
}
