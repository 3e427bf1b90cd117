// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Runs that read several sources into one mirror.
@Suite("Several sources in a run", .serialized, .timeLimit(.minutes(10))) struct SeveralSourcesTests: MirrorSuite {
    /// Serves pictures, of which each path has its own, Atom feeds, and paths that are missing.
    private final class Service: OriginService {
        let requests = Locked<[String]>([])
        let missing = Locked<Set<String>>([])
        let feeds = Locked<[String: String]>([:])
        /// Holds back the replies to paths that begin with /late.
        let gate = OriginGate()

        func reply(to request: OriginRequest) -> OriginReply {
            requests.withLock { $0.append(request.path) }
            if missing.withLock({ $0.contains(request.path) }) { return .text("", status: 404) }
            if let feed = feeds.withLock({ $0[request.path] }) {
                var reply = OriginReply(type: "application/atom+xml", Array(feed.utf8))
                if request.path.hasPrefix("/late") { reply.gate = gate }
                return reply
            }
            return OriginReply(type: "image/png", png(UInt8(Fingerprint(request.path).value & 0xFF)))
        }

        func count(_ path: String) -> Int { requests.withLock { $0.count { $0 == path } } }
    }

    let folder = TemporaryFolder()
    private let service = Service()
    let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    func prepare(_ options: inout MirrorOptions) {
        options.thumbnails.sizes = [ThumbnailSize(width: 4, height: 4)]
        options.network.respectsRobotsTxt = false
        options.retries = 0
    }

    /// Writes a table of photos with their ids and the paths of their addresses.
    private func list(_ rows: [(String, String)], _ name: String) throws {
        let text = "id,url\n" + rows.map { "\($0.0),http://127.0.0.1:\(origin.port)\($0.1)\n" }.joined()
        try folder.write(text, to: name)
    }

    private func mirror(_ names: [String], _ change: (inout MirrorOptions) -> Void = { _ in }) -> PhotoMirror {
        let sources = names.map { $0.hasPrefix("http") ? $0 : folder.path($0) }
        return PhotoMirror(of: sources, into: out, options: options(change))
    }

    @Test("Photos state their sources, photos with the same id remain distinct, and a shared photo is downloaded once")
    func ids() async throws {
        try list([("1", "/a"), ("2", "/both")], "a.csv")
        try list([("1", "/b"), ("2", "/both")], "b.csv")
        try folder.write("http://127.0.0.1:\(origin.port)/c\nno address\n", to: "c.txt")
        try folder.write("http://127.0.0.1:\(origin.port)/d\nnone either\n", to: "d.txt")
        let sources = ["a.csv", "b.csv", "c.txt", "d.txt"]
        let (rehearsal, lines) = try await mirror(sources).rehearsed()
        #expect(rehearsal.causes[.deferred] == 5 && rehearsal.failed == 2 && rehearsal.failedPages == 0)
        let summary = try await mirror(sources).run()
        #expect(summary.done == 5 && summary.failed == 2 && summary.failedPages == 0, "\(summary)")
        let found = try manifest()
        let expected = [
            ("1", "a.csv"), ("2", "a.csv"), ("1@\(folder.path("b.csv"))", "b.csv"),
            ("http://127.0.0.1:\(origin.port)/c", "c.txt"), ("line 2", "c.txt"),
            ("http://127.0.0.1:\(origin.port)/d", "d.txt"), ("line 2@\(folder.path("d.txt"))", "d.txt"),
        ]
        for listed in [lines, found] {
            #expect(listed.map { $0["id"]?.text } == expected.map(\.0))
            #expect(listed.map { $0["source"]?.text } == expected.map { folder.path($0.1) })
            #expect(listed.allSatisfy { $0["feed"]?.text == "list" })
        }
        #expect(["/a", "/b", "/both", "/c", "/d"].allSatisfy { service.count($0) == 1 })
        // The next run finds all of them again, and a mirror of one list keeps its photos.
        #expect(try await mirror(sources).run().kept == 5)
        #expect(try await mirror(["a.csv"]).run().kept == 2)
        #expect(["/a", "/b", "/both", "/c", "/d"].allSatisfy { service.count($0) == 1 })
    }

    @Test("A source that cannot be read is reported with its name, the others continue, and nothing is pruned")
    func failing() async throws {
        try list([("1", "/1"), ("2", "/2")], "a.csv")
        try list([("3", "/3")], "b.csv")
        try list([("4", "/4")], "c.csv")
        let sources = ["a.csv", "b.csv", "c.csv"]
        #expect(try await mirror(sources).run().done == 4)
        try folder.write("nr,name\n1,x\n", to: "b.csv")
        try list([("1", "/1")], "a.csv")
        let failures = Locked<[String]>([])
        func prune(_ names: [String]) async throws -> Summary {
            try await mirror(names) {
                $0.prune = PruneOptions()
                $0.prune?.limit = 100
            }.run { event in
                if case .pageFailed(_, let failure) = event { failures.withLock { $0.append(failure.detail) } }
            }
        }
        let summary = try await prune(sources)
        #expect(summary.failedPages == 1 && summary.pages == 2 && summary.kept == 2, "\(summary)")
        #expect(failures.withLock { $0.count == 1 && $0[0].hasPrefix(folder.path("b.csv")) }, "\(failures)")
        #expect(try manifest().count == 4)
        let again = try await mirror(sources).run()
        #expect(again.failedPages == 1 && again.kept == 2)
        // A run of one of the sources does not know whether another still lists the photo.
        #expect(try await prune(["a.csv"]).kept == 1)
        #expect(try manifest().count == 4)
        // Photo 2 left its list, but another lists it: only photo 3 is in no list.
        try list([("4", "/4"), ("2", "/2")], "c.csv")
        try list([], "b.csv")
        try folder.write("id,url\n5,http://127.0.0.1:\(origin.port)/5\n", to: "b.csv")
        #expect(try await prune(sources).kept == 3)
        #expect(Set(try manifest().compactMap { $0["id"]?.text }) == ["1", "2", "4", "5"])
    }

    @Test("An interrupted run resumes inside the feeds and requests no recorded page again")
    func resumes() async throws {
        func feed(_ ids: [String], next: String? = nil) -> String {
            let entries = ids.map { id in
                """
                <entry><id>\(id)</id><link rel="enclosure" type="image/png" href="/photo\(id)"/></entry>
                """
            }
            let link = next.map { "<link rel=\"next\" href=\"\($0)\"/>" } ?? ""
            return "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title>\(link)\(entries.joined())</feed>"
        }
        service.feeds.withLock {
            $0 = [
                "/a1": feed(["1", "2"], next: "/a2"), "/a2": feed(["3"]), "/b1": feed(["4"], next: "/late"),
                "/late": feed(["5"]),
            ]
        }
        let sources = ["/a1", "/b1"].map { "http://127.0.0.1:\(origin.port)\($0)" }
        let first = mirror(sources)
        _ = try await first.run { event in
            if case .pageLoaded(number: 3, _, _) = event { first.stop(.requested) }
        }
        service.gate.open()
        let second = try await mirror(sources).run()
        #expect(second.done + second.kept == 5 && second.pages == 4 && second.failedPages == 0, "\(second)")
        #expect(service.count("/a1") == 1 && service.count("/a2") == 1)
        let lines = try manifest()
        #expect(lines.compactMap { $0["id"]?.text } == ["1", "2", "3", "4", "5"])
        #expect(lines.map { $0["source"]?.text } == [0, 0, 0, 1, 1].map { sources[$0] })
        #expect(lines.compactMap { $0["page"]?.integer } == [1, 1, 2, 3, 4])
        // The pages of a complete run are read again.
        _ = try await mirror(sources).run()
        #expect(service.count("/a1") == 2)
    }

    @Test("A folder, named photos and a list have their own inputs, also when failures are retried")
    func kinds() async throws {
        try folder.write(png(10), to: "in/a.png")
        try folder.write(png(20), to: "one.png")
        try folder.write(png(30), to: "two.png")
        try list([("1", "/1"), ("2", "/2")], "list.csv")
        // No list may refer to a local file.
        try folder.write("url\n\(folder.path("in/secret.png"))\n".utf8, to: "evil.csv")
        try folder.write(png(40), to: "in/secret.png")
        service.missing.withLock { $0 = ["/2"] }
        let sources = ["in", "one.png", "list.csv", "evil.csv", "two.png"]
        let summary = try await mirror(sources).run()
        #expect(summary.done == 5 && summary.failed == 2 && summary.failedPages == 0, "\(summary)")
        let lines = try manifest()
        #expect(lines.compactMap { $0["feed"]?.text } == ["files", "files", "files", "list", "list", "list", "files"])
        service.missing.withLock { $0 = [] }
        let retried = try await mirror(sources) { $0.retriedCauses = CauseSet("http-4xx") }.run()
        #expect(retried.done == 1 && retried.failed == 0, "\(retried)")
        #expect(try await mirror(sources).run().kept == 6)
        let run = try #require(try PhotoMirror.runs(in: folder.path("out")).last)
        #expect(run.reads("files") && run.reads("list") && !run.reads("demo"))
        #expect(run.shownSource == "\(folder.path("in")) and 4 more")
    }

    @Test("Damaged files of several feeds are repaired from their own inputs")
    func repairs() async throws {
        try folder.write(png(10), to: "in/a.png")
        try list([("1", "/1")], "list.csv")
        let sources = ["in", "list.csv"]
        #expect(try await mirror(sources).run().done == 2)
        for name in folder.names() where name.hasPrefix("out/originals/") && name.hasSuffix(".png") {
            try folder.remove(name)
        }
        let broken = try await Verification(of: folder.path("out")).run { _ in }.broken
        #expect(broken.keys.sorted() == ["files", "list"])
        for (_, items) in broken {
            var options = MirrorOptions()
            options.network.allowsPrivate = true
            options.network.allowedPorts = [Int(origin.port)]
            let repair = PhotoMirror(
                of: sources.map(folder.path), into: folder.path("out"), options: options, repairing: items)
            #expect(try await repair.run().done == 1)
        }
        #expect(try await Verification(of: folder.path("out")).run { _ in }.faults == [:])
    }

    @Test("Limits of photos count all sources, limits of pages and kept photos each of them")
    func limits() async throws {
        try list((1...4).map { ("\($0)", "/\($0)") }, "a.csv")
        try list((5...8).map { ("\($0)", "/\($0)") }, "b.csv")
        #expect(try await mirror(["a.csv", "b.csv"]) { $0.maxItems = 6 }.run().done == 6)
        #expect(try await mirror(["a.csv", "b.csv"]) { $0.pages = 1 }.run().ended == 8)
        try list((5...9).map { ("\($0)", "/\($0)") }.reversed(), "b.csv")
        let summary = try await mirror(["a.csv", "b.csv"]) { $0.stopAfterSeen = 2 }.run()
        #expect(summary.done == 1, "\(summary)")
    }

    /// Each item had an address, and only downloads at the same time were combined.
    @Test("An address that sources of different kinds list is downloaded once, in this run or an earlier one")
    func addresses() async throws {
        let address = "http://127.0.0.1:\(origin.port)/shared"
        service.feeds.withLock {
            $0 = [
                "/feed": """
                <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>e</id>
                <link rel="enclosure" type="image/png" href="/shared"/></entry></feed>
                """
            ]
        }
        try list([("1", "/shared"), ("2", "/list")], "a.csv")
        try folder.write(
            """
            <?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
            xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>http://a.test/</loc>
            <image:image><image:loc>\(address)</image:loc></image:image></url></urlset>
            """.utf8, to: "map.xml")
        let feed = "http://127.0.0.1:\(origin.port)/feed"
        let summary = try await mirror(["a.csv", feed, "map.xml"]).run()
        #expect(summary.done == 4 && summary.failed == 0, "\(summary)")
        #expect(service.count("/shared") == 1 && service.count("/list") == 1)
        let lines = try manifest()
        let shared = lines.filter { $0["url"]?.text == address }
        #expect(shared.count == 3 && Set(shared.compactMap { $0["sha256"]?.text }).count == 1, "\(lines)")
        let inodes = try shared.compactMap { $0["file"]?.text }.map {
            try FileManager.default.attributesOfItem(atPath: folder.path("out/\($0)"))[.systemFileNumber] as? Int
        }
        #expect(inodes.count == 3, "\(shared)")
        // A source that is added later copies the files that are kept.
        try folder.remove("out")
        #expect(try await mirror(["a.csv"]).run().done == 2)
        let second = try await mirror(["a.csv", feed]).run()
        #expect(second.kept == 2 && second.done == 1 && service.count("/shared") == 2, "\(second)")
    }

    @Test("An address that fails for one source is downloaded for the next")
    func failedAddress() async throws {
        let address = "http://127.0.0.1:\(origin.port)/shared"
        try folder.write("url,sha256\n\(address),\(String(repeating: "0", count: 64))\n".utf8, to: "a.csv")
        try folder.write("[{\"url\": \"\(address)\", \"id\": \"b\"}]", to: "b.json")
        let summary = try await mirror(["a.csv", "b.json"]).run()
        #expect(summary.done == 1 && summary.failed == 1, "\(summary)")
    }

    @Test("Additional headers are not sent to the hosts of several sources")
    func headers() async throws {
        let sources = ["http://127.0.0.1:\(origin.port)/a", "http://localhost:\(origin.port)/b"]
        await #expect(throws: MirrorError.self) { try await mirror(sources) { $0.headers = ["X-Key: 1"] }.run() }
        #expect(service.requests.withLock { $0.isEmpty })
    }
}
