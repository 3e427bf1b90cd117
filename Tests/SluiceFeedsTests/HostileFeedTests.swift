// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Replies of malicious or faulty services: texts are data, lengths are limited, and an invalid record affects only
/// itself.
@Suite("Hostile feeds", .timeLimit(.minutes(10))) struct HostileFeedTests {
    private static func text(_ paging: String, base: String = "http://a.test", more: String = "") -> String {
        """
        {"recipe":"x","base": "\(base)","listings":{"all":{"path":"/list"}},"paging":\(paging),"records":"items",
        "photo":{"id":"id","caption":"text","width":"w","author":{"path":"html","html":true}},"variants":{"full":"url"}\(more)}
        """
    }

    private static let url = #""by":"url","path":"next""#

    private func page(of body: String, paging: String = #"{"by":"none"}"#) async throws -> Page {
        let stub = ServiceStub { _ in .json(body) }
        return try await stub.feed(recipe(Self.text(paging))).page(1, at: nil, token: CancellationToken())
    }

    @Test("Keeps unusual ids and texts unchanged")
    func unusualTexts() async throws {
        let ids = [
            "../../etc/passwd", "\u{202E}gpj.exe", "a\u{0}b\u{1B}[31m", "-rf", "CON", ".", "",
            "é\u{301}\u{1F468}\u{200D}",
        ]
        var writer = JSONWriter()
        writer.object {
            $0.array("items") { writer in
                for id in ids {
                    writer.object { record in
                        record.member("id", id)
                        record.member("text", id)
                        record.member("url", "http://i.test/1")
                    }
                }
            }
        }
        let photos = try await page(of: String(decoding: writer.bytes, as: UTF8.self)).photos
        #expect(photos.filter { $0.invalidReason == nil }.map(\.id) == ids.filter { !$0.isEmpty })
        #expect(photos.compactMap(\.invalidReason?.detail) == ["record 7 of page 1 has no id"])
    }

    @Test("Truncates a caption of 10 MB and rejects an id of 10 MB")
    func long() async throws {
        let long = String(repeating: "é", count: 5 << 20)
        let body = #"{"items":[{"id":"a","text":"\#(long)","url":"http://i.test/1"}]}"#
        let photo = try #require(try await page(of: body).photos.first)
        let caption = try #require(photo.caption)
        #expect(caption.utf8.count <= Photo.maxTextLength + 3 && caption.hasPrefix("éé") && caption.hasSuffix("é…"))
        let other = try await page(of: #"{"items":[{"id":"\#(long)","url":"http://i.test/1"}]}"#).photos.first
        #expect(other?.invalidReason?.detail == "record 1 of page 1 has an id of \(10 << 20) bytes (limit 1024)")
    }

    @Test(
        "Treats values of the wrong type, null and invalid addresses as missing, for each record",
        arguments: [
            (#"{"id":null,"url":"http://i.test/"}"#, "has no id"), (#"{"id":{},"url":"http://i.test/"}"#, "has no id"),
            (#"{"id":[],"url":"http://i.test/"}"#, "has no id"), (#"{"id":1,"url":7}"#, nil),
            (#"{"id":1,"url":null}"#, "has no image address"),
            (#"{"id":1,"url":""}"#, "has no image address"),
            (#"{"id":1,"url":"javascript:alert(1)"}"#, "has no image address"),
            (#"{"id":1,"url":"file:///etc/passwd"}"#, "has no image address"),
            (#"{"id":1,"url":"data:image/png;base64,AA"}"#, "has no image address"),
            (#"{"id":1,"url":"http://"}"#, "has no image address"), ("null", "is not an object"),
            ("[[]]", "is not an object"),
        ])
    func types(record: String, reason: String?) async throws {
        let good = #"{"id":"good","url":"http://i.test/1","w":"7.0","text":["first","second"]}"#
        let photos = try await page(of: #"{"items":[\#(record),\#(good)]}"#).photos
        #expect(photos.first?.invalidReason?.detail == reason.map { "record 1 of page 1 \($0)" })
        #expect(photos.last?.invalidReason == nil && photos.last?.width == 7 && photos.last?.caption == "first")
    }

    @Test("Converts HTML to plain text")
    func html() {
        #expect(
            plainText(
                fromHTML: "<p>Ida&nbsp;&amp; <b>Bo</b><script>x</script></p> 3 < 4 &#x41;&#66;&bogus; &")
                == "Ida & Bo x 3 < 4 AB&bogus; &")
        #expect(
            plainText(fromHTML: "<a href='x") == "" && plainText(fromHTML: "&#x110000;&#xD800;") == "&#x110000;&#xD800;"
        )
    }

    @Test(
        "Reports a reply that is not a listing as a parse failure",
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
        "Rejects a next page on another origin, because the request would carry the key",
        arguments: [
            "http://evil.test/list?page=2", "//evil.test/", "http://a.test:81/list", "http://a.test@evil.test/",
            "ftp://a.test/",
        ])
    func crossOrigin(next: String) async throws {
        for (records, count) in [("", 0), (#"{"id":"1","url":"http://i.test/1"}"#, 1)] {
            let stub = ServiceStub { _ in .json(#"{"items":[\#(records)],"next":"\#(next)"}"#) }
            var walker = PageWalker(try stub.feed(recipe(Self.text("{\(Self.url)}"))))
            #expect(try await walker.nextPage(token: CancellationToken())?.photos.count == count)
            #expect(walker.nextPageNumber == 2)
            let failure = await #expect(throws: Failure.self) {
                try await walker.nextPage(token: CancellationToken())
            }
            #expect(failure?.cause == .crossOriginNext && walker.nextPageNumber == nil)
        }
    }

    @Test("Does not send the key to the target of a redirect")
    func redirected() async throws {
        let elsewhere = ServiceStub { _ in .json(#"{"items":[]}"#) }
        let origin = try OriginServer(elsewhere)
        let stub = ServiceStub { _ in
            OriginReply(status: 302, headers: [OriginHeader("Location", "http://127.0.0.1:\(origin.port)/list")])
        }
        let key = #","key":{"environment":"X_KEY","from":"https://a.test/","header":"X-Key"}"#
        _ = try? await stub.feed(recipe(Self.text(#"{"by":"none"}"#, more: key)), key: "the-KEY")
            .page(1, at: nil, token: CancellationToken())
        #expect(stub.requests.first?.header("X-Key") == "the-KEY")
        #expect(elsewhere.requests.count == 1 && elsewhere.requests.first?.header("X-Key") == nil)
    }

    @Test("Removes a key that the service repeats from pages and cursors", arguments: ["query", "header"])
    func echoed(keyMember: String) async throws {
        let key = #","key":{"environment":"X_KEY","from":"https://a.test/","\#(keyMember)":"k"}"#
        let stub = ServiceStub { _ in
            .json(
                #"{"items":[{"id":"the-KEY","text":"the-KEY","url":"http://i.test/?k=the-KEY"}],"next":"/list?page=2&k=the-KEY"}"#
            )
        }
        let feed = try stub.feed(recipe(Self.text("{\(Self.url)}", more: key)), key: "the-KEY")
        let page = try await feed.page(1, at: nil, token: CancellationToken())
        #expect(!"\(page)".contains("the-KEY") && page.photos.first?.id == "***" && page.next != nil)
    }

    @Test("Loads listings that refer to each other once")
    func cyclic() async throws {
        let links = [
            "/list": ["/b", "/c", "/list"], "/b": ["/list", "/c", "/b"], "/c": ["/b", "/d"], "/d": ["/list"],
        ]
        let stub = ServiceStub { request in
            let next = (links[request.path] ?? []).map { "\"\($0)\"" }.joined(separator: ",")
            return .json(#"{"items":[{"id":"\#(request.path)","url":"http://i.test/"}],"more":[\#(next)]}"#)
        }
        let pages = try await pages(of: stub.feed(recipe(Self.text(#"{"by":"tree","path":"more[]"}"#))))
        #expect(pages.flatMap(\.photos).map(\.id) == ["/list", "/b", "/c", "/d"])
    }

    @Test("Ends with a note at the maximum number of photos that a service returns")
    func serviceLimit() async throws {
        let stub = ServiceStub { request in
            let page = request.query("p").flatMap { Int($0) } ?? 1
            return .json(
                #"{"items":[{"id":\#(page * 2),"url":"http://i.test/"},{"id":\#(page * 2 + 1),"url":"http://i.test/"}],"total":99}"#
            )
        }
        let text = Self.text(#"{"by":"page","parameter":"p","size":"n","perPage":2,"total":"total"}"#)
            .replacing(#""path":"/list""#, with: #""path":"/list","deepest":5"#)
        let pages = try await pages(of: stub.feed(recipe(text)))
        #expect(pages.count == 3)
        #expect(
            pages.last?.notes == ["x:all returns only the first 5 of 99 photos; narrow the query to get the others"])
    }

    @Test("Detects a variant's hash algorithm by its length and applies it to that variant only")
    func checksums() async throws {
        let hashes =
            [32, 40, 64].map { String(repeating: "Ab", count: $0 / 2) } + ["none", String(repeating: "x", count: 40)]
        let items = hashes.map { #"{"id":"\#($0)","url":"http://i.test/","small":"http://i.test/s","hash":"\#($0)"}"# }
        let stub = ServiceStub { _ in .json("{\"items\":[\(items.joined(separator: ","))]}") }
        let text = Self.text(#"{"by":"none"}"#)
            .replacing(
                #""variants":{"full":"url"}"#,
                with: #""variants":{"full":{"path":"url","checksum":"hash"},"small":"small"}"#)
        let photos = try await stub.feed(recipe(text)).page(1, at: nil, token: CancellationToken()).photos
        #expect(photos.map { $0.variants[0].checksum?.algorithm } == [.md5, .sha1, .sha256, nil, nil])
        #expect(photos[0].variants[0].checksum?.digits == String(repeating: "ab", count: 16))
        #expect(photos.allSatisfy { $0.invalidReason == nil && $0.variants[1].checksum == nil })
    }

    @Test(
        "Loads all pages of a service that returns smaller pages than requested, with or without a total",
        arguments: [true, false])
    func clamped(hasTotal: Bool) async throws {
        let stub = ServiceStub { request in
            let size = min(3, request.query("n").flatMap { Int($0) } ?? 3)
            let start = ((request.query("p").flatMap { Int($0) } ?? 1) - 1) * size
            let items = (start..<max(start, min(start + size, 8))).map { "{\"id\":\($0),\"url\":\"http://i.test/\"}" }
            return .json("{\"items\":[\(items.joined(separator: ","))]\(hasTotal ? ",\"total\":8" : "")}")
        }
        let paging = #"{"by":"page","parameter":"p","size":"n","perPage":50,"total":"total"}"#
        let pages = try await pages(of: stub.feed(recipe(Self.text(paging))))
        #expect(pages.flatMap(\.photos).compactMap { Int($0.id) } == Array(0..<8))
    }
}
