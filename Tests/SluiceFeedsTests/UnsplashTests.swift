// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceFeeds

/// Tests the Unsplash recipe against a stub with the documented replies.
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

    private func service() throws -> Recipe { try #require(BuiltInRecipes.named("unsplash")) }

    @Test(
        "Reads the date and as much of the camera as the service states",
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
        let stub = ServiceStub { _ in .json("[\(record(1).dropLast()),\(facts)}]") }
        let photo = try await stub.feed(service(), key: Self.key).page(1, at: nil, token: CancellationToken()).photos
            .first
        #expect(photo?.date == date)
        #expect(photo?.camera == camera)
    }

    @Test("Reads a photo's fields, its credit with the required links, and its variants with their sizes")
    func facts() async throws {
        let stub = ServiceStub { _ in .json("[\(record(1))]", headers: [OriginHeader("X-Total", "1")]) }
        let page = try await stub.feed(service(), key: Self.key).page(1, at: nil, token: CancellationToken())
        let photo = try #require(page.photos.first)
        #expect(photo.caption == "A lake, number 1" && photo.color == "#a1b2c3" && photo.placeholder == "LEHV6nWB2yk8")
        #expect(photo.attribution == "Photo by Ida 1 on Unsplash" && photo.license == "Unsplash License")
        #expect(photo.authorURL == "https://unsplash.com/@ida?utm_source=sluice&utm_medium=referral")
        #expect(photo.pageURL == "https://unsplash.com/photos/p1?utm_source=sluice&utm_medium=referral")
        #expect(photo.variants.map(\.name) == ["raw", "full", "regular", "small", "thumb"])
        #expect(photo.variants.map(\.width) == [4000, 4000, 1080, 400, 200])
        #expect(page.next == nil && page.total == 1)
        let request = try #require(stub.requests.first)
        #expect(request.header("Authorization") == "Client-ID \(Self.key)" && request.header("Accept-Version") == "v1")
        #expect(request.path == "/photos" && request.query("page") == "1" && request.query("per_page") == "30")
    }

    @Test(
        "Requests each listing at its documented address, with the sort order",
        arguments: [
            ("photos", "/photos?order_by=popular&page=1&per_page=30"),
            ("search/red lakes", "/search/photos?query=red%20lakes&order_by=popular&page=1&per_page=30"),
            ("collection/3330445", "/collections/3330445/photos?page=1&per_page=30"),
            ("topic/nature", "/topics/nature/photos?order_by=popular&page=1&per_page=30"),
            ("user/ida/x", "/users/ida%2Fx/photos?order_by=popular&page=1&per_page=30"),
            ("photo/p1", "/photos/p1"),
        ])
    func listings(listing: String, target: String) async throws {
        let stub = ServiceStub { request in
            switch request.path {
            case "/search/photos": .json(#"{"total":1,"total_pages":1,"results":[\#(record(1))]}"#)
            case "/photos/p1": .json(record(1))
            default: .json("[\(record(1))]")
            }
        }
        var options = FeedOptions()
        options.order = "popular"
        let page = try await stub.feed(service(), listing, key: Self.key, options).page(
            1, at: nil, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["p1"])
        #expect(stub.requests.first?.target == target)
    }

    @Test("Reports a download to the service with the key, and to no other host")
    func downloadReport() async throws {
        let stub = ServiceStub { _ in .json(#"{"url":"https://images.unsplash.com/1"}"#) }
        let feed = try stub.feed(service(), key: Self.key)
        var photo = Photo(id: "p1")
        photo.ping = "http://api.unsplash.com/photos/p1/download?ixid=M3"
        try await feed.reportDownload(of: photo, token: CancellationToken())
        photo.ping = "http://elsewhere.test/photos/p1/download"
        try await feed.reportDownload(of: photo, token: CancellationToken())
        #expect(stub.requests.map(\.target) == ["/photos/p1/download?ixid=M3"])
        #expect(stub.requests.first?.header("Authorization") == "Client-ID \(Self.key)")
    }

    @Test(
        "A rejected key gives a message with the variable and where to get a key, without the key itself",
        arguments: [401, 403])
    func refused(status: Int) async throws {
        let stub = ServiceStub { _ in .json(#"{"errors":["OAuth error: \#(Self.key) is invalid"]}"#, status: status) }
        let feed = try stub.feed(service(), key: Self.key)
        let failure = await #expect(throws: Failure.self) {
            try await feed.page(1, at: nil, token: CancellationToken())
        }
        #expect(
            failure?.detail
                == "unsplash rejected the key in UNSPLASH_ACCESS_KEY: OAuth error: *** is invalid; get one at https://unsplash.com/oauth/applications"
        )
        #expect(failure?.cause == .httpClientError(status))
    }

    @Test("Recognises a 403 with an exhausted rate limit as too many requests")
    func throttled() async throws {
        let stub = ServiceStub { _ in
            .text("Rate Limit Exceeded", status: 403, headers: [OriginHeader("X-Ratelimit-Remaining", "0")])
        }
        let feed = try stub.feed(service(), key: Self.key)
        let failure = await #expect(throws: Failure.self) {
            try await feed.page(1, at: nil, token: CancellationToken())
        }
        #expect(
            failure?.cause == .httpTooManyRequests
                && failure?.detail == "unsplash asks to try later (status 403): Rate Limit Exceeded")
    }

    @Test("Reports the service's error message without the key")
    func errorMessage() async throws {
        let stub = ServiceStub { _ in .json(#"{"errors":["query \#(Self.key) flagged as spam"]}"#, status: 410) }
        let feed = try stub.feed(service(), "search/x", key: Self.key)
        let failure = await #expect(throws: Failure.self) {
            try await feed.page(1, at: nil, token: CancellationToken())
        }
        #expect(failure == Failure(.httpClientError(410), "query *** flagged as spam", status: 410))
    }

    @Test("Parses sources and explains invalid ones")
    func sources() throws {
        #expect(throws: Never.self) { try Source("unsplash:search/red lakes") }
        #expect(try Source("unsplash").politeness.cap == 300)
        let messages = [
            ("unsplahs", "unknown source 'unsplahs' (did you mean unsplash?)"),
            ("unsplsh:search/lakes", "unknown source 'unsplsh:search/lakes' (did you mean unsplash:search/lakes?)"),
            (
                "ftp://a.test/lakes",
                "cannot open 'ftp://a.test/lakes': ftp: addresses are not supported; download the photos with another program, "
                    + "and give their folder"
            ), ("gopher://a.test/lakes", "cannot open 'gopher://a.test/lakes': no such file, and not a web address"),
            ("unsplash:serach/x", "unsplash has no listing 'serach' (did you mean search?)"),
            ("unsplash:search", "unsplash:search needs an argument, for example unsplash:search/lakes"),
            ("unsplash:photos/x", "unsplash:photos takes no argument, but got 'x'"),
        ]
        for (source, message) in messages {
            #expect(throws: SourceError(message)) { try Source(source) }
        }
    }
}
