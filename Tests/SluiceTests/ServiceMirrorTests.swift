// SPDX-License-Identifier: MIT

import Foundation
import SluiceFeeds
import SluiceImaging
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Whole runs against a test service with a recipe.
@Suite("Mirror of a service", .serialized, .timeLimit(.minutes(10))) struct ServiceMirrorTests {
    /// Serves six photos on three pages.
    ///
    /// Responses can be overridden.
    private final class Service: OriginService {
        private let seen = Locked<[String]>([])
        private let broken = Locked<Set<String>>([])

        var requests: [String] { seen.withLock { $0 } }
        func forget() { seen.withLock { $0 = [] } }
        func fail(_ targets: Set<String>) { broken.withLock { $0 = targets } }

        func reply(to request: OriginRequest) -> OriginReply {
            seen.withLock { $0.append(request.target) }
            if broken.withLock({ $0.contains(request.target) }) { return .text("", status: 404) }
            if request.path.hasPrefix("/ping/") { return .json("{}") }
            guard request.path == "/list" else { return OriginReply(type: "image/png", png()) }
            let page = request.query("page").flatMap { Int($0) } ?? 1
            let records = [2 * page - 1, 2 * page].map { id in
                #"{"id":"\#(id)","url":"/small/\#(id)","large":"/large/\#(id)","ping":"/ping/\#(id)"}"#
            }
            let next = page < 3 ? #","next":"/list?page=\#(page + 1)""# : ""
            return .json("{\"items\":[\(records.joined(separator: ","))]\(next)}")
        }
    }

    private let folder = TemporaryFolder()
    private let service = Service()
    private let origin: OriginServer
    private var source: String { folder.path("service.json") }

    init() throws {
        origin = try OriginServer(service)
        let recipe = """
            {"recipe":"x","base":"http://127.0.0.1:\(origin.port)","listings":{"all":{"path":"/list"}},
            "paging":{"by":"url","path":"next"},"records":"items","photo":{"id":"id","ping":{"template":"http://127.0.0.1:\(origin.port){ping}"}},
            "variants":{"large":{"path":"large","width":1000},"small":{"path":"url","width":200}},
            "politeness":{"cap":4,"bandwidth":4000000},"terms":"https://x.test/terms"}
            """
        try folder.write(recipe, to: "service.json")
    }

    private func run(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> (
        summary: Summary, notes: [String]
    ) {
        var options = MirrorOptions()
        options.variant = "small"
        options.hasPermission = true
        options.thumbnails.sizes = []
        options.retries = 0
        change(&options)
        let notes = Locked<[String]>([])
        let summary = try await PhotoMirror(of: source, into: folder.path("mirror"), options: options).run { event in
            if case .note(let note, _) = event { notes.withLock { $0.append(note) } }
        }
        return (summary, notes.withLock { $0 })
    }

    @Test(
        "A recipe's bandwidth applies unless the user's is lower",
        arguments: [(nil, 4_000_000), (1000, 1000), (5_000_000, 4_000_000)])
    func bandwidth(own: Int?, expected: Int) throws {
        var options = MirrorOptions()
        options.network.bandwidth = own
        let known = try Source(source)
        let alone = try FeedSession([known], options: options, width: 1, token: CancellationToken())
        #expect(alone.transfers.options.bandwidth == expected)
        let shared = try FeedSession(
            [known], options: options, width: 1, token: CancellationToken(), shares: ["a.test": 4])
        #expect(shared.transfers.options.bandwidth == min(expected, 1_000_000))
    }

    @Test("Every photo is downloaded once, and each download is reported to the service")
    func whole() async throws {
        let (summary, notes) = try await run()
        #expect((summary.pages, summary.done, summary.failed) == (3, 6, 0) && notes == [])
        let requests = Set(service.requests)
        #expect(requests.isSuperset(of: (1...6).flatMap { ["/small/\($0)", "/ping/\($0)"] }))
        #expect(service.requests.count == 3 + 6 + 6)
        service.forget()
        #expect(try await run().summary.kept == 6)
        #expect(
            service.requests == ["/list", "/list?page=2", "/list?page=3"],
            "after a complete run the next one starts from the first page")
    }

    @Test("A failed page is reported, and the next run resumes there without requesting earlier pages")
    func resumed() async throws {
        service.fail(["/list?page=3", "/small/2"])
        let (first, _) = try await run()
        #expect((first.pages, first.failedPages, first.done, first.failed) == (2, 1, 3, 1))
        service.forget()
        service.fail([])
        let (second, _) = try await run()
        #expect((second.pages, second.done, second.kept, second.failedPages) == (3, 3, 3, 0))
        #expect(service.requests.filter { $0.hasPrefix("/list") } == ["/list?page=3"])
        #expect(service.requests.contains("/small/2"), "what failed has another turn")
    }

    @Test("After a change of the recipe, the next run starts from the first page")
    func changed() async throws {
        service.fail(["/list?page=3"])
        _ = try await run()
        service.forget()
        let recipe = try folder.text("service.json")
        try folder.write(recipe + "\n", to: "service.json")
        _ = try await run()
        #expect(service.requests.filter { $0.hasPrefix("/list") } == ["/list", "/list?page=2", "/list?page=3"])
    }

    @Test("A run says which key a recipe sends to which host")
    func keyNote() async throws {
        let recipe = try folder.text("service.json")
        let key = #","key":{"environment":"X_KEY","from":"https://x.test/","header":"X-Key","optional":true}}"#
        try folder.write(recipe.dropLast() + key, to: "service.json")
        #expect(try await run { $0.pages = 1 }.notes == [])
        _ = unsafe setenv("X_KEY", "the-secret", 1)
        defer { _ = unsafe unsetenv("X_KEY") }
        #expect(
            try await run { $0.pages = 1 }.notes == [
                "the recipe '\(source)' sends the key in X_KEY to http://127.0.0.1"
            ])
    }

    @Test("A run without permission stops at the limit of the terms, with a note")
    func capped() async throws {
        let (summary, notes) = try await run { $0.hasPermission = false }
        #expect((summary.done, summary.pages) == (4, 2))
        #expect(
            notes == [
                "stopped at 4 photos, the limit of x's terms (https://x.test/terms)"
            ])
        #expect(!service.requests.contains("/list?page=3"))
    }

    @Test("With stopAfterSeen, a run ends at the first known photos")
    func seen() async throws {
        _ = try await run { $0.pages = 1 }
        service.forget()
        let (summary, _) = try await run { $0.stopAfterSeen = 2 }
        #expect((summary.kept, summary.done, summary.pages) == (2, 0, 1))
    }

    @Test(
        "If only thumbnails are kept, the smallest sufficient variant is downloaded",
        arguments: [("128", "/small/1"), ("200", "/small/1"), ("256", "/large/1"), ("4000", "/large/1")])
    func least(size: String, path: String) async throws {
        _ = try await run {
            $0.variant = nil
            $0.keepsOriginals = false
            $0.thumbnails.sizes = [ThumbnailSize(width: Int(size), height: Int(size))]
            $0.maxItems = 1
        }
        #expect(service.requests.contains(path))
    }

    @Test("An invalid record is one failed item with its position, in every run")
    func flawed() async throws {
        let recipe = try folder.text("service.json").replacing(#""id":"id""#, with: #""id":"none""#)
        try Data(recipe.utf8).write(to: URL(filePath: source))
        for _ in 1...2 {
            let (summary, _) = try await run { $0.pages = 1 }
            #expect((summary.failed, summary.done) == (2, 0) && summary.causes == [.feedParse: 2])
        }
        let manifest = try folder.text("mirror/manifest.jsonl")
        #expect(manifest.contains(#""id":"record 1 of page 1""#) && manifest.contains(#""cause":"feed-parse""#))
        #expect(!service.requests.contains { $0.hasPrefix("/small") })
    }

    @Test("A service that requires a contact is not used without one")
    func contact() async throws {
        let folder = folder.path("other")
        let error = await #expect(throws: MirrorError.self) {
            try await PhotoMirror(of: "commons:search/lakes", into: folder).run()
        }
        #expect(error?.code == .usage && error?.hint == .setContact)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("The error for a missing key names the variable and where to get a key")
    func key() async throws {
        _ = unsafe unsetenv("UNSPLASH_ACCESS_KEY")
        let error = await #expect(throws: MirrorError.self) {
            try await PhotoMirror(of: "unsplash", into: folder.path("other")).run()
        }
        #expect(
            error
                == MirrorError(
                    .usage,
                    "unsplash requires an API key: set UNSPLASH_ACCESS_KEY to the key or UNSPLASH_ACCESS_KEY_FILE to a file with it; "
                        + "get one at https://unsplash.com/oauth/applications"))
    }
}
