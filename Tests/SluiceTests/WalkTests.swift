// SPDX-License-Identifier: MIT

import Foundation
import SluiceFeeds
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Reading a feed page by page during a run.
@Suite("Feed walk", .timeLimit(.minutes(10))) struct WalkTests: MirrorSuite {
    /// One more than a page of a list has.
    private static let count = 1001

    private let service = HeldPhotos()
    let folder = TemporaryFolder()
    let origin: OriginServer

    init() throws {
        origin = try OriginServer(service)
        try list(1...Self.count)
    }

    func prepare(_ options: inout MirrorOptions) {
        options.concurrency = 4
        options.durability = .none
        options.writesGallery = false
    }

    @Test("The next page is claimed while the items of the previous one wait for the pool")
    func ahead() async throws {
        let mirror = mirror()
        let events = mirror.events()
        async let running = mirror.run()
        for await event in events {
            // The gate opens only here, so the walk cannot have finished the page before.
            if case .pageLoaded(number: 2, _, _) = event { service.gate.open() }
        }
        #expect(try await running.done == Self.count)
    }

    @Test("A page beyond the limits is not claimed", arguments: [1000, 3])
    func enough(items: Int) async throws {
        service.gate.open()
        let summary = try await run { $0.maxItems = items }
        #expect((summary.pages, summary.done) == (1, items))
    }

    @Test("Consecutive kept items end the walk before the next page is claimed")
    func seen() async throws {
        service.gate.open()
        #expect(try await run { $0.maxItems = 1000 }.done == 1000)
        let summary = try await run { $0.stopAfterSeen = 1000 }
        #expect((summary.pages, summary.kept, summary.done) == (1, 1000, 0))
    }
}

/// Runs over a web page whose pictures have several renditions.
@Suite("Renditions of a page", .timeLimit(.minutes(10))) struct PageRenditionTests: MirrorSuite {
    /// A page whose host has only the smallest of three renditions: one is missing, and one is a text.
    private let service = ScriptedService { request in
        switch request.path {
        case "/":
            OriginReply(
                type: "text/html", Array("<img srcset='/none.png 900w, /text.png 600w, /small.png 300w'>".utf8))
        case "/small.png": OriginReply(type: "image/png", png(side: 120))
        case "/text.png": .text("There is none.")
        default: .text("", status: 404)
        }
    }
    let folder = TemporaryFolder()
    let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    private func mirror(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> Summary {
        try await PhotoMirror(of: [origin.address], into: out, options: options(change)).run()
    }

    @Test("The next rendition takes the place of one that the host does not have") func fallback() async throws {
        #expect(try await mirror().done == 1)
        #expect(try manifest().first?["url"]?.text == address("small.png"))
        #expect(try manifest().first?["width"]?.integer == 120)
        service.forget()
        // The host may have the larger ones by now.
        #expect(try await mirror().done == 1)
        #expect(service.requests.map(\.path).filter { $0.hasSuffix("png") } == ["/none.png", "/text.png"])
    }

    @Test("A variant that the user chose has no substitute") func chosen() async throws {
        #expect(try await mirror { $0.variant = Variant.original }.failed == 1)
    }
}

/// Whole runs against services with endless paging, or whose pages change during a run.
@Suite("Looping and changing feeds", .timeLimit(.minutes(10))) struct LoopingFeedTests {
    /// Serves pages that a test computes from the page number and the number of earlier requests.
    private final class Service: OriginService {
        private let count = Locked(0)
        private let page: @Sendable (_ number: Int, _ asked: Int) -> (ids: [Int], next: String?)

        init(_ page: @escaping @Sendable (_ number: Int, _ asked: Int) -> (ids: [Int], next: String?)) {
            self.page = page
        }

        func reply(to request: OriginRequest) -> OriginReply {
            guard request.path == "/list" else { return OriginReply(type: "image/png", png()) }
            let asked = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let (ids, next) = page(request.query("page").flatMap { Int($0) } ?? 1, asked)
            // A negative number stands for a record without an ID.
            let records = ids.map { $0 < 0 ? "{}" : #"{"id":"\#($0)","url":"/\#($0)"}"# }.joined(separator: ",")
            return .json("{\"items\":[\(records)]\(next.map { ",\"next\":\"\($0)\"" } ?? "")}")
        }
    }

    private let folder = TemporaryFolder()

    private func run(_ origin: OriginServer, pages: Int? = nil) async throws -> Summary {
        let recipe = """
            {"recipe":"x","base":"http://127.0.0.1:\(origin.port)","listings":{"all":{"path":"/list"}},"records":"items",
            "paging":{"by":"url","path":"next"},"photo":{"id":"id"},"variants":{"full":"url"}}
            """
        try folder.write(recipe, to: "service.json")
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.pages = pages
        return try await PhotoMirror(of: folder.path("service.json"), into: folder.path("out"), options: options).run()
    }

    @Test(
        "Endless paging is detected as a loop, and the photos found are kept",
        arguments: ["itself", "two that name each other", "new pages with known photos"])
    func loops(kind: String) async throws {
        let origin = try OriginServer(
            Service { number, _ in
                switch kind {
                case "itself": ([1, 2], "/list?page=1")
                case "two that name each other": ([number], "/list?page=\(number == 2 ? 3 : 2)")
                default: ([1, 2], "/list?page=\(number + 1)")
                }
            })
        let summary = try await run(origin)
        #expect(summary.pageFailure?.cause == .paginationLoop && summary.failedPages == 1)
        #expect(summary.done == (kind == "two that name each other" ? 3 : 2) && summary.failed == 0)
    }

    /// A photo is inserted at the front after the first page.
    ///
    /// The second page then repeats the last photo of the first, and the new photo is on neither.
    @Test("If a feed changes between two pages, each photo is processed once, and the next run finds the missed one")
    func flapping() async throws {
        let origin = try OriginServer(
            Service { number, asked in
                let all = asked == 0 ? [1, 2, 3, 4, 5] : [0, 1, 2, 3, 4, 5]
                let start = (number - 1) * 2
                let next = start + 2 < all.count ? "/list?page=\(number + 1)" : nil
                return (Array(all[start..<min(start + 2, all.count)]), next)
            })
        let first = try await run(origin)
        #expect((first.done, first.failed, first.pageFailure) == (5, 0, nil))
        let second = try await run(origin)
        #expect((second.done, second.kept) == (1, 5))
        let third = try await run(origin)
        #expect((third.done, third.kept) == (0, 6))
        #expect(try ids() == ["1", "2", "3", "4", "5", "0"])
    }

    @Test("The item of an invalid record remains until its page no longer has the record")
    func mended() async throws {
        let origin = try OriginServer(
            Service { number, asked in
                number == 1 ? ([1], "/list?page=2") : ([asked < 3 ? -1 : 2], nil)
            })
        #expect(try await run(origin).failed == 1)
        #expect(try ids() == ["1", "record 1 of page 2"])
        #expect(try await run(origin, pages: 1).kept == 1)
        #expect(try ids() == ["1", "record 1 of page 2"])
        let last = try await run(origin)
        #expect((last.done, last.kept, last.failed) == (1, 1, 0))
        #expect(try ids() == ["1", "2"])
    }

    private func ids() throws -> [String?] {
        try folder.manifest().map { $0["id"]?.text }
    }
}
