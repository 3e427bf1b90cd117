// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Services that mean harm, or are only careless: what they say is data, cut to size, and one record's fault is its own.
@Suite("Hostile feeds", .timeLimit(.minutes(10))) struct HostileFeedTests {
    private static func text(_ paging: String, base: String = "http://a.test", more: String = "") -> String {
        """
        {"recipe":"x","base": "\(base)","listings":{"all":{"path":"/list"}},"paging":\(paging),"records":"items",
        "photo":{"id":"id","caption":"text","width":"w","author":{"path":"html","html":true}},"variants":{"full":"url"}\(more)}
        """
    }

    private static let url = #""by":"url","path":"next""#

    private func page(of body: String, paging: String = #"{"by":"none"}"#) async throws -> Page {
        let double = Doubled { _ in .json(body) }
        defer { double.stop() }
        return try await double.feed(recipe(Self.text(paging))).page(1, at: nil, token: Token())
    }

    @Test("Ids and texts of any kind are data, and whole")
    func odd() async throws {
        let ids = [
            "../../etc/passwd", "\u{202E}gpj.exe", "a\u{0}b\u{1B}[31m", "-rf", "CON", ".", "",
            "é\u{301}\u{1F468}\u{200D}",
        ]
        var writer = JSONWriter()
        writer.object {
            $0.member(
                "items",
                array: { writer in
                    for id in ids {
                        writer.object { record in
                            record.member("id", id)
                            record.member("text", id)
                            record.member("url", "http://i.test/1")
                        }
                    }
                })
        }
        let photos = try await page(of: String(decoding: writer.bytes, as: UTF8.self)).photos
        #expect(photos.filter { $0.flaw == nil }.map(\.id) == ids.filter { !$0.isEmpty })
        #expect(photos.compactMap(\.flaw?.detail) == ["record 7 of page 1 has no id"])
    }

    @Test("Captions of ten megabytes are cut, and ids of such a length are none")
    func long() async throws {
        let long = String(repeating: "é", count: 5 << 20)
        let body = #"{"items":[{"id":"a","text":"\#(long)","url":"http://i.test/1"}]}"#
        let photo = try #require(try await page(of: body).photos.first)
        let caption = try #require(photo.caption)
        #expect(caption.utf8.count <= Photo.longestText + 3 && caption.hasPrefix("éé") && caption.hasSuffix("é…"))
        let other = try await page(of: #"{"items":[{"id":"\#(long)","url":"http://i.test/1"}]}"#).photos.first
        #expect(other?.flaw?.detail == "record 1 of page 1 has an id of \(10 << 20) bytes")
    }

    @Test(
        "Wrong types, null and what is no address are absent, one record at a time",
        arguments: [
            (#"{"id":null,"url":"http://i.test/"}"#, "has no id"), (#"{"id":{},"url":"http://i.test/"}"#, "has no id"),
            (#"{"id":[],"url":"http://i.test/"}"#, "has no id"), (#"{"id":1,"url":7}"#, nil),
            (#"{"id":1,"url":null}"#, "has no address of a picture"),
            (#"{"id":1,"url":""}"#, "has no address of a picture"),
            (#"{"id":1,"url":"javascript:alert(1)"}"#, "has no address of a picture"),
            (#"{"id":1,"url":"file:///etc/passwd"}"#, "has no address of a picture"),
            (#"{"id":1,"url":"data:image/png;base64,AA"}"#, "has no address of a picture"),
            (#"{"id":1,"url":"http://"}"#, "has no address of a picture"), ("null", "is no object"),
            ("[[]]", "is no object"),
        ])
    func types(record: String, reason: String?) async throws {
        let good = #"{"id":"good","url":"http://i.test/1","w":"7.0","text":["first","second"]}"#
        let photos = try await page(of: #"{"items":[\#(record),\#(good)]}"#).photos
        #expect(photos.first?.flaw?.detail == reason.map { "record 1 of page 1 \($0)" })
        #expect(photos.last?.flaw == nil && photos.last?.width == 7 && photos.last?.caption == "first")
    }

    @Test("HTML is read as a reader sees it")
    func html() {
        #expect(
            plainText("<p>Ida&nbsp;&amp; <b>Bo</b><script>x</script></p> 3 < 4 &#x41;&#66;&bogus; &")
                == "Ida & Bo x 3 < 4 AB&bogus; &")
        #expect(plainText("<a href='x") == "" && plainText("&#x110000;&#xD800;") == "&#x110000;&#xD800;")
    }

    @Test(
        "What is no listing is a parse failure, and says where",
        arguments: [
            String(repeating: "[", count: 100_000), "{\"items\":7", "{\"items\":7}", "{}", "null", "\u{FEFF}",
            "{\"items\":[1e999",
            String(repeating: "{\"items\":", count: 5000), "<html>",
        ])
    func parse(body: String) async throws {
        let failure = await #expect(throws: Failure.self) { try await page(of: body) }
        #expect(
            failure.map { [.feedParse, .emptyBody].contains($0.cause) && !$0.detail.isEmpty } == true,
            "\(failure as Any)")
    }

    @Test(
        "A way on that leaves the service's origin is refused: a key must not follow it",
        arguments: [
            "http://evil.test/list?page=2", "//evil.test/", "http://a.test:81/list", "http://a.test@evil.test/",
            "ftp://a.test/",
        ])
    func crossOrigin(next: String) async throws {
        let failure = await #expect(throws: Failure.self) {
            try await page(of: #"{"items":[],"next":"\#(next)"}"#, paging: "{\(Self.url)}")
        }
        #expect(failure?.cause == .crossOriginNext)
    }

    @Test("A redirect to another host takes no key along")
    func redirected() async throws {
        let elsewhere = Doubled { _ in .json(#"{"items":[]}"#) }
        let origin = try Origin(elsewhere)
        defer { origin.stop() }
        let double = Doubled { _ in
            OriginReply(status: 302, headers: [OriginHeader("Location", "http://127.0.0.1:\(origin.port)/list")])
        }
        defer { double.stop() }
        let key = #","key":{"environment":"K","from":"https://a.test/","header":"X-Key"}"#
        _ = try? await double.feed(recipe(Self.text(#"{"by":"none"}"#, more: key)), key: "the-KEY")
            .page(1, at: nil, token: Token())
        #expect(double.requests.first?.header("X-Key") == "the-KEY")
        #expect(elsewhere.requests.count == 1 && elsewhere.requests.first?.header("X-Key") == nil)
    }

    @Test("A key that a service gives back is nowhere in a page or a cursor", arguments: ["query", "header"])
    func echoed(way: String) async throws {
        let key = #","key":{"environment":"K","from":"https://a.test/","\#(way)":"k"}"#
        let double = Doubled { _ in
            .json(
                #"{"items":[{"id":"the-KEY","text":"the-KEY","url":"http://i.test/?k=the-KEY"}],"next":"/list?page=2&k=the-KEY"}"#
            )
        }
        defer { double.stop() }
        let feed = try double.feed(recipe(Self.text("{\(Self.url)}", more: key)), key: "the-KEY")
        let page = try await feed.page(1, at: nil, token: Token())
        #expect(!"\(page)".contains("the-KEY") && page.photos.first?.id == "***" && page.next != nil)
    }

    @Test("Collections that name each other are walked once each")
    func cyclic() async throws {
        let links = [
            "/list": ["/b", "/c", "/list"], "/b": ["/list", "/c", "/b"], "/c": ["/b", "/d"], "/d": ["/list"],
        ]
        let double = Doubled { request in
            let next = (links[request.path] ?? []).map { "\"\($0)\"" }.joined(separator: ",")
            return .json(#"{"items":[{"id":"\#(request.path)","url":"http://i.test/"}],"more":[\#(next)]}"#)
        }
        defer { double.stop() }
        let pages = try await pages(of: double.feed(recipe(Self.text(#"{"by":"tree","path":"more[]"}"#))))
        #expect(pages.flatMap(\.photos).map(\.id) == ["/list", "/b", "/c", "/d"])
    }

    @Test("Where a service gives no more than so many photos the walk ends with a word about it")
    func deepest() async throws {
        let double = Doubled { request in
            let page = request.query("p").flatMap { Int($0) } ?? 1
            return .json(
                #"{"items":[{"id":\#(page * 2),"url":"http://i.test/"},{"id":\#(page * 2 + 1),"url":"http://i.test/"}],"total":99}"#
            )
        }
        defer { double.stop() }
        let text = Self.text(#"{"by":"page","parameter":"p","size":"n","perPage":2,"total":"total"}"#)
            .replacing(#""path":"/list""#, with: #""path":"/list","deepest":5"#)
        let pages = try await pages(of: double.feed(recipe(text)))
        #expect(pages.count == 3)
        #expect(
            pages.last?.notes == ["x gives the first 5 photos of x:all, and counts 99: narrow it to have the others"])
    }

    @Test("A variant's hash is read by its length, and is that variant's alone")
    func checksums() async throws {
        let hashes =
            [32, 40, 64].map { String(repeating: "Ab", count: $0 / 2) } + ["none", String(repeating: "x", count: 40)]
        let items = hashes.map { #"{"id":"\#($0)","url":"http://i.test/","small":"http://i.test/s","hash":"\#($0)"}"# }
        let double = Doubled { _ in .json("{\"items\":[\(items.joined(separator: ","))]}") }
        defer { double.stop() }
        let text = Self.text(#"{"by":"none"}"#)
            .replacing(
                #""variants":{"full":"url"}"#,
                with: #""variants":{"full":{"path":"url","checksum":"hash"},"small":"small"}"#)
        let photos = try await double.feed(recipe(text)).page(1, at: nil, token: Token()).photos
        #expect(photos.map { $0.variants[0].checksum?.algorithm } == [.md5, .sha1, .sha256, nil, nil])
        #expect(photos[0].variants[0].checksum?.digits == String(repeating: "ab", count: 16))
        #expect(photos.allSatisfy { $0.flaw == nil && $0.variants[1].checksum == nil })
    }

    @Test(
        "A service that gives fewer than it is asked for loses no page, whether it tells a total or not",
        arguments: [true, false])
    func clamped(hasTotal: Bool) async throws {
        let double = Doubled { request in
            let size = min(3, request.query("n").flatMap { Int($0) } ?? 3)
            let start = ((request.query("p").flatMap { Int($0) } ?? 1) - 1) * size
            let items = (start..<max(start, min(start + size, 8))).map { "{\"id\":\($0),\"url\":\"http://i.test/\"}" }
            return .json("{\"items\":[\(items.joined(separator: ","))]\(hasTotal ? ",\"total\":8" : "")}")
        }
        defer { double.stop() }
        let paging = #"{"by":"page","parameter":"p","size":"n","perPage":50,"total":"total"}"#
        let pages = try await pages(of: double.feed(recipe(Self.text(paging))))
        #expect(pages.flatMap(\.photos).compactMap { Int($0.id) } == Array(0..<8))
    }
}
