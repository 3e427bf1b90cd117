// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice

/// Whole runs against services whose pages lead nowhere, or change between one page and the next.
@Suite("Looping and flapping feeds", .timeLimit(.minutes(10))) struct LoopingFeedTests {
    /// Pages that a test makes up of a page's number and of how many pages were asked for before.
    private final class Service: OriginService {
        private let picture: [UInt8]
        private let count = Locked(0)
        private let page: @Sendable (_ number: Int, _ asked: Int) -> (ids: [Int], next: String?)

        init(_ page: @escaping @Sendable (_ number: Int, _ asked: Int) -> (ids: [Int], next: String?)) throws {
            picture = try PictureEncoder(.png).encode([UInt8](repeating: 0x80, count: 4 * 64), width: 8, height: 8)
            self.page = page
        }

        func reply(to request: OriginRequest) -> OriginReply {
            guard request.path == "/list" else { return OriginReply(type: "image/png", picture) }
            let asked = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let (ids, next) = page(request.query("page").flatMap { Int($0) } ?? 1, asked)
            // Below zero is a record without an id.
            let records = ids.map { $0 < 0 ? "{}" : #"{"id":"\#($0)","url":"/\#($0)"}"# }.joined(separator: ",")
            return .json("{\"items\":[\(records)]\(next.map { ",\"next\":\"\($0)\"" } ?? "")}")
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ origin: Origin, pages: Int? = nil) async throws -> Summary {
        let recipe = """
            {"recipe":"x","base":"http://127.0.0.1:\(origin.port)","listings":{"all":{"path":"/list"}},"records":"items",
            "paging":{"by":"url","path":"next"},"photo":{"id":"id"},"variants":{"full":"url"}}
            """
        try Data(recipe.utf8).write(to: folder.url.appending(path: "service.json"))
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.pages = pages
        return try await Mirror(of: folder.path("service.json"), into: folder.path("out"), options: options).run()
    }

    @Test(
        "A way on that never comes to an end is a loop, and what was found is kept",
        arguments: ["itself", "two that name each other", "new pages with what was there"])
    func loops(kind: String) async throws {
        let origin = try Origin(
            Service { number, _ in
                switch kind {
                case "itself": ([1, 2], "/list?page=1")
                case "two that name each other": ([number], "/list?page=\(number == 2 ? 3 : 2)")
                default: ([1, 2], "/list?page=\(number + 1)")
                }
            })
        defer { origin.stop() }
        let summary = try await run(origin)
        #expect(summary.pageFailure?.cause == .paginationLoop && summary.failedPages == 1)
        #expect(summary.done == (kind == "two that name each other" ? 3 : 2) && summary.failed == 0)
    }

    /// A photo is added in front after the first page: the second begins with what the first ended with, and the new one
    /// is on none of them.
    @Test("A feed that changes between two pages gives each photo once, and the next run what the first could not see")
    func flapping() async throws {
        let origin = try Origin(
            Service { number, asked in
                let all = asked == 0 ? [1, 2, 3, 4, 5] : [0, 1, 2, 3, 4, 5]
                let start = (number - 1) * 2
                let next = start + 2 < all.count ? "/list?page=\(number + 1)" : nil
                return (Array(all[start..<min(start + 2, all.count)]), next)
            })
        defer { origin.stop() }
        let first = try await run(origin)
        #expect((first.done, first.failed, first.pageFailure) == (5, 0, nil))
        let second = try await run(origin)
        #expect((second.done, second.kept) == (1, 5))
        let third = try await run(origin)
        #expect((third.done, third.kept) == (0, 6))
        #expect(try ids() == ["1", "2", "3", "4", "5", "0"])
    }

    @Test("A bad record's row stays until a walk has seen its page without it")
    func mended() async throws {
        let origin = try Origin(
            Service { number, asked in
                number == 1 ? ([1], "/list?page=2") : ([asked < 3 ? -1 : 2], nil)
            })
        defer { origin.stop() }
        #expect(try await run(origin).failed == 1)
        #expect(try ids() == ["1", "record 1 of page 2"])
        #expect(try await run(origin, pages: 1).kept == 1)
        #expect(try ids() == ["1", "record 1 of page 2"])
        let last = try await run(origin)
        #expect((last.done, last.kept, last.failed) == (1, 1, 0))
        #expect(try ids() == ["1", "2"])
    }

    private func ids() throws -> [String?] {
        try folder.bytes(of: "out/manifest.jsonl").split(separator: UInt8(ascii: "\n")).map { line in
            try JSON(parsing: Array(line))["id"]?.text
        }
    }
}
