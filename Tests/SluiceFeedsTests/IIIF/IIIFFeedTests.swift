// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Collections over HTTP, from a server that serves what a test wrote down; `$` stands for its address.
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

    /// `busy` paths are put off once.
    private func walk(
        _ documents: [String: String], root: String = "/root", from cursor: Cursor? = nil, headers: [String] = [],
        busy: Set<String> = []
    ) async throws -> (ids: [String], flaws: [Cause?], notes: [String], failure: Failure?, server: RawServer) {
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
        defer { server.stop() }
        let source = try #require(try IIIFSource("iiif:http://iiif.test" + root))
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.retry.retries = busy.isEmpty ? 0 : 1
        transferOptions.loopback = ["iiif.test": server.port]
        var options = FeedOptions()
        options.headers = headers
        let feed = source.feed(through: Transfers(transferOptions), options: options)
        var (ids, flaws, notes): ([String], [Cause?], [String]) = ([], [], [])
        do throws(Failure) {
            if let cursor {
                let page = try await feed.page(2, at: cursor, token: Token())
                return (page.photos.map(\.id), page.photos.map(\.flaw?.cause), page.notes, nil, server)
            }
            var walk = Walk(feed)
            while let page = try await walk.nextPage(token: Token()) {
                ids += page.photos.map(\.id)
                flaws += page.photos.map(\.flaw?.cause)
                notes += page.notes
            }
        } catch {
            return (ids, flaws, notes, error, server)
        }
        return (ids, flaws, notes, nil, server)
    }

    @Test("One manifest is one page; a collection's are as many, and those within it stand in their places")
    func tree() async throws {
        #expect(try await walk(["/root": Self.manifest("a")]).ids == ["a"])
        let documents = [
            "/root": Self.collection("a", "inner", "empty", "c"), "/inner": Self.collection("b", "none"),
            "/empty": Self.collection(), "/none": #"{"type":"Manifest","items":[]}"#, "/a": Self.manifest("a"),
            "/b": Self.manifest("b"), "/c": Self.manifest("c"),
        ]
        let whole = try await walk(documents, headers: ["X-Key: k"])
        #expect(whole.ids == ["a", "b", "c"] && whole.failure == nil)
        #expect(whole.server.requests.count == 7, "each is asked for once")
        #expect(whole.server.requests.allSatisfy { $0.contains("X-Key: k") })
        #expect(
            try await walk(documents, from: Cursor(rawValue: "1.0")).ids == ["b"], "a new feed goes on in the middle")
        #expect(try await walk(documents, from: Cursor(rawValue: "9.9")).ids == [], "the tree has changed")
    }

    @Test("Collections that come in pages are read to their end")
    func pages() async throws {
        let result = try await walk([
            "/root": #"{"@type":"sc:Collection","first":"$/p1","total":3}"#,
            "/p1": #"{"@type":"sc:Collection","manifests":[{"@id":"$/a"}],"next":"$/p2"}"#,
            "/p2": #"{"@type":"sc:Collection","members":[{"@id":"$/b"},{"@id":"$/a"}],"next":null}"#,
            "/a": Self.manifest("a"), "/b": Self.manifest("b"),
        ])
        #expect(result.ids == ["a", "b"] && result.failure == nil)
    }

    @Test("Collections within themselves, and without an end, end")
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
            "/root": #"{"type":"Collection","items":[{"id":"$/a"}],"next":"http://127.0.0.2/p"}"#
        ])
        #expect(away.failure?.cause == .crossOriginNext)
        let names = (0..<40).map { "c\($0)" }
        var deep = Dictionary(
            uniqueKeysWithValues: names.indices.dropLast().map { ("/c\($0)", Self.collection("c\($0 + 1)")) })
        deep["/c39"] = Self.manifest("deep")
        #expect(try await walk(deep, root: "/c0").notes.contains { $0.contains("deeper than 16") })
        let wide = Self.collection("x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9")
        var bush = ["/root": wide]
        // Ten in each of ten, six times: a million places without a photo, behind sixty documents.
        for level in 0..<10 { bush["/x\(level)"] = wide.replacing("$/x", with: "$/y") }
        for level in 0..<10 { bush["/y\(level)"] = wide.replacing("$/x", with: "$/z") }
        for level in 0..<10 { bush["/z\(level)"] = wide.replacing("$/x", with: "$/w") }
        for level in 0..<10 { bush["/w\(level)"] = Self.collection("v0", "v1", "v2", "v3") }
        for level in 0..<4 { bush["/v\(level)"] = Self.collection() }
        #expect(try await walk(bush).failure?.detail == "10000 places without a photo")
    }

    @Test("What a host puts off is asked for again, in a collection as in a manifest")
    func putOff() async throws {
        let documents = ["/root": Self.collection("a", "b"), "/a": Self.manifest("a"), "/b": Self.manifest("b")]
        let result = try await walk(documents, busy: ["/root", "/b"])
        #expect(result.ids == ["a", "b"] && result.flaws == [nil, nil] && result.server.requests.count == 5)
    }

    @Test("Annotation pages that lie elsewhere are fetched, and one that cannot be had fails its own canvas")
    func elsewhere() async throws {
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
        #expect(result.flaws == [nil, .httpClientError(404), nil])
    }

    @Test(
        "A manifest that cannot be had is an item that fails with its cause; a root that cannot be had is the feed's end"
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

    @Test("iiif: wants an address", arguments: ["iiif:", "iiif:manifest.json", "iiif:ftp://a.test/m"])
    func arguments(text: String) throws {
        #expect(throws: SourceError.self) { try IIIFSource(text) }
        #expect(try IIIFSource("https://a.test/manifest") == nil)
    }
}
