// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Lists as people have them: addresses within text, and the encodings of spreadsheets.
@Suite("Lists in any text", .timeLimit(.minutes(10))) struct TextListTests {
    @Test(
        "Addresses of pictures are found in any text, and an address alone in its line whatever it ends with",
        arguments: [
            ("- https://a.test/1\n- https://a.test/2?x=(1)\n", ["https://a.test/1", "https://a.test/2?x=(1)"]),
            ("\"https://a.test/1\",\n'https://a.test/2',\n", ["https://a.test/1", "https://a.test/2"]),
            ("1. <https://a.test/1>\n", ["https://a.test/1"]),
            (
                "# Trip\n\n[Docs](https://a.test/docs) first.\n[![s](https://a.test/s.png)](https://a.test/big.jpg)\n"
                    + "See https://a.test/x_(1).webp, or https://[::1]:8080/y.gif.\n",
                [
                    "https://a.test/s.png", "https://a.test/big.jpg", "https://a.test/x_(1).webp",
                    "https://[::1]:8080/y.gif",
                ]
            ),
            (
                "photo: <img src=\"https://a.test/1.jpg?a=1&amp;b=2\" alt=\"\">\nxhttps://a.test/2.jpg\n",
                ["https://a.test/1.jpg?a=1&b=2"]
            ),
        ])
    func addresses(text: String, expected: [String]) async throws {
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.address) == expected)
        #expect(photos.allSatisfy { $0.invalidReason == nil })
    }

    @Test("Ignored lines are noted, and a text without pictures has none")
    func ignored() async throws {
        let text = "Photos of today:\nhttps://a.test/1.jpg was the best.\n"
        let (photos, notes, _) = try await TemporaryList.read(text.utf8)
        #expect(photos.map(\.address) == ["https://a.test/1.jpg"])
        #expect(notes == ["lines without the address of a picture are ignored"])
        // A list of addresses with a misspelt one first does not become text.
        let wrong = try await TemporaryList.read("htps://a.test/1\nhttp//a.test/2\n")
        #expect(wrong.map { $0.invalidReason != nil } == [true, true])
    }

    @Test("A list of addresses with a comment first is still one, in which a wrong line fails")
    func comment() async throws {
        let photos = try await TemporaryList.read("# mine\n\nhttps://a.test/1\n- https://a.test/2\n")
        #expect(photos.map(\.address) == ["https://a.test/1", nil])
    }

    @Test("UTF-16 of both byte orders is read, also in pieces", arguments: [false, true], [1, 2, 3, 5, 4096])
    func utf16(isBigEndian: Bool, size: Int) {
        let text = "url,caption\nhttps://a.test/1,Zürich \u{1F4F7}\n"
        let units = [0xFEFF] + Array(text.utf16)
        let bytes = units.flatMap { unit in
            let pair = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
            return isBigEndian ? pair.reversed() : pair
        }
        var decoder = UTF16Text()
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            decoded += decoder.decode(Array(bytes[start..<min(start + size, bytes.count)]), isLast: false)
        }
        decoded += decoder.decode([], isLast: true)
        #expect(String(decoding: decoded, as: UTF8.self) == text)
    }

    @Test("A table in UTF-16 is a list")
    func utf16Table() async throws {
        let bytes = ([0xFEFF] + Array("url\tcaption\nhttps://a.test/1\té\n".utf16)).flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        let photos = try await TemporaryList.read(bytes).photos
        #expect(photos.map(\.caption) == ["é"] && photos.map(\.address) == ["https://a.test/1"])
    }

    @Test("Fields and addresses that are not UTF-8 are read as Windows-1252, with a note")
    func windows1252() async throws {
        let table = Array("id;url;title\n1;https://a.test/1;x\n2;https://a.test/2;".utf8) + [0xC4, 0x20, 0x80, 0x0A]
        let (photos, notes, _) = try await TemporaryList.read(table)
        #expect(photos.map(\.caption) == ["x", "Ä €"])
        #expect(notes == ["line 3 is not UTF-8; such lines are read as Windows-1252"])
        let lines = try await TemporaryList.read(Array("https://a.test/caf".utf8) + [0xE9, 0x0A])
        #expect(lines.photos.map(\.address) == ["https://a.test/café"])
        #expect(lines.notes == ["line 1 is not UTF-8; such lines are read as Windows-1252"])
    }

    @Test(
        "Archives, spreadsheets and documents are named, with the next step",
        arguments: [
            (Array("PK\u{3}\u{4}\u{14}\0".utf8), "ZIP"), (Array("%PDF-1.7\n".utf8), "PDF"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz"), (Array("SQLite format 3\0".utf8), "database"),
            ([UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8) + [0], "tar"),
        ] as [([UInt8], String)])
    func foreignFiles(bytes: [UInt8], word: String) async throws {
        let failure = try #require(await #expect(throws: Failure.self) { try await TemporaryList.read(bytes) })
        #expect(failure.detail.hasPrefix("this is ") && failure.detail.contains(word), "\(failure)")
    }

    @Test("The address of a local file is its path")
    func localAddress() throws {
        let list = try TemporaryList("https://a.test/1\n", named: "my list.txt")
        let address = "file://" + list.path.replacing(" ", with: "%20")
        #expect(SourceAddress.completed(address) == list.path)
        #expect(try Source(address).isList)
        // A name that is not UTF-8 has only its address.
        #expect(SourceAddress.completed("file:///caf%E9.jpg") == "file:///caf%E9.jpg")
    }

    @Test(
        "A text that looks like an address without its scheme gets a suggestion",
        arguments: [
            ("127.0.0.1:8080/a.jpg", "http://127.0.0.1:8080/a.jpg"), ("localhost:8000/x", "http://localhost:8000/x"),
            ("10.0.0.1/x", "http://10.0.0.1/x"), ("a.example.org/x", "https://a.example.org/x"), ("./a/b", nil),
            ("photos/2024", nil), ("unsplsh:search/lakes", nil), ("a:b/c", nil),
        ])
    func suggestions(text: String, expected: String?) throws {
        #expect(SourceAddress.suggestion(for: text) == expected)
        guard let expected else { return }
        let error = try #require(throws: SourceError.self) { try Source(text) }
        #expect(error.message.hasSuffix("for a web address, write \(expected)"))
    }
}
