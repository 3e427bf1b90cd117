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
            // Markup with brackets before and after the address, which are no JSON.
            ("[img]https://a.test/1.jpg[/img]\n", ["https://a.test/1.jpg"]),
            ("[[photos]]\nurl = \"https://a.test/1.jpg\"\n", ["https://a.test/1.jpg"]),
            // Chats, whose times are in brackets.
            (
                "[12/05/2024, 10:11:12] Ida: https://a.test/1.jpg\n[12.05.24, 10:12] Ole: see https://a.test/2.jpg\n",
                ["https://a.test/1.jpg", "https://a.test/2.jpg"]
            ),
            ("[10:11 AM] ida: https://a.test/1.jpg\n[10:12 AM] ole: hello\n", ["https://a.test/1.jpg"]),
            ("{{Infobox|image=https://a.test/1.jpg}}\n", ["https://a.test/1.jpg"]),
            ("\\includegraphics{https://a.test/1.jpg}\n", ["https://a.test/1.jpg"]),
            ("{'a': 'https://a.test/1.jpg'}\n", ["https://a.test/1.jpg"]),
            // Several addresses in a line, and columns without a header.
            (
                "https://a.test/1, https://a.test/2 https://a.test/3\n",
                ["https://a.test/1", "https://a.test/2", "https://a.test/3"]
            ),
            (
                "https://a.test/1.jpg,A lake\nhttps://a.test/2.jpg\tB\nhttps://a.test/7,7.jpg\n",
                ["https://a.test/1.jpg", "https://a.test/2.jpg", "https://a.test/7,7.jpg"]
            ),
            ("1,https://a.test/1.jpg,A\n2,https://a.test/2.jpg,B\n", ["https://a.test/1.jpg", "https://a.test/2.jpg"]),
            // A table whose cells are texts with addresses.
            (
                "id,html\n1,\"<img src=\"\"https://a.test/1.jpg\"\">\"\n2,2.jpg (https://a.test/2.jpg)\n",
                ["https://a.test/1.jpg", "https://a.test/2.jpg"]
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

    @Test(
        "A file that is no list is named, with what to do",
        arguments: [
            ("PK\u{3}\u{4}\u{14}", "this is a ZIP archive or a spreadsheet, which can be saved as CSV", true),
            ("Rar!\u{1A}", "this is a RAR archive", true), ("%PDF-1.7\n", "this is a PDF", false),
            ("\u{0}\u{0}\u{0}\u{14}ftypqt  ", "this is a video", false),
        ])
    func foreign(text: String, detail: String, isArchive: Bool) async throws {
        let failure = await #expect(throws: Failure.self) { try await TemporaryList.read(text) }
        #expect(failure?.cause == .wrongType && failure?.detail == detail)
        #expect(failure?.hint == (isArchive ? .extractArchive : nil))
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
            (Array("WARC/1.1\r\nWARC-Type: warcinfo\r\n".utf8), "web archive"), (Array("bplist00\u{1}".utf8), "Safari"),
            (Array("# Netscape HTTP Cookie File\n# https://c.test/spec.html\n".utf8), "cookies"),
            (
                Array("From: <Saved by x>\nSnapshot-Content-Location: https://a.test/g\nMIME-Version: 1.0\n".utf8),
                "MHTML; save it as HTML, or give its address: https://a.test/g"
            ),
            (Array("[InternetShortcut]\r\nURL=https://a.test/1.jpg\r\n".utf8), "address: https://a.test/1.jpg"),
            (
                Array("[{000214A0-0000}]\r\nProp3=19\r\n[InternetShortcut]\r\nURL=https://a.test/g\r\n".utf8),
                "address: https://a.test/g"
            ),
            (Array("d8:announce9:udp://a.t".utf8), "torrent"),
            (Array("[Desktop Entry]\nType=Link\nURL=https://a.test/g\n".utf8), "address: https://a.test/g"),
            (Array("[\n{\"Path\":\"1.jpg\",\"ModTime\":\"\",\"IsDir\":false}]".utf8), "rclone"),
        ] as [([UInt8], String)])
    func foreignFiles(bytes: [UInt8], word: String) async throws {
        let failure = try #require(await #expect(throws: Failure.self) { try await TemporaryList.read(bytes) })
        #expect(failure.detail.hasPrefix("this is ") && failure.detail.contains(word), "\(failure)")
    }

    /// Each line failed on its own, without a next step.
    @Test("A list of paths is refused once, with the option that reads it")
    func paths() async throws {
        for text in ["/home/ida/1.jpg\n/home/ida/2.jpg\n", "1.jpg\n2.jpg\n"] {
            let failure = try #require(await #expect(throws: Failure.self) { try await TemporaryList.read(text) })
            #expect(failure.detail.hasPrefix("line 1 is the path of a file") && failure.hint == .listSources)
        }
    }

    @Test("An input file of aria2 gives the first address of each download, with its checksum")
    func downloads() async throws {
        let digits = String(repeating: "0a", count: 32)
        let text = """
            # mine
            https://a.test/1.jpg\thttps://b.test/1.jpg
              out=first.jpg
              checksum=sha-256=\(digits)

            https://a.test/2
            \tdir=/tmp
            ftp://a.test/3
            https://a.test/4,5

            """
        let (photos, notes, _) = try await TemporaryList.read(text.utf8)
        #expect(photos.map(\.address) == ["https://a.test/1.jpg", "https://a.test/2", nil, "https://a.test/4,5"])
        #expect(photos[0].variants[0].checksum == Checksum(.sha256, digits) && photos[1].variants[0].checksum == nil)
        #expect(photos[2].invalidReason?.detail == "line 8: not an http:// or https:// address: ftp://a.test/3")
        #expect(notes == ["the options of downloads are ignored, except checksums"])
    }

    @Test(
        "An address is read without what browsers, mails and lists write around it",
        arguments: [
            (" https://a.test/1 \n", "https://a.test/1"), ("<https://a.test/1>", "https://a.test/1"),
            ("\"https://a.test/1\",", "\"https://a.test/1\","), ("'https://a.test/1'", "https://a.test/1"),
            ("view-source:https://a.test/", "https://a.test/"), ("feed:https://a.test/x", "https://a.test/x"),
            ("feed://a.test/x", "http://a.test/x"), ("URL: https://a.test/x", "https://a.test/x"),
            ("https://a.test/1.jpg,", "https://a.test/1.jpg"), ("https://a.test/D.C.", "https://a.test/D.C."),
            ("<www.example.org/x>", "https://www.example.org/x"), ("feed:notes", "feed:notes"), ("'a b'", "'a b'"),
            ("https://github.com/o/r/blob/main/a/1.jpg", "https://github.com/o/r/raw/main/a/1.jpg"),
            ("https://gitlab.com/g/s/p/-/blob/main/l.csv", "https://gitlab.com/g/s/p/-/raw/main/l.csv"),
            ("https://www.dropbox.com/s/x/1.jpg?dl=0", "https://www.dropbox.com/s/x/1.jpg?dl=1"),
            ("https://github.com/o/r", "https://github.com/o/r"),
            ("url:x", "url:x"), ("view-source:file:///a", "view-source:file:///a"),
        ])
    func bareAddresses(given: String, expected: String) {
        #expect(SourceAddress.completed(given) == expected)
    }

    @Test(
        "Pages that show another address, and other texts that cannot be sources, get one sentence with the next step",
        arguments: [
            ("https://v.test/embed/?iiif-content=https%3A%2F%2Fm.test%2F1", "give that one: https://m.test/1"),
            ("https://v.test/uv.html#?manifest=https://m.test/1&cv=2", "give that one: https://m.test/1"),
            ("https://s.test/imgres?imgurl=https://m.test/1.jpg&w=3", "give that one: https://m.test/1.jpg"),
            ("https://a.test/1 https://a.test/2", "several addresses in one argument; give each as its own"),
            ("blob:https://a.test/1", "it leads into a browser; give the address of the page"),
            ("data:image/png;base64,AA", "it is a picture itself; save it as a file, and give that"),
            ("magnet:?xt=urn:btih:c1", "download the photos with another program, and give their folder"),
            ("sftp://a.test/x", "download the photos with another program, and give their folder"),
            (
                "https://a.test/p[1-9].jpg?x=1",
                "to list them, run: printf '%s\\n' 'https://a.test/p'{1..9}'.jpg?x=1' | sluice mirror -"
            ),
            ("https://a.test/{a,b}.jpg", "printf '%s\\n' 'https://a.test/'{a,b}'.jpg' | sluice mirror -"),
            ("~/no such folder", "a shell replaces ~ only outside quotes"),
        ])
    func refusals(text: String, end: String) throws {
        let error = try #require(throws: SourceError.self) { try Source(text) }
        #expect(error.message.hasPrefix("cannot open '") && error.message.hasSuffix(end), "\(error.message)")
    }

    @Test("A page with a parameter that is no address is a page")
    func otherParameters() throws {
        for text in [
            "https://a.test/?q={\"a\",1}", "https://[::1]/x", "https://a.test/x[1].jpg", "https://a.test/{id}",
            "https://a.test/?manifest=1", "https://a.test/?imgurl=%FF", "https://a.test/manifest=https://b.test",
        ] {
            #expect(SourceAddress.shown(by: text) == nil)
        }
    }

    @Test("The address of a local file is its path")
    func localAddress() throws {
        let list = try TemporaryList("https://a.test/1\n", named: "my list.txt")
        let address = "file://" + list.path.replacing(" ", with: "%20")
        #expect(SourceAddress.completed(address) == list.path)
        #expect(try Source(address).type == .list)
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
