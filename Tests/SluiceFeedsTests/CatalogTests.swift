// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// The built-in `catalog` source: a JSON object of named lists.
@Suite("Catalogue", .timeLimit(.minutes(10))) struct CatalogTests {
    private func feed(_ address: String) throws -> any Feed { try Source("catalog:\(address)").feed() }

    private func failure(_ reply: OriginReply) async throws -> Failure {
        let origin = try OriginServer(ServiceStub { _ in reply })
        let feed = try feed("http://127.0.0.1:\(origin.port)/catalog")
        return try #require(
            await #expect(throws: Failure.self) { try await feed.page(1, at: nil, token: CancellationToken()) })
    }

    @Test("Each list is a collection with its own ids, and invalid records fail individually")
    func collections() async throws {
        let body = """
            {"Albums":[{"id":1,"name":"Rain","album_art_work":"https://a.test/1.jpg","artist":"Ida"},{"id":2,"name":"No art"},7],
            "Tracks":[{"id":1,"name":"Drops","track_art_work":"/art/t1.png","track_album":"Rain","artist":"Ida"},{"name":"x"}],
            "version":3,"Empty":[]}
            """
        let stub = ServiceStub { _ in .json(body) }
        let origin = try OriginServer(stub)
        let page = try await feed("http://127.0.0.1:\(origin.port)/v1/catalog?lang=en").page(
            1, at: nil, token: CancellationToken())
        #expect(stub.requests.map(\.target) == ["/v1/catalog?lang=en"])
        let good = page.photos.filter { $0.invalidReason == nil }
        #expect(good.map(\.collection) == ["Albums", "Tracks"] && good.map(\.id) == ["1", "1"])
        #expect(good.map(\.caption) == ["Rain", "Drops"] && good.map(\.author) == ["Ida", "Ida"])
        #expect(
            good.map { $0.variants[0].url } == ["https://a.test/1.jpg", "http://127.0.0.1:\(origin.port)/art/t1.png"])
        #expect(
            page.photos.compactMap(\.invalidReason?.detail) == [
                "Albums, record 2 of page 1 has no image address", "Albums, record 3 of page 1 is not an object",
                "Tracks, record 2 of page 1 has no id",
            ])
        #expect(page.next == nil)
    }

    @Test("Reports the service's own error message, or else the recipe's")
    func messages() async throws {
        let reported = try await failure(.json(#"{"message":"This catalogue is closed"}"#, status: 404))
        #expect(reported == Failure(.httpClientError(404), "This catalogue is closed", status: 404))
        #expect(try await failure(.text("", status: 500)).detail.hasPrefix("cannot read the catalogue"))
        #expect(try await failure(.json("[]")).cause == .feedParse)
        // Nothing listens on port 1.
        let offline = await #expect(throws: Failure.self) {
            try await feed("http://127.0.0.1:1/").page(1, at: nil, token: CancellationToken())
        }
        #expect(offline?.cause == .connect, "\(offline as Any)")
        #expect(offline?.detail.hasPrefix("cannot connect to the catalogue") == true)
    }

    @Test("A request times out after ten seconds")
    func timeout() {
        #expect(BuiltInRecipes.catalog(at: "http://a.test/").timeout == .seconds(10))
    }

    @Test(
        "Rejects a source without a valid address",
        arguments: ["catalog", "catalog:", "catalog:x", "catalog:ftp://a.test/"])
    func address(source: String) {
        #expect(throws: SourceError.self) { try Source(source) }
    }
}

@Suite("Kinds of replies", .timeLimit(.minutes(10))) struct ReplyKindTests {
    /// A blank line before a manifest made it a feed, and a context at its end an unknown service.
    @Test(
        "JSON documents are recognised after blank lines, and by members anywhere in them",
        arguments: [
            (#"{"@context":"http://iiif.io/api/presentation/2/context.json"}"#, ReplyKind.iiif),
            (#"{"label":"LONG","@context":["x","http://iiif.io/api/presentation/3/context.json"]}"#, .iiif),
            (#"{"label":"LONG","type":"Manifest","items":[]}"#, .iiif),
            (#"{"label":"LONG","@type":"sc:Manifest","sequences":[]}"#, .iiif),
            (#"{"items":["LONG"],"version":"https://jsonfeed.org/version/1.1"}"#, .jsonFeed),
            (#"{"label":"LONG","type":"Manifest"}"#, .json), (#"{"type":"Collection","stac_version":"1.0.0"}"#, .json),
        ])
    func objects(text: String, kind: ReplyKind) {
        let long = String(repeating: "x", count: 10_000)
        for start in ["", "\n\n", "\u{FEFF}", " \u{FEFF}\n"] {
            let bytes = Array((start + text.replacing("LONG", with: long)).utf8)
            #expect(ReplyKind(type: "application/json", name: "x", bytes: bytes) == kind)
        }
    }
}

@Suite("Link header", .timeLimit(.minutes(10))) struct LinkHeaderTests {
    @Test(
        "Finds the next page in every form of the header",
        arguments: [
            #"<http://a/?page=2>; rel="next""#, #"<http://a/?page=2>;rel=next"#,
            #"<http://a/?page=1>; rel="prev", <http://a/?page=2>; rel="next", <http://a/?page=9>; rel="last""#,
            #"<http://a/?page=2>; title="a, b; rel=prev"; rel="next""#, #"<http://a/?page=2>; rel="start next""#,
            #"<http://a/?page=2>; REL="NEXT""#,
        ])
    func next(header: String) {
        #expect(LinkHeader([header])["next"] == "http://a/?page=2")
    }

    @Test("Addresses may contain commas and semicolons")
    func punctuation() {
        #expect(LinkHeader(["<http://a/?x=1,2;3>; rel=next"])["next"] == "http://a/?x=1,2;3")
    }

    @Test("Combines several fields and uses the first link of a relation")
    func several() {
        let links = LinkHeader(["<a>; rel=prev", "<b>; rel=next", "<c>; rel=next"])
        #expect(links["next"] == "b" && links["prev"] == "a")
    }

    @Test(
        "Ignores malformed links",
        arguments: ["", "<", "rel=next", "http://a; rel=next", "<a>", "<a; rel=next", ",,;;"])
    func malformed(header: String) {
        #expect(LinkHeader([header])["next"] == nil)
    }
}
