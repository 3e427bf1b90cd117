// SPDX-License-Identifier: MIT

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
        "Lines and arrays say the same, however they are laid out",
        arguments: [
            objects.joined(separator: "\n"), objects.joined(separator: "\r\n") + "\n",
            "[\(objects.joined(separator: ","))]",
            "\n [\n  \(objects.joined(separator: "\n ,\n  "))\n]\n",
        ])
    func shapes(text: String) async throws {
        let photos = try await Listing.read(text)
        #expect(photos.map(\.id) == ["1", "two", "https://a.test/3"])
        #expect(photos.map(\.address) == ["https://a.test/1", "https://a.test/2", "https://a.test/3"])
        #expect(photos[0].caption == "One" && photos[0].author == "Ida" && photos[0].width == 800)
        #expect(photos[1].caption == nil && photos[1].license == nil)
    }

    @Test("What gallery-dl writes with -j is read: files are photos, folders and queues are none, errors are told")
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
        let photos = try await Listing.read(text)
        #expect(photos.map(\.id) == ["https://a.test/1.jpg", "https://a.test/2.jpg", "element 5"])
        #expect(photos[0].caption == "Post" && photos[0].author == "Ida" && photos[0].address == "https://a.test/1.jpg")
        #expect(photos[2].flaw?.detail == "line 6: gallery-dl failed: login\u{1B} needed")
        let lines = "[2, {}]\n[3, \"https://a.test/1.jpg\", {}]\n"
        #expect(try await Listing.read(lines).map(\.id) == ["https://a.test/1.jpg"])
    }

    @Test("A value of the wrong type or shape costs itself alone, and is told with its place")
    func flaws() async throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let values = [
            "{\"url\":1}", "{\"url\":null}", "17", "true", "{\"url\":[]}", "{\"x\":\(deep)}", "{\"url\" \"x\"}", "[]",
        ]
        let lines = try await Listing.read("{\"url\":\"https://a.test/0\"}\n" + values.joined(separator: "\n"))
        #expect(lines.count == values.count + 1 && lines.dropFirst().allSatisfy { $0.flaw?.cause == .feedParse })
        #expect(lines.map(\.id).suffix(2) == ["line 8", "line 9"])
        #expect(lines[7].flaw?.detail == "line 8, column 8: expected ':'")
        let array = try await Listing.read("[\n\"https://a.test/0\", \(values.joined(separator: ", "))]")
        #expect(array.count == values.count + 1 && Set(array.map(\.id)).count == array.count)
        #expect(array.dropFirst().allSatisfy { $0.flaw?.detail.hasPrefix("line 2") == true })
    }

    @Test("A caption of ten megabytes costs its record alone", arguments: [("", "\n", ""), ("[", ",\n", "]")])
    func long(open: String, separator: String, close: String) async throws {
        let caption = String(repeating: "é", count: 5 << 20)
        let long = "{\"url\":\"https://a.test/1\",\"caption\":\"\(caption)\"}"
        let text =
            open + [#"{"url":"https://a.test/0"}"#, long, #"{"url":"https://a.test/2"}"#].joined(separator: separator)
            + close
        let photos = try await Listing.read(text)
        #expect(photos.map(\.address) == ["https://a.test/0", nil, "https://a.test/2"])
        #expect(photos[1].flaw?.detail.contains("longer than") == true)
    }

    @Test("An array without an end keeps what was read, and then fails", arguments: ["", ",", ", {\"url\":", ", \"x"])
    func unfinished(end: String) async throws {
        let list = try TemporaryList("[\"https://a.test/1\"" + end)
        var walk = Walk(ListFeed(list.path, options: ListOptions()))
        let page = try await walk.nextPage(token: Token())
        #expect(page?.photos.map(\.address) == ["https://a.test/1"])
        let failure = await #expect(throws: Failure.self) { try await walk.nextPage(token: Token()) }
        #expect(failure?.cause == .feedParse && failure?.detail.contains("no end") == true)
    }
}
