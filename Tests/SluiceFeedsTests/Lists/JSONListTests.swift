// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Lists in JSON", .timeLimit(.minutes(10))) struct JSONListTests {
    private static let objects = [
        #"{"url":"https://a.test/1","id":1,"title":"One","author":{"name":"Ida"},"width":"800","tags":["x"]}"#,
        #"{"link":"https://page.test","image":"https://a.test/2","key":"two","caption":null,"license":""}"#,
        #""https://a.test/3""#,
    ]

    @Test(
        "Lines and arrays give the same photos, whatever their layout",
        arguments: [
            objects.joined(separator: "\n"), objects.joined(separator: "\r\n") + "\n",
            "[\(objects.joined(separator: ","))]",
            "\n [\n  \(objects.joined(separator: "\n ,\n  "))\n]\n",
        ])
    func shapes(text: String) async throws {
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.id) == ["1", "two", "https://a.test/3"])
        #expect(photos.map(\.address) == ["https://a.test/1", "https://a.test/2", "https://a.test/3"])
        #expect(photos[0].caption == "One" && photos[0].author == "Ida" && photos[0].width == 800)
        #expect(photos[1].caption == nil && photos[1].license == nil)
    }

    @Test("Tags are one text, a list, or a list of objects with names")
    func tags() async throws {
        let tags = [#""a, b""#, #"["a","b"]"#, #"[{"name":"a"},{"name":"b","id":7},{"x":1}]"#, "[]", "7", "null"]
        let lines = tags.enumerated().map { "{\"url\":\"https://a.test/\($0)\",\"tags\":\($1)}" }
        let photos = try await TemporaryList.read(lines.joined(separator: "\n"))
        #expect(photos.map(\.tags) == ["a, b", "a, b", "a, b", nil, "7", nil])
    }

    @Test("Any number of superfluous commas does not exhaust the stack")
    func commas() async throws {
        let text = "[\"https://a.test/1\"" + String(repeating: ",", count: 1_000_000) + "\"https://a.test/2\"]"
        #expect(try await TemporaryList.read(text).map(\.id) == ["https://a.test/1", "https://a.test/2"])
    }

    @Test("Reads the output of gallery-dl -j: files are photos, folders and queues are skipped, errors are reported")
    func galleryDL() async throws {
        let text = """
            [
              [2, {"category": "x", "id": 9}],
              [3, "https://a.test/1.jpg", {"id": 9, "num": 1, "title": "Post", "author": {"name": "Ida"}, "url": "https://x.test"}],
              [3, "https://a.test/2.jpg", {"id": 9, "num": 2}],
              [6, "https://other.test/album", {}],
              [-1, {"error": "AuthRequired", "message": "login\\u001b needed"}]
            ]
            """
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.id) == ["https://a.test/1.jpg", "https://a.test/2.jpg", "element 5"])
        #expect(photos[0].caption == "Post" && photos[0].author == "Ida" && photos[0].address == "https://a.test/1.jpg")
        #expect(photos[2].invalidReason?.detail == "line 6: gallery-dl failed: login\u{1B} needed")
        let lines = "[2, {}]\n[3, \"https://a.test/1.jpg\", {}]\n"
        #expect(try await TemporaryList.read(lines).map(\.id) == ["https://a.test/1.jpg"])
    }

    /// They were ignored.
    @Test("Request headers belong to the photo's rendition, and are not stored")
    func headers() async throws {
        let secret =
            #""_http_headers": {"Referer": "https://a.test/", "X-Key": "k7", "Gone": null, "Accept-Encoding": "x"}"#
        let text = """
            [3, "https://a.test/1.jpg", {"title": "One", \(secret)}]
            {"url": "https://a.test/2.jpg", \(secret)}
            {"url": "https://a.test/3.jpg", "_http_headers": null}
            """
        let photos = try await TemporaryList.read(text)
        let headers = photos.map { $0.variants.first?.headers }
        #expect(
            headers == [["Referer: https://a.test/", "X-Key: k7"], ["Referer: https://a.test/", "X-Key: k7"], []])
        #expect(photos[0].caption == "One")
        #expect(try !String(decoding: JSONEncoder().encode(photos), as: UTF8.self).contains("k7"))
    }

    @Test("A list of someone else sets no request headers")
    func foreignHeaders() throws {
        let text = Array(#"{"url": "https://a.test/1", "_http_headers": {"X-Key": "k7", "Host": "b.test"}}"#.utf8)
        let photo = JSONRecordParser.photos(of: text, line: 1, options: ListOptions()).first
        #expect(photo?.invalidReason == nil && photo?.variants.first?.headers == [])
    }

    @Test(
        "A header that belongs to the connection, or would break the request, is refused",
        arguments: [
            (#"{"Host": "b.test"}"#, "a list cannot set the header 'Host'"),
            (#"{"content-LENGTH": "5"}"#, "a list cannot set the header 'content-LENGTH'"),
            (#"{"Transfer-Encoding": "chunked"}"#, "a list cannot set the header 'Transfer-Encoding'"),
            (#"{"Connection": "close"}"#, "a list cannot set the header 'Connection'"),
            (#"{"Range": null}"#, "a list cannot set the header 'Range'"),
            (#"{"Proxy-Authorization": "x"}"#, "a list cannot set the header 'Proxy-Authorization'"),
            (#"{"A\r\nB": "x"}"#, "invalid name of a header: 'A\r\nB'"),
            (#"{"A:": "x"}"#, "invalid name of a header: 'A:'"), (#"{"": "x"}"#, "invalid name of a header: ''"),
            (#"{"A": "x\r\nHost: b"}"#, "the header 'A' contains a control character"),
            (#"{"A": ["x"]}"#, "the header 'A' is not a text"), ("[]", "_http_headers is not an object"),
            (#"{"A": "\#(String(repeating: "x", count: 9000))"}"#, "more than 32 headers or 8 KiB of them"),
        ])
    func refusedHeaders(value: String, reason: String) async throws {
        let text = "{\"url\": \"https://a.test/1\", \"_http_headers\": \(value)}\n\"https://a.test/2\""
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.invalidReason?.detail) == ["line 1: \(reason)", nil])
    }

    @Test("An invalid value is reported with its position and does not affect the others")
    func invalidValues() async throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let values = [
            "{\"url\":1}", "{\"url\":null}", "17", "true", "{\"url\":[]}", "{\"x\":\(deep)}", "{\"url\" \"x\"}", "[]",
        ]
        let lines = try await TemporaryList.read("{\"url\":\"https://a.test/0\"}\n" + values.joined(separator: "\n"))
        #expect(
            lines.count == values.count + 1 && lines.dropFirst().allSatisfy { $0.invalidReason?.cause == .feedParse })
        #expect(lines.map(\.id).suffix(2) == ["line 8", "line 9"])
        #expect(lines[7].invalidReason?.detail == "line 8, column 8: expected ':'")
        let array = try await TemporaryList.read("[\n\"https://a.test/0\", \(values.joined(separator: ", "))]")
        #expect(array.count == values.count + 1 && Set(array.map(\.id)).count == array.count)
        #expect(array.dropFirst().allSatisfy { $0.invalidReason?.detail.hasPrefix("line 2") == true })
    }

    @Test("A caption of 10 MB invalidates only its record", arguments: [("", "\n", ""), ("[", ",\n", "]")])
    func long(open: String, separator: String, close: String) async throws {
        let caption = String(repeating: "é", count: 5 << 20)
        let long = "{\"url\":\"https://a.test/1\",\"caption\":\"\(caption)\"}"
        let text =
            open + [#"{"url":"https://a.test/0"}"#, long, #"{"url":"https://a.test/2"}"#].joined(separator: separator)
            + close
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.address) == ["https://a.test/0", nil, "https://a.test/2"])
        #expect(photos[1].invalidReason?.detail.contains("longer than") == true)
    }

    @Test(
        "An unclosed array gives the photos before its end, then fails", arguments: ["", ",", ", {\"url\":", ", \"x"])
    func unfinished(end: String) async throws {
        let list = try TemporaryList("[\"https://a.test/1\"" + end)
        var walker = PageWalker(ListFeed(list.path, options: ListOptions()))
        let page = try await walker.nextPage(token: CancellationToken())
        #expect(page?.photos.map(\.address) == ["https://a.test/1"])
        let failure = await #expect(throws: Failure.self) { try await walker.nextPage(token: CancellationToken()) }
        #expect(failure?.cause == .feedParse && failure?.detail.contains("not closed") == true)
    }
}
