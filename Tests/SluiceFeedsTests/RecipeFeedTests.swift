// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Tests the demo recipe against a real server with fixed replies.
@Suite("Recipe feed", .timeLimit(.minutes(10))) struct RecipeFeedTests {
    private static let first = "/photos?page=1&per_page=30"

    private func reply(_ body: String, _ headers: String = "") -> [RawServer.Step] {
        [.text("HTTP/1.1 200 OK\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    private func feed(_ server: RawServer, _ options: FeedOptions = FeedOptions()) throws -> any Feed {
        try Source("demo").feed(options, ports: ["photos.sluice.test": server.port])
    }

    private func failure(_ script: [RawServer.Step]) async throws -> Failure {
        let server = try RawServer([Self.first: script])
        return try #require(
            await #expect(throws: Failure.self) { try await feed(server).page(1, at: nil, token: CancellationToken()) })
    }

    @Test("Reads a photo's fields from a record; missing fields are absent")
    func facts() async throws {
        let record = """
            {"id":"x1","description":null,"alt_description":"A pier","width":"800","height":600,"color":"#aabbcc",\
            "urls":{"raw":"http://a/r","small":"http://a/s"},"user":{"name":"Ida"},"links":{"html":"http://a/p"}}
            """
        let server = try RawServer([Self.first: reply("[\(record)]", "X-Total: 1\r\n")])
        let page = try await feed(server).page(1, at: nil, token: CancellationToken())
        var photo = Photo(id: "x1")
        photo.variants = [
            Variant(name: "raw", url: "http://a/r"), Variant(name: "small", url: "http://a/s", width: 400),
        ]
        (photo.width, photo.height, photo.caption, photo.color) = (800, 600, "A pier", "#aabbcc")
        (photo.author, photo.pageURL) = ("Ida", "http://a/p")
        (photo.license, photo.licenseURL) = ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/")
        photo.attribution = "Photo by Ida, painted by Sluice's demo service"
        #expect(page == Page(number: 1, photos: [photo], total: 1))
        #expect(server.requests.first?.contains("Accept-Encoding") == true, "accepts compressed pages")
    }

    @Test("Numbers the pages and adds the user's options to every address")
    func paging() async throws {
        let record = #"[{"id":1,"urls":{"raw":"http://a/r"}}]"#
        let server = try RawServer([
            "/photos?order_by=most%20popular&page=1&per_page=1": reply(record, "X-Total: 2\r\n"),
            "/photos?order_by=most%20popular&page=2&per_page=1": reply(record, "X-Total: 2\r\n"),
        ])
        var options = FeedOptions()
        (options.perPage, options.order) = (1, "most popular")
        let feed = try feed(server, options)
        let page = try await feed.page(1, at: nil, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["1"], "an id may be a number")
        let last = try await feed.page(2, at: page.next, token: CancellationToken())
        #expect(page.next != nil && last.next == nil)
        #expect(server.requests.count == 2)
    }

    @Test("An invalid record becomes an invalid photo with its position, and the others are read")
    func badRecord() async throws {
        let records =
            #"[{"id":"a","urls":{"raw":"http://u/"}},{"urls":{"raw":"u"}},null,7,{"id":"b","urls":{}},{"id":"c","urls":{"thumb":"http://u"}}]"#
        let server = try RawServer([Self.first: reply(records)])
        let page = try await feed(server).page(1, at: nil, token: CancellationToken())
        #expect(page.photos.filter { $0.invalidReason == nil }.map(\.id) == ["a", "c"])
        #expect(
            page.photos.compactMap(\.invalidReason?.detail) == [
                "record 2 of page 1 has no id", "record 3 of page 1 is not an object",
                "record 4 of page 1 is not an object",
                "record 5 of page 1 has no image address",
            ])
    }

    @Test(
        "Reports a reply that is not a listing as a parse failure",
        arguments: ["<html>", "{\"errors\":[]}", "[{]", "[", "\"x\""])
    func notAListing(body: String) async throws {
        let failure = try await failure(reply(body))
        #expect(failure.cause == .feedParse && !failure.detail.isEmpty)
    }

    @Test("Rejects a listing that is too large")
    func tooLarge() async throws {
        #expect(try await failure([.text("HTTP/1.1 200 OK\r\n\r\n["), .endless]).cause == .tooLarge)
    }
}
