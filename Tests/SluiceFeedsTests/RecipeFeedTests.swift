// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// The demo's recipe against a real server that serves what a test wrote down.
@Suite("Recipe feed", .timeLimit(.minutes(10))) struct RecipeFeedTests {
    private static let first = "/photos?page=1&per_page=30"

    private func reply(_ body: String, _ headers: String = "") -> [RawServer.Step] {
        [.text("HTTP/1.1 200 OK\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    private func feed(_ server: RawServer, _ options: FeedOptions = FeedOptions()) throws -> any Feed {
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.loopback = ["photos.sluice.test": server.port]
        transferOptions.retry.retries = 0
        return try Source("demo").feed(through: Transfers(transferOptions), options: options)
    }

    private func failure(_ script: [RawServer.Step]) async throws -> Failure {
        let server = try RawServer([Self.first: script])
        defer { server.stop() }
        return try #require(
            await #expect(throws: Failure.self) { try await feed(server).page(1, at: nil, token: Token()) })
    }

    @Test("A record becomes a photo, fact by fact, and what is not stated is absent")
    func facts() async throws {
        let record = """
            {"id":"x1","description":null,"alt_description":"A pier","width":"800","height":600,"color":"#aabbcc",\
            "urls":{"raw":"http://a/r","small":"http://a/s"},"user":{"name":"Ida"},"links":{"html":"http://a/p"}}
            """
        let server = try RawServer([Self.first: reply("[\(record)]", "X-Total: 300\r\n")])
        defer { server.stop() }
        let page = try await feed(server).page(1, at: nil, token: Token())
        var photo = Photo(id: "x1")
        photo.variants = [Variant(name: "raw", url: "http://a/r"), Variant(name: "small", url: "http://a/s")]
        (photo.width, photo.height, photo.caption, photo.color) = (800, 600, "A pier", "#aabbcc")
        (photo.author, photo.pageURL) = ("Ida", "http://a/p")
        (photo.license, photo.licenseURL) = ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/")
        photo.attribution = "Photo by Ida, painted by Sluice's demo service"
        #expect(page == Page(number: 1, photos: [photo], total: 300))
        #expect(server.requests.first?.contains("Accept-Encoding") == true, "pages may come compressed")
    }

    @Test("The next page is where the Link header says; what a user asks for is in the first address")
    func paging() async throws {
        let next = "Link: <http://photos.sluice.test/photos?page=2&x=%20>; rel=\"next\"\r\n"
        let record = #"[{"id":1,"urls":{"raw":"http://a/r"}}]"#
        let server = try RawServer([
            "/photos?order_by=most%20popular&page=1&per_page=5": reply(record, next),
            "/photos?page=2&x=%20": reply(record),
        ])
        defer { server.stop() }
        var options = FeedOptions()
        (options.perPage, options.order, options.headers) = (5, "most popular", ["X-Key: secret"])
        let feed = try feed(server, options)
        let page = try await feed.page(1, at: nil, token: Token())
        #expect(page.photos.map(\.id) == ["1"], "an id may be a number")
        let last = try await feed.page(2, at: page.next, token: Token())
        #expect(page.next != nil && last.next == nil)
        #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.contains("X-Key: secret") })
    }

    @Test("A next page at another host is refused: a key must not follow it there")
    func crossOrigin() async throws {
        let link = "Link: <http://elsewhere.test/photos?page=2>; rel=next\r\n"
        #expect(try await failure(reply("[]", link)).cause == .crossOriginNext)
    }

    @Test("One bad record is a note, and the page's others are photos")
    func badRecord() async throws {
        let records =
            #"[{"id":"a","urls":{"raw":"u"}},{"urls":{"raw":"u"}},null,7,{"id":"b","urls":{}},{"id":"c","urls":{"thumb":"u"}}]"#
        let server = try RawServer([Self.first: reply(records)])
        defer { server.stop() }
        let page = try await feed(server).page(1, at: nil, token: Token())
        #expect(page.photos.map(\.id) == ["a", "c"])
        #expect(page.notes.count == 4 && page.notes[0].contains("record 2"))
    }

    @Test(
        "A reply that is no listing is a parse failure, and says where",
        arguments: ["<html>", "{\"errors\":[]}", "[{]", "[", "\"x\""])
    func noListing(body: String) async throws {
        let failure = try await failure(reply(body))
        #expect(failure.cause == .feedParse && !failure.detail.isEmpty)
    }

    @Test("A listing too large to be one is cut off")
    func bomb() async throws {
        #expect(try await failure([.text("HTTP/1.1 200 OK\r\n\r\n["), .endless]).cause == .tooLarge)
    }

    @Test(
        "A recipe that lacks a member says which",
        arguments: [
            ("{}", "name"), (#"{"name":"x"}"#, "listing"), (#"{"name":"x","listing":"y"}"#, "paging"),
            (#"{"name":"x","listing":"y","paging":{"page":"p","size":"s","perPage":0},"variant":"v"}"#, "perPage"),
            (#"{"name":"x","listing":"y","paging":{"page":"p","size":"s","perPage":1},"variant":"v"}"#, "fields.id"),
        ])
    func wrongRecipe(text: String, member: String) throws {
        let error = #expect(throws: RecipeError.self) { try Recipe(JSON(parsing: Array(text.utf8))) }
        #expect(error == RecipeError(member: member))
    }
}
