// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Page walker", .timeLimit(.minutes(10))) struct PageWalkerTests {
    /// A feed of fixed pages, by cursor: the number of photos and the next cursor.
    private struct StubFeed: Feed {
        let name = "stub"
        let defaultVariant = "full"
        let pages: [String: (photos: Int, next: String?)]
        var maxPages: Int? = 10_000

        func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
            guard let page = pages[cursor?.rawValue ?? ""] else { throw Failure(.httpClientError(404), "") }
            return Page(
                number: number, photos: (0..<page.photos).map { Photo(id: "\(number)-\($0)") },
                next: page.next.map(Cursor.init))
        }
    }

    private func numbers(_ pages: [String: (photos: Int, next: String?)], limit: Int? = nil) async throws -> [Int] {
        var walker = PageWalker(StubFeed(pages: pages), limit: limit)
        var numbers: [Int] = []
        while let page = try await walker.nextPage(token: CancellationToken()) { numbers.append(page.number) }
        return numbers
    }

    @Test("Walks to the last page or to the page limit")
    func ends() async throws {
        let pages = ["": (2, "b"), "b": (2, "c"), "c": (1, nil)]
        #expect(try await numbers(pages) == [1, 2, 3])
        #expect(try await numbers(pages, limit: 2) == [1, 2])
    }

    @Test("Ends before an empty page that the last page links to")
    func emptyLastPage() async throws {
        #expect(try await numbers(["": (2, "b"), "b": (0, "c"), "c": (2, nil)]) == [1, 2])
    }

    @Test(
        "Reports a repeated cursor as a loop",
        arguments: [["": (1, "b"), "b": (1, "b")], ["": (1, "b"), "b": (1, "c"), "c": (1, "b")]])
    func loop(pages: [String: (photos: Int, next: String?)]) async throws {
        let failure = await #expect(throws: Failure.self) { try await numbers(pages) }
        #expect(failure?.cause == .paginationLoop)
    }

    @Test("Stops after three pages without a new photo")
    func noNewPhotos() async throws {
        var walker = PageWalker(StubFeed(pages: ["": (1, "b"), "b": (1, "c"), "c": (1, "d"), "d": (1, "e")]))
        for _ in 0..<2 {
            _ = try await walker.nextPage(token: CancellationToken())
            try walker.recordNewPhotos(count: 0)
        }
        _ = try await walker.nextPage(token: CancellationToken())
        #expect(throws: Failure.self) { try walker.recordNewPhotos(count: 0) }
        #expect(walker.nextPageNumber == nil)
    }

    @Test("Reports a feed longer than its page limit as a loop, and does not limit finite feeds")
    func endless() async throws {
        let pages = ["": (1, "b"), "b": (1, "c"), "c": (1, "d"), "d": (1, nil)]
        var walker = PageWalker(StubFeed(pages: pages, maxPages: 3))
        for _ in 0..<3 { _ = try await walker.nextPage(token: CancellationToken()) }
        let failure = await #expect(throws: Failure.self) { try await walker.nextPage(token: CancellationToken()) }
        #expect(failure == Failure(.paginationLoop, "the feed has more than 3 pages"))
        var unlimited = PageWalker(StubFeed(pages: pages, maxPages: nil))
        while try await unlimited.nextPage(token: CancellationToken()) != nil {}
        #expect(unlimited.nextPageNumber == nil)
    }

    @Test("Stops at an empty page, or after 100 of them if the feed may return empty pages")
    func emptyPages() async throws {
        struct EmptyFeed: Feed {
            let name = "empty"
            let defaultVariant = "full"
            let mayBeEmpty: Bool
            var maxPages: Int? = 10_000

            func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
                var page = Page(number: number, photos: [], next: number < 150 ? Cursor(rawValue: "\(number)") : nil)
                page.mayBeEmpty = mayBeEmpty
                return page
            }
        }
        func count(_ feed: EmptyFeed) async -> Int {
            var walker = PageWalker(feed)
            var count = 0
            while case .some = try? await walker.nextPage(token: CancellationToken()) {
                count += 1
                do { try walker.recordNewPhotos(count: 0) } catch { break }
            }
            return count
        }
        #expect(await count(EmptyFeed(mayBeEmpty: false)) == 1)
        #expect(await count(EmptyFeed(mayBeEmpty: true)) == 100)
        #expect(await count(EmptyFeed(mayBeEmpty: true, maxPages: nil)) == 150)
    }

    @Test("Rejects a page with more than 100,000 photos")
    func tooManyPhotos() async throws {
        var walker = PageWalker(StubFeed(pages: ["": (100_001, nil)]))
        let failure = await #expect(throws: Failure.self) { try await walker.nextPage(token: CancellationToken()) }
        #expect(failure?.cause == .feedParse && failure?.detail.contains("100001") == true)
    }

    @Test("The prefetcher loads one page ahead and reports its failure when the page is taken")
    func prefetching() async throws {
        var pages = PagePrefetcher(PageWalker(StubFeed(pages: ["": (1, "gone")])), token: CancellationToken())
        #expect(pages.nextPageNumber == 1 && !pages.isPrefetching)
        #expect(try await pages.next()?.number == 1)
        pages.prefetch()
        #expect(pages.isPrefetching && !pages.hasFailed && pages.nextPageNumber == 2)
        await #expect(throws: Failure.self) { try await pages.next() }
        #expect(pages.hasFailed && pages.nextPageNumber == nil)
    }

    @Test("Ends the walk when a page cannot be loaded")
    func failure() async throws {
        var walker = PageWalker(StubFeed(pages: ["": (1, "gone")]))
        _ = try await walker.nextPage(token: CancellationToken())
        let failure = await #expect(throws: Failure.self) { try await walker.nextPage(token: CancellationToken()) }
        #expect(failure?.cause == .httpClientError(404))
        #expect(walker.nextPageNumber == nil)
    }
}
