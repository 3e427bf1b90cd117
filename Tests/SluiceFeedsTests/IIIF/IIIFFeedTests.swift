// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Loads collections over HTTP from a server with fixed replies, in which `$` stands for its address.
@Suite("IIIF collections", .timeLimit(.minutes(10))) struct IIIFFeedTests {
    private static func manifest(_ name: String) -> String {
        """
        {"id":"$/\(name)","type":"Manifest","items":[{"id":"\(name)","items":[{"items":[{"body":{"type":"Image","id":"https://i.test/\(name)"}}]}]}]}
        """
    }

    private static func collection(_ members: String...) -> String {
        let items = members.map { #"{"id":"$/\#($0)"}"# }.joined(separator: ",")
        return #"{"type":"Collection","items":[\#(items)]}"#
    }

    /// Loads the whole feed; the `busy` paths first reply with status 429.
    private func walk(
        _ documents: [String: String], root: String = "/root", from cursor: Cursor? = nil, headers: [String] = [],
        busy: Set<String> = []
    ) async throws -> (ids: [String], causes: [Cause?], notes: [String], failure: Failure?, server: RawServer) {
        let server = try RawServer(
            sequences: Dictionary(
                uniqueKeysWithValues: documents.map { path, text in
                    let body = text.replacing("$", with: "http://iiif.test")
                    let later = [
                        RawServer.Step.text("HTTP/1.1 429 Later\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n")
                    ]
                    let reply = [
                        RawServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
                    ]
                    return (path, busy.contains(path) ? [later, reply] : [reply])
                }))
        let source = try #require(try IIIFSource("iiif:http://iiif.test" + root))
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.retry.retries = busy.isEmpty ? 0 : 1
        transferOptions.loopbackPorts = ["iiif.test": server.port]
        let home = try #require(WebAddress("http://iiif.test/"))
        transferOptions.secrets = headers.map { Secret(header: $0, for: home) }
        let feed = source.feed(through: Transfers(transferOptions), options: FeedOptions())
        var (pages, failure): ([Page], Failure?) = ([], nil)
        if let cursor {
            do throws(Failure) {
                pages = [try await feed.page(2, at: cursor, token: CancellationToken())]
            } catch { failure = error }
        } else {
            (pages, failure) = await SluiceFeedsTests.walk(feed)
        }
        let photos = pages.flatMap(\.photos)
        return (photos.map(\.id), photos.map(\.invalidReason?.cause), pages.flatMap(\.notes), failure, server)
    }

    @Test("A manifest is one page; a collection has a page for each manifest, depth first")
    func tree() async throws {
        #expect(try await walk(["/root": Self.manifest("a")]).ids == ["a"])
        let documents = [
            "/root": Self.collection("a", "inner", "empty", "c"), "/inner": Self.collection("b", "none"),
            "/empty": Self.collection(), "/none": #"{"type":"Manifest","items":[]}"#, "/a": Self.manifest("a"),
            "/b": Self.manifest("b"), "/c": Self.manifest("c"),
        ]
        let complete = try await walk(documents, headers: ["X-Key: k"])
        #expect(complete.ids == ["a", "b", "c"] && complete.failure == nil)
        #expect(complete.server.requests.count == 7, "each document is requested once")
        #expect(complete.server.requests.allSatisfy { $0.contains("X-Key: k") })
        #expect(
            try await walk(documents, from: Cursor(rawValue: "1.0")).ids == ["b"], "a new feed resumes at a cursor")
        // The tree may have changed, and the ledger may be damaged.
        for cursor in ["9.9", "-1", "1.-9223372036854775808", "9223372036854775807"] {
            #expect(try await walk(documents, from: Cursor(rawValue: cursor)).ids == [], "\(cursor)")
        }
    }

    /// The address of a picture's description was refused as JSON of an unknown service.
    @Test(
        "The description of one picture is that picture, at its full size",
        arguments: [
            (#""@id":"http://iiif.test/i/7","profile":["http://iiif.io/api/image/2/level2.json"]"#, "full"),
            (
                #""id":"http://iiif.test/i/7","type":"ImageService3","profile":"level1","rights":"https://r.test/1""#,
                "max"
            ),
        ])
    func information(members: String, size: String) async throws {
        let context = #""@context":"http://iiif.io/api/image/\#(size == "max" ? 3 : 2)/context.json""#
        let text = #"{\#(context),"protocol":"http://iiif.io/api/image","width":3000,"height":2000,\#(members)}"#
        #expect(try await walk(["/root": text]).ids == ["http://iiif.test/i/7"])
        let list = try TemporaryList(text, named: "info.json")
        let feed = try Source(list.path).feeds(
            through: Transfers(TransferOptions(userAgent: "x")), options: FeedOptions())[0].feed
        let photo = try #require(try await feed.page(1, at: nil, token: CancellationToken()).photos.first)
        #expect(photo.variants[0].url == "http://iiif.test/i/7/full/\(size)/0/default.jpg")
        #expect(photo.variants.map(\.name) == ["original", "w2048", "w1024", "w512"] && photo.width == 3000)
        #expect(photo.licenseURL == (size == "max" ? "https://r.test/1" : nil))
    }

    private static let context = #""@context":"http://iiif.io/api/presentation/3/context.json""#

    /// A saved manifest was refused, although the address of one is read.
    @Test("A saved collection is read from its file, and its members by their addresses, like those of a list")
    func saved() async throws {
        let folder = TemporaryFolder()
        func photos(_ text: String, port: UInt16) async throws -> [Photo] {
            let source = try Source(folder.write(text, to: "saved.json"))
            #expect(source.trustedAddresses.isEmpty && source.type == .service && source.politeness.respectsRobotsTxt)
            return try await SluiceFeedsTests.pages(of: source.feed(ports: ["iiif.test": port])).flatMap(\.photos)
        }
        let body = Self.manifest("a").replacing("$", with: "http://iiif.test")
        let server = try RawServer([
            "/a": [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
        ])
        let head = "\n{\(Self.context),"
        let manifest = try await photos(
            Self.manifest("m").replacing("{\"id", with: head + "\"id"), port: server.port)
        #expect(manifest.map(\.id) == ["m"] && manifest[0].variants.first?.url == "https://i.test/m")
        #expect(server.requests.isEmpty)

        // The file itself stands for its own address, and a private address in it is refused.
        let members = #"{"id":"http://iiif.test/root"},{"id":"http://iiif.test/a"},{"id":"http://127.0.0.1/b"}"#
        let collection = head + #""id":"http://iiif.test/root","type":"Collection","items":[\#(members)]}"#
        let all = try await photos(collection, port: server.port)
        #expect(all.map(\.invalidReason?.cause) == [nil, .addressRefused] && all[0].id == "a", "\(all)")
        #expect(server.requests.count == 1)
    }

    @Test("A saved JSON Feed is a feed, and a list whose records mention IIIF stays a list")
    func savedKinds() throws {
        let folder = TemporaryFolder()
        func isList(_ text: String) throws -> Bool {
            try Data(text.utf8).write(to: URL(filePath: folder.path("x.json")))
            return try Source(folder.path("x.json")).type == .list
        }
        #expect(try !isList(#"{"version": "https://jsonfeed.org/version/1.1", "items": []}"#))
        #expect(try !isList("{\(Self.context)}"))
        let page = #"{"url":"https://a.test/1","page_url":"http://iiif.io/api/presentation/3/x"}"#
        #expect(try isList(page) && isList("{\(Self.context)}\n{\(Self.context)}"))
    }

    @Test("A manifest inside a collection is read there, without a request")
    func embedded() async throws {
        let found = try await walk([
            "/root":
                #"{"type":"Collection","items":[\#(Self.manifest("a")),{"id":"$/b","type":"Manifest","items":[]}]}"#,
            "/b": Self.manifest("b"),
        ])
        #expect(found.ids == ["a", "b"] && found.causes == [nil, nil] && found.server.requests.count == 2)
    }

    @Test("Loads all pages of a paged collection")
    func pages() async throws {
        let result = try await walk([
            "/root": #"{"@type":"sc:Collection","first":"$/p1","total":3}"#,
            "/p1": #"{"@type":"sc:Collection","manifests":[{"@id":"$/a"}],"next":"$/p2"}"#,
            "/p2": #"{"@type":"sc:Collection","members":[{"@id":"$/b"},{"@id":"$/a"}],"next":null}"#,
            "/a": Self.manifest("a"), "/b": Self.manifest("b"),
        ])
        #expect(result.ids == ["a", "b"] && result.failure == nil)
    }

    @Test("Stops at collections that contain themselves or do not end")
    func cycles() async throws {
        let cycle = try await walk([
            "/root": Self.collection("a", "inner"), "/inner": Self.collection("root", "inner", "a"),
            "/a": Self.manifest("a"),
        ])
        #expect(cycle.failure == nil && Set(cycle.ids) == ["a"] && cycle.notes.count == 2, "\(cycle)")
        let loop = try await walk([
            "/root": #"{"type":"Collection","first":"$/p"}"#,
            "/p": #"{"type":"Collection","items":[{"id":"$/a"}],"next":"$/p"}"#,
        ])
        #expect(loop.failure?.cause == .paginationLoop)
        let away = try await walk([
            "/root": #"{"type":"Collection","items":[{"id":"$/a"}],"next":"http://127.0.0.2/p"}"#,
            "/a": Self.manifest("a"),
        ])
        #expect(away.failure?.cause == .crossOriginNext && away.ids == ["a"], "\(away)")
        let inside = try await walk([
            "/root": Self.collection("inner", "b"),
            "/inner": #"{"type":"Collection","items":[{"id":"$/a"}],"next":"http://127.0.0.2/p"}"#,
            "/a": Self.manifest("a"), "/b": Self.manifest("b"),
        ])
        #expect(inside.failure == nil && inside.ids.contains("a") && inside.ids.contains("b"), "\(inside)")
        let names = (0..<40).map { "c\($0)" }
        var deep = Dictionary(
            uniqueKeysWithValues: names.indices.dropLast().map { ("/c\($0)", Self.collection("c\($0 + 1)")) })
        deep["/c39"] = Self.manifest("deep")
        #expect(try await walk(deep, root: "/c0").notes.contains { $0.contains("more than 16 levels deep") })
        let wide = Self.collection("x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9")
        var bush = ["/root": wide]
        // Nested collections of ten members each: thousands of resources without a photo, in a few dozen documents.
        for level in 0..<10 { bush["/x\(level)"] = wide.replacing("$/x", with: "$/y") }
        for level in 0..<10 { bush["/y\(level)"] = wide.replacing("$/x", with: "$/z") }
        for level in 0..<10 { bush["/z\(level)"] = wide.replacing("$/x", with: "$/w") }
        for level in 0..<10 { bush["/w\(level)"] = Self.collection("v0", "v1", "v2", "v3") }
        for level in 0..<4 { bush["/v\(level)"] = Self.collection() }
        #expect(try await walk(bush).failure?.detail == "10000 IIIF resources in a row have no photo")
    }

    @Test("Retries a collection or manifest after status 429")
    func retries() async throws {
        let documents = ["/root": Self.collection("a", "b"), "/a": Self.manifest("a"), "/b": Self.manifest("b")]
        let result = try await walk(documents, busy: ["/root", "/b"])
        #expect(result.ids == ["a", "b"] && result.causes == [nil, nil] && result.server.requests.count == 5)
    }

    @Test("Fetches external annotation pages; a page that cannot be fetched fails only its canvas")
    func externalPages() async throws {
        let canvases = ["a", "gone", "b"].map {
            #"{"id":"\#($0)","items":[{"id":"$/page-\#($0)","type":"AnnotationPage"}]}"#
        }
        let page = { (name: String) in
            #"{"id":"x","items":[{"body":{"type":"Image","id":"https://i.test/\#(name)"}}]}"#
        }
        let result = try await walk([
            "/root": #"{"id":"$/root","type":"Manifest","items":[\#(canvases.joined(separator: ","))]}"#,
            "/page-a": page("a"), "/page-b": page("b"),
        ])
        #expect(result.ids == ["a", "gone", "b"] && result.failure == nil)
        #expect(result.causes == [nil, .httpClientError(404), nil])
    }

    @Test(
        "A manifest that cannot be loaded becomes a failed photo; a root that cannot be loaded fails the feed"
    )
    func failures() async throws {
        let result = try await walk([
            "/root": Self.collection("a", "gone", "odd", "b"), "/a": Self.manifest("a"), "/odd": "[]",
            "/b": Self.manifest("b"),
        ])
        #expect(result.ids == ["a", "http://iiif.test/gone", "http://iiif.test/odd", "b"] && result.failure == nil)
        #expect(try await walk([:]).failure?.cause == .httpClientError(404))
        #expect(try await walk(["/root": #"{"type":"Canvas"}"#]).failure?.cause == .feedParse)
        #expect(try await walk(["/root": "<html>"]).failure?.cause == .feedParse)
    }

    @Test("iiif: requires a web address", arguments: ["iiif:", "iiif:manifest.json", "iiif:ftp://a.test/m"])
    func arguments(text: String) throws {
        #expect(throws: SourceError.self) { try IIIFSource(text) }
        #expect(try IIIFSource("https://a.test/manifest") == nil)
    }
}
