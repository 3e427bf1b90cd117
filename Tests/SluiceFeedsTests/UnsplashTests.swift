// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceFeeds

/// The first app's service, against a double that serves what is documented of it.
@Suite("Unsplash", .timeLimit(.minutes(10))) struct UnsplashTests {
    private static let key = "access-KEY-123"

    private func record(_ id: Int) -> String {
        """
        {"id":"p\(id)","width":4000,"height":3000,"color":"#A1B2C3","blur_hash":"LEHV6nWB2yk8","description":null,
        "alt_description":"A lake, number \(id)","user":{"name":"Ida \(id)","links":{"html":"https://unsplash.com/@ida"}},
        "urls":{"raw":"https://images.unsplash.com/\(id)?ixid=M3","full":"https://images.unsplash.com/\(id)?q=85",
        "regular":"https://images.unsplash.com/\(id)?w=1080","small":"https://images.unsplash.com/\(id)?w=400",
        "thumb":"https://images.unsplash.com/\(id)?w=200"},
        "links":{"html":"https://unsplash.com/photos/p\(id)","download":"https://unsplash.com/photos/p\(id)/download",
        "download_location":"http://api.unsplash.com/photos/p\(id)/download?ixid=M3"}}
        """
    }

    private func service() throws -> Recipe { try #require(BuiltIn.named("unsplash")) }

    @Test(
        "A photo has its date, and its camera as far as the service tells",
        arguments: [
            (
                #""created_at":"2026-01-31T09:30:00Z","exif":{"name":"Canon, EOS R5","model":"R5","#
                    + #""exposure_time":"1/60","aperture":"2.8","focal_length":"35.0","iso":100}"#,
                1_769_851_800, "Canon, EOS R5, 35.0 mm, f/2.8, 1/60 s, ISO 100"
            ),
            (#""created_at":"one day","exif":{"model":"R5","iso":null}"#, nil, "R5"),
            (#""created_at":null,"exif":{}"#, nil, nil),
        ] as [(String, Int?, String?)])
    func camera(facts: String, date: Int?, camera: String?) async throws {
        let double = Doubled { _ in .json("[\(record(1).dropLast()),\(facts)}]") }
        defer { double.stop() }
        let photo = try await double.feed(service(), key: Self.key).page(1, at: nil, token: Token()).photos.first
        #expect(photo?.date == date)
        #expect(photo?.camera == camera)
    }

    @Test("A photo has its facts, its credit with the links that are asked for, and its variants with their sizes")
    func facts() async throws {
        let double = Doubled { _ in .json("[\(record(1))]", headers: [OriginHeader("X-Total", "1")]) }
        defer { double.stop() }
        let page = try await double.feed(service(), key: Self.key).page(1, at: nil, token: Token())
        let photo = try #require(page.photos.first)
        #expect(photo.caption == "A lake, number 1" && photo.color == "#a1b2c3" && photo.placeholder == "LEHV6nWB2yk8")
        #expect(photo.attribution == "Photo by Ida 1 on Unsplash" && photo.license == "Unsplash License")
        #expect(photo.authorURL == "https://unsplash.com/@ida?utm_source=sluice&utm_medium=referral")
        #expect(photo.pageURL == "https://unsplash.com/photos/p1?utm_source=sluice&utm_medium=referral")
        #expect(photo.variants.map(\.name) == ["raw", "full", "regular", "small", "thumb"])
        #expect(photo.variants.map(\.width) == [4000, 4000, 1080, 400, 200])
        #expect(page.next == nil && page.total == 1)
        let request = try #require(double.requests.first)
        #expect(request.header("Authorization") == "Client-ID \(Self.key)" && request.header("Accept-Version") == "v1")
        #expect(request.path == "/photos" && request.query("page") == "1" && request.query("per_page") == "30")
    }

    @Test(
        "Each listing is where it is documented, with its order",
        arguments: [
            ("photos", "/photos?order_by=popular&page=1&per_page=30"),
            ("search/red lakes", "/search/photos?query=red%20lakes&order_by=popular&page=1&per_page=30"),
            ("collection/3330445", "/collections/3330445/photos?page=1&per_page=30"),
            ("topic/nature", "/topics/nature/photos?order_by=popular&page=1&per_page=30"),
            ("user/ida/x", "/users/ida%2Fx/photos?order_by=popular&page=1&per_page=30"),
            ("photo/p1", "/photos/p1"),
        ])
    func listings(listing: String, target: String) async throws {
        let double = Doubled { request in
            switch request.path {
            case "/search/photos": .json(#"{"total":1,"total_pages":1,"results":[\#(record(1))]}"#)
            case "/photos/p1": .json(record(1))
            default: .json("[\(record(1))]")
            }
        }
        defer { double.stop() }
        var options = FeedOptions()
        options.order = "popular"
        let page = try await double.feed(service(), listing, key: Self.key, options).page(1, at: nil, token: Token())
        #expect(page.photos.map(\.id) == ["p1"])
        #expect(double.requests.first?.target == target)
    }

    @Test("A download is told to the service with the key, and to no other host")
    func ping() async throws {
        let double = Doubled { _ in .json(#"{"url":"https://images.unsplash.com/1"}"#) }
        defer { double.stop() }
        let feed = try double.feed(service(), key: Self.key)
        var photo = Photo(id: "p1")
        photo.ping = "http://api.unsplash.com/photos/p1/download?ixid=M3"
        try await feed.ping(photo, token: Token())
        photo.ping = "http://elsewhere.test/photos/p1/download"
        try await feed.ping(photo, token: Token())
        #expect(double.requests.map(\.target) == ["/photos/p1/download?ixid=M3"])
        #expect(double.requests.first?.header("Authorization") == "Client-ID \(Self.key)")
    }

    @Test(
        "A refused key is one sentence that says which variable and where to get one, and never the key",
        arguments: [401, 403])
    func refused(status: Int) async throws {
        let double = Doubled { _ in .json(#"{"errors":["OAuth error: \#(Self.key) is invalid"]}"#, status: status) }
        defer { double.stop() }
        let feed = try double.feed(service(), key: Self.key)
        let failure = await #expect(throws: Failure.self) { try await feed.page(1, at: nil, token: Token()) }
        #expect(
            failure?.detail
                == "unsplash refused the key in UNSPLASH_ACCESS_KEY; get one at https://unsplash.com/oauth/applications"
        )
        #expect(failure?.cause == .httpClientError(status))
    }

    @Test("A used-up rate limit is a 403 that means later")
    func throttled() async throws {
        let double = Doubled { _ in
            .text("Rate Limit Exceeded", status: 403, headers: [OriginHeader("X-Ratelimit-Remaining", "0")])
        }
        defer { double.stop() }
        let feed = try double.feed(service(), key: Self.key)
        let failure = await #expect(throws: Failure.self) { try await feed.page(1, at: nil, token: Token()) }
        #expect(failure?.cause == .httpTooManyRequests && failure?.detail == "Rate Limit Exceeded")
    }

    @Test("What the service says of an error is its own words, without the key")
    func words() async throws {
        let double = Doubled { _ in .json(#"{"errors":["query \#(Self.key) flagged as spam"]}"#, status: 410) }
        defer { double.stop() }
        let feed = try double.feed(service(), "search/x", key: Self.key)
        let failure = await #expect(throws: Failure.self) { try await feed.page(1, at: nil, token: Token()) }
        #expect(failure == Failure(.httpClientError(410), "query *** flagged as spam", status: 410))
    }

    @Test("Sources are read, and wrong ones are one sentence")
    func sources() throws {
        #expect(throws: Never.self) { try Source("unsplash:search/red lakes") }
        #expect(try Source("unsplash").manners.cap == 300)
        let sentences = [
            ("unsplahs", "unknown source unsplahs (did you mean unsplash?)"),
            ("unsplash:serach/x", "unsplash has no listing serach (did you mean search?)"),
            ("unsplash:search", "unsplash:search needs a word behind it, as in: unsplash:search/lakes"),
            ("unsplash:photos/x", "unsplash:photos takes nothing behind it; x is too much"),
        ]
        for (source, sentence) in sentences {
            #expect(throws: SourceError(sentence)) { try Source(source) }
        }
    }
}
