// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Walk") struct WalkTests {
    /// A feed of pages that a test wrote down: each has so many photos and the next cursor.
    private struct WrittenFeed: Feed {
        let name = "written"
        let defaultVariant = "full"
        let pages: [String: (photos: Int, next: String?)]
        var longest: Int? = 10_000

        func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
            guard let page = pages[cursor?.rawValue ?? ""] else { throw Failure(.httpClientError(404), "") }
            return Page(
                number: number, photos: (0..<page.photos).map { Photo(id: "\(number)-\($0)") },
                next: page.next.map(Cursor.init))
        }
    }

    private func numbers(_ pages: [String: (photos: Int, next: String?)], limit: Int? = nil) async throws -> [Int] {
        var walk = Walk(WrittenFeed(pages: pages), limit: limit)
        var numbers: [Int] = []
        while let page = try await walk.nextPage(token: Token()) { numbers.append(page.number) }
        return numbers
    }

    @Test("It goes to the end, or as far as is wanted")
    func ends() async throws {
        let pages = ["": (2, "b"), "b": (2, "c"), "c": (1, nil)]
        #expect(try await numbers(pages) == [1, 2, 3])
        #expect(try await numbers(pages, limit: 2) == [1, 2])
    }

    @Test("A link from the last page to an empty one ends the walk there")
    func phantom() async throws {
        #expect(try await numbers(["": (2, "b"), "b": (0, "c"), "c": (2, nil)]) == [1, 2])
    }

    @Test(
        "A cursor that comes back is a loop",
        arguments: [["": (1, "b"), "b": (1, "b")], ["": (1, "b"), "b": (1, "c"), "c": (1, "b")]])
    func loop(pages: [String: (photos: Int, next: String?)]) async throws {
        let failure = await #expect(throws: Failure.self) { try await numbers(pages) }
        #expect(failure?.cause == .paginationLoop)
    }

    @Test("Three pages without one new photo end the walk")
    func noNews() async throws {
        var walk = Walk(WrittenFeed(pages: ["": (1, "b"), "b": (1, "c"), "c": (1, "d"), "d": (1, "e")]))
        for _ in 0..<2 {
            _ = try await walk.nextPage(token: Token())
            try walk.found(new: 0)
        }
        _ = try await walk.nextPage(token: Token())
        #expect(throws: Failure.self) { try walk.found(new: 0) }
        #expect(walk.nextNumber == nil)
    }

    @Test("A feed that never ends is a loop, unless it is known to end")
    func endless() async throws {
        let pages = ["": (1, "b"), "b": (1, "c"), "c": (1, "d"), "d": (1, nil)]
        var walk = Walk(WrittenFeed(pages: pages, longest: 3))
        for _ in 0..<3 { _ = try await walk.nextPage(token: Token()) }
        let failure = await #expect(throws: Failure.self) { try await walk.nextPage(token: Token()) }
        #expect(failure == Failure(.paginationLoop, "the feed goes on behind page 3"))
        var free = Walk(WrittenFeed(pages: pages, longest: nil))
        while try await free.nextPage(token: Token()) != nil {}
        #expect(free.nextNumber == nil)
    }

    @Test("Empty pages end a walk only where the feed does not say that it goes on behind them, and many do even then")
    func emptyPages() async throws {
        struct EmptyFeed: Feed {
            let name = "empty"
            let defaultVariant = "full"
            let mayBeEmpty: Bool
            var longest: Int? = 10_000

            func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
                var page = Page(number: number, photos: [], next: number < 150 ? Cursor(rawValue: "\(number)") : nil)
                page.mayBeEmpty = mayBeEmpty
                return page
            }
        }
        func count(_ feed: EmptyFeed) async -> Int {
            var walk = Walk(feed)
            var count = 0
            while case .some = try? await walk.nextPage(token: Token()) {
                count += 1
                do { try walk.found(new: 0) } catch { break }
            }
            return count
        }
        #expect(await count(EmptyFeed(mayBeEmpty: false)) == 1)
        #expect(await count(EmptyFeed(mayBeEmpty: true)) == 100)
        #expect(await count(EmptyFeed(mayBeEmpty: true, longest: nil)) == 150)
    }

    @Test("A page of too many photos is none")
    func crowded() async throws {
        var walk = Walk(WrittenFeed(pages: ["": (100_001, nil)]))
        let failure = await #expect(throws: Failure.self) { try await walk.nextPage(token: Token()) }
        #expect(failure?.cause == .feedParse && failure?.detail.contains("100001") == true)
    }

    @Test("One page is asked for ahead, and a failure ahead comes in its turn")
    func ahead() async throws {
        var pages = LookAhead(Walk(WrittenFeed(pages: ["": (1, "gone")])), token: Token())
        #expect(pages.nextNumber == 1 && !pages.isBegun)
        #expect(try await pages.next()?.number == 1)
        pages.begin()
        #expect(pages.isBegun && !pages.isBroken && pages.nextNumber == 2)
        await #expect(throws: Failure.self) { try await pages.next() }
        #expect(pages.isBroken && pages.nextNumber == nil)
    }

    @Test("A page that cannot be had ends the walk")
    func failure() async throws {
        var walk = Walk(WrittenFeed(pages: ["": (1, "gone")]))
        _ = try await walk.nextPage(token: Token())
        let failure = await #expect(throws: Failure.self) { try await walk.nextPage(token: Token()) }
        #expect(failure?.cause == .httpClientError(404))
        #expect(walk.nextNumber == nil)
    }
}
