// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceFeeds

@Suite("Lists of addresses", .timeLimit(.minutes(10))) struct AddressLinesTests {
    @Test("Each line is an address; empty lines and comments are skipped")
    func lines() async throws {
        let photos = try await TemporaryList.read(
            "\u{FEFF}# mine\nhttps://a.test/x,y z.jpg?q=1;2\r\n\n  HTTP://b.test/ü.png\t\n| https://b.test/fallback\nhttp://c.test"
        )
        #expect(photos.map(\.address) == ["https://a.test/x,y z.jpg?q=1;2", "HTTP://b.test/ü.png", "http://c.test"])
        #expect(photos.map(\.id) == photos.map(\.address))
        #expect(photos.allSatisfy { $0.invalidReason == nil })
    }

    @Test(
        "An invalid address becomes an invalid photo with its line and reason, and the other lines are read",
        arguments: [
            ("nonsense", "not an http"), ("ftp://a.test/x", "not an http"),
            ("file:///etc/passwd", "not an http"),
            ("../../etc/passwd", "not an http"), ("https://", "not an http"), ("http:///x", "no host"),
            ("https://?x", "no host"), ("https://a.test/\tcaption", "control character"),
            ("https://a.test/\u{1B}[31m", "control character"), ("https://a.test/\0x", "control character"),
            ("javascript:alert(1)", "not an http"),
        ])
    func invalidAddresses(line: String, reason: String) async throws {
        let photos = try await TemporaryList.read("https://a.test/1\n\(line)\nhttps://a.test/3\n")
        #expect(photos.map(\.address) == ["https://a.test/1", nil, "https://a.test/3"])
        let failure = try #require(photos[1].invalidReason)
        #expect(photos[1].id == "line 2" && failure.cause == .feedParse)
        #expect(failure.detail.hasPrefix("line 2: ") && failure.detail.contains(reason), "\(failure.detail)")
    }

    @Test(
        "A table without a header has an address and a caption in either order, and perhaps more",
        arguments: [
            "a \"big\" lake\thttps://a.test/1\n\"dawn\thttps://a.test/2\n",
            "https://a.test/1\ta \"big\" lake\nhttps://a.test/2\t\"dawn\r\n\n",
        ])
    func headerless(text: String) async throws {
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.address) == ["https://a.test/1", "https://a.test/2"])
        #expect(photos.map(\.caption) == ["a \"big\" lake", "\"dawn"] && photos.allSatisfy { $0.columns == nil })
    }

    @Test("Further columns of a table without a header are kept by their numbers, and mirrors of one file are not rows")
    func headerlessColumns() async throws {
        // Only the first ten lines tell what the columns are.
        let rows = (2...10).map { "sea\thttps://a.test/\($0)\t\t\n" }.joined()
        let photos = try await TemporaryList.read("1984\thttps://a.test/1\tsky\t0.5\n\(rows)x\tnone\ty\tz\n")
        #expect(photos.map(\.caption) == ["1984"] + Array(repeating: "sea", count: 9) + [nil])
        #expect(photos.map(\.columns) == [#"{"column_3":"sky","column_4":0.5}"#] + Array(repeating: nil, count: 10))
        #expect(photos[10].invalidReason?.detail == "line 11: not an http:// or https:// address")
        let mirrors = try await TemporaryList.read(
            "https://a.test/1\thttps://b.test/1\nhttps://a.test/2\thttps://b.test/2\n")
        #expect(mirrors.allSatisfy { $0.caption == nil })
    }

    /// One NUL in the second line refused the whole list.
    @Test("Only a list with a NUL in its first line, or with many, is binary data")
    func binary() async throws {
        let one = try await TemporaryList.read("https://a.test/1\nurl\0\nhttps://a.test/3\n")
        #expect(one.map { $0.invalidReason == nil } == [true, false, true])
        for text in ["https://a.test/1\0\n", "https://a.test/1\n" + String(repeating: "\0", count: 9)] {
            await #expect(throws: Failure.self) { try await TemporaryList.read(text) }
        }
    }

    @Test("A line that is too long invalidates only itself")
    func invalidLines() async throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
        let bytes =
            Array("https://a.test/1\n".utf8) + long + Array("\nhttps://a.test/3".utf8)
        let photos = try await TemporaryList.read(bytes).photos
        #expect(photos.map(\.address) == ["https://a.test/1", nil, "https://a.test/3"])
        #expect(photos[1].invalidReason?.detail == "line 2: longer than 1 MiB")
    }

    @Test("A long list has several pages, and a reopened feed resumes at any of them")
    func pages() async throws {
        let text = (1...2500).map { "https://a.test/\($0)\n" }.joined()
        let all = try await TemporaryList.read(text.utf8)
        #expect(all.pages == 3 && all.photos.count == 2500)
        let list = try TemporaryList(text)
        let second = try await ListFeed(list.path, options: ListOptions()).page(1, at: nil, token: CancellationToken())
        let cursor = try #require(second.next)
        let resumed = try await ListFeed(list.path, options: ListOptions()).page(
            2, at: cursor, token: CancellationToken())
        #expect(resumed.photos.first?.address == "https://a.test/1001")
        #expect(resumed.photos == Array(all.photos[1000..<2000]))
    }

    @Test("An empty list is an error that names it", arguments: ["", "\n\n", "# nothing\n", "\u{FEFF}"])
    func empty(text: String) async throws {
        let failure = await #expect(throws: Failure.self) { try await TemporaryList.read(text) }
        #expect(failure?.cause == .feedParse && failure?.detail.hasSuffix("/list' is empty") == true)
    }

    @Test(
        "A file that cannot be a list is rejected with the reason",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0, 0], "binary"),
            (Array("<html>".utf8), "XML"),
            (Array("name,place\na,b\n".utf8), "no column is named 'url'"),
        ] as [([UInt8], String)])
    func notAList(bytes: [UInt8], reason: String) async throws {
        let failure = try #require(await #expect(throws: Failure.self) { try await TemporaryList.read(bytes) })
        #expect(failure.cause == .feedParse && failure.detail.contains(reason), "\(failure)")
    }
}

/// A list file in its own temporary folder, which is deleted with it.
final class TemporaryList {
    private let folder = TemporaryFolder()
    let path: String

    init(_ bytes: some Collection<UInt8>, named name: String = "list") throws {
        path = try folder.write(bytes, to: name)
    }

    convenience init(_ text: String, named name: String = "list") throws { try self.init(text.utf8, named: name) }

    /// The photos of a list with this text.
    static func read(_ text: String) async throws -> [Photo] { try await read(text.utf8).photos }

    /// Reads all pages of a list with these bytes, as the command does.
    static func read(
        _ bytes: some Collection<UInt8>, urlColumn: String? = nil, idColumn: String? = nil, captionColumn: String? = nil
    ) async throws -> (photos: [Photo], notes: [String], pages: Int) {
        let list = try TemporaryList(bytes)
        var options = ListOptions()
        options.urlColumn = urlColumn
        options.idColumn = idColumn
        options.captionColumn = captionColumn
        options.readsHeaders = true
        let pages = try await SluiceFeedsTests.pages(of: ListFeed(list.path, options: options))
        return (pages.flatMap(\.photos), pages.flatMap(\.notes), pages.count)
    }
}

extension Photo {
    /// The address of a listed photo's only variant.
    var address: String? { variants.first?.url }
}
