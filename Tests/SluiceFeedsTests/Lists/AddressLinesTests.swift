// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Lists of addresses", .timeLimit(.minutes(10))) struct AddressLinesTests {
    @Test("A line is an address, whatever is in it; empty lines and remarks are none")
    func lines() async throws {
        let photos = try await Listing.read(
            "\u{FEFF}# mine\nhttps://a.test/x,y z.jpg?q=1;2\r\n\n  HTTP://b.test/ü.png\t\n| https://b.test/fallback\nhttp://c.test"
        )
        #expect(photos.map(\.address) == ["https://a.test/x,y z.jpg?q=1;2", "HTTP://b.test/ü.png", "http://c.test"])
        #expect(photos.map(\.id) == photos.map(\.address))
        #expect(photos.allSatisfy { $0.flaw == nil })
    }

    @Test(
        "What is no address is an item that fails with its line and the reason, and the others go on",
        arguments: [
            ("nonsense", "not an address"), ("ftp://a.test/x", "not an address"),
            ("file:///etc/passwd", "not an address"),
            ("../../etc/passwd", "not an address"), ("https://", "not an address"), ("http:///x", "no host"),
            ("https://?x", "no host"), ("https://a.test/\tcaption", "control character"),
            ("https://a.test/\u{1B}[31m", "control character"), ("javascript:alert(1)", "not an address"),
        ])
    func flaws(line: String, reason: String) async throws {
        let photos = try await Listing.read("https://a.test/1\n\(line)\nhttps://a.test/3\n")
        #expect(photos.map(\.address) == ["https://a.test/1", nil, "https://a.test/3"])
        let flaw = try #require(photos[1].flaw)
        #expect(photos[1].id == "line 2" && flaw.cause == .feedParse)
        #expect(flaw.detail.hasPrefix("line 2: ") && flaw.detail.contains(reason), "\(flaw.detail)")
    }

    @Test("Bytes that are no UTF-8, and lines of megabytes, cost themselves alone")
    func hostile() async throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
        let bytes =
            Array("https://a.test/1\nhttps://a.test/".utf8) + [0xFF, 0xFE, 0x0A] + long
            + Array("\nhttps://a.test/4".utf8)
        let photos = try await Listing.read(bytes).photos
        #expect(photos.map(\.address) == ["https://a.test/1", nil, nil, "https://a.test/4"])
        #expect(photos[1].flaw?.detail == "line 2: not UTF-8")
        #expect(photos[2].flaw?.detail == "line 3: longer than a line may be")
    }

    @Test("Many lines are many pages, and a feed that was opened anew goes on at any of them")
    func pages() async throws {
        let text = (1...2500).map { "https://a.test/\($0)\n" }.joined()
        let all = try await Listing.read(text.utf8)
        #expect(all.pages == 3 && all.photos.count == 2500)
        let folder = try TemporaryList(text)
        let second = try await ListFeed(folder.path, options: ListOptions()).page(1, at: nil, token: Token())
        let cursor = try #require(second.next)
        let resumed = try await ListFeed(folder.path, options: ListOptions()).page(2, at: cursor, token: Token())
        #expect(resumed.photos.first?.address == "https://a.test/1001")
        #expect(resumed.photos == Array(all.photos[1000..<2000]))
    }

    @Test("An empty list has no photo", arguments: ["", "\n\n", "# nothing\n", "\u{FEFF}"])
    func empty(text: String) async throws {
        #expect(try await Listing.read(text).isEmpty)
    }

    @Test(
        "What cannot be a list at all is refused with the reason",
        arguments: [
            ([0xFF, 0xFE, 0x68, 0x00], "UTF-16"), ([0x89, 0x50, 0x4E, 0x47, 0, 0], "binary"),
            (Array("<html>".utf8), "XML"),
            (Array("name,place\na,b\n".utf8), "--url-column"),
        ] as [([UInt8], String)])
    func noList(bytes: [UInt8], reason: String) async throws {
        let failure = try #require(await #expect(throws: Failure.self) { try await Listing.read(bytes) })
        #expect(failure.cause == .feedParse && failure.detail.contains(reason), "\(failure)")
    }
}
