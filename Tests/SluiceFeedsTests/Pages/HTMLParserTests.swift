// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import Testing

@testable import SluiceFeeds

/// Parses hostile and damaged HTML.
@Suite("Hostile HTML", .timeLimit(.minutes(10))) struct HTMLParserTests {
    private func page(_ bytes: [UInt8], charset: String? = nil) throws -> WebPage {
        try WebPageReader.page(of: bytes, charset: charset, token: CancellationToken())
    }

    @Test(
        "The readable parts of damaged documents are read",
        arguments: [
            "<img src=a.jpg", "<p><b><img src='a.jpg'></p></i></b>", "<table><img src=a.jpg><tr>", "\0<img src=a.jpg>",
            "<!-- <img src=x.jpg> --><img src=a.jpg>", "<script>'<img src=x.jpg>'</script><img src=a.jpg>",
            "<img src=a.jpg><!-- never closed <img src=b.jpg>", "<IMG SRC = \"a.jpg\" / >",
            "<html><body></body></html><img src=a.jpg>",
            "<style>a::after{content:'<img src=x.jpg>'}</style><img src=a.jpg>",
        ])
    func damaged(html: String) throws {
        #expect(try page(Array(html.utf8)).pictures.compactMap { $0.sources.first?.address } == ["a.jpg"], "\(html)")
    }

    @Test("The encoding is that of the bytes, of the server or of the document")
    func encodings() throws {
        let html = "<img src=a.jpg alt='é'>"
        let latin: [UInt8] = Array("<img src=a.jpg alt='".utf8) + [0xE9] + Array("'>".utf8)
        let meta = Array("<meta charset=iso-8859-1>".utf8)
        let utf16: [UInt8] = html.utf16.reduce(into: [0xFF, 0xFE]) { $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)] }
        let documents: [([UInt8], String?)] = [
            (Array(html.utf8), nil), (Array(html.utf8), "iso-8859-1"), ([0xEF, 0xBB, 0xBF] + Array(html.utf8), nil),
            (latin, "iso-8859-1"), (latin, "windows-1252"), (meta + latin, nil), (utf16, nil), (latin, nil),
        ]
        for (bytes, charset) in documents {
            #expect(try page(bytes, charset: charset).pictures.first?.caption == "é", "\(charset ?? "-")")
        }
        #expect(try page(latin, charset: "no-such-encoding").pictures.count == 1)
    }

    @Test("Long values and many attributes are cut, and the picture remains")
    func longTags() throws {
        let attributes = (0..<1000).map { "a\($0)=1" }.joined(separator: " ")
        let data = "data:image/png;base64," + String(repeating: "A", count: 1 << 20)
        let html =
            "<img src=a.jpg \(attributes)><img src='\(data)'><img src='\(String(repeating: "b", count: 1 << 16))'>"
        let pictures = try page(Array(html.utf8)).pictures
        #expect(pictures.count == 3 && pictures[0].sources.map(\.address) == ["a.jpg"])
        #expect(pictures[1].sources.first?.address.hasPrefix("data:image/png") == true)
        #expect(pictures[2].sources.isEmpty)
    }

    @Test("A document that is nested too deep is read up to there")
    func depth() throws {
        let html = "<img src=a.jpg>" + String(repeating: "<div>", count: 100_000) + "<img src=b.jpg>"
        let page = try page(Array(html.utf8))
        #expect(page.pictures.count == 1 && page.problem?.contains("levels deep") == true)
    }

    @Test("A cancelled run stops the parser")
    func cancelled() throws {
        let token = CancellationToken()
        token.cancel()
        let failure = #expect(throws: Failure.self) { try WebPageReader.page(of: [0x3C], token: token) }
        #expect(failure?.cause == .cancelled)
    }

    /// 20,000 pictures with a base of 2 KB took 18 s.
    @Test("The addresses of a page's pictures have a limit together")
    func longBase() throws {
        let base = "https://a.test/" + String(repeating: "a/", count: 1000)
        let pictures = (0..<5000).map { "<img src=\($0).jpg>" }.joined()
        let page = try WebPageReader.page(
            of: Array("<base href='\(base)'>\(pictures)".utf8), token: CancellationToken())
        let found = PagePhotos(page, at: WebAddress("https://a.test/"), minWidth: 0, minHeight: 0)
        #expect(found.problem?.contains("8 MiB") == true && (4000..<5000).contains(found.photos.count))
        let document = WebDocument(page: page, at: WebAddress("https://a.test/"), WebReading())
        #expect(document.notes.contains { $0.contains("8 MiB") })
    }

    /// Documents of about this size that are made to be expensive.
    private static let hostile: [(String, @Sendable (Int) -> String)] = [
        ("open tags", { String(repeating: "<b>", count: $0 / 3) }),
        ("end tags", { String(repeating: "<i></b>", count: $0 / 7) }),
        ("attributes", { "<img " + (0..<$0 / 8).map { "a\($0)=1 " }.joined() + ">" }),
        ("pictures", { (0..<$0 / 16).map { "<img src=\($0).jpg>" }.joined() }),
        ("one picture", { String(repeating: "<img src=a.jpg>", count: $0 / 15) }),
        ("srcset", { "<img srcset='" + String(repeating: "a 1w,", count: $0 / 5) + "'>" }),
        ("captions", { String(repeating: "<figure><figcaption>x", count: $0 / 21) }),
        ("links", { String(repeating: "<a href=b>x", count: $0 / 11) }),
        ("quotes", { "<a b=\"" + String(repeating: "<c d='", count: $0 / 6) }),
        ("comments", { String(repeating: "<!--", count: $0 / 4) }),
        ("scripts", { String(repeating: "<script></scr", count: $0 / 15) }),
        (
            "sources",
            { "<picture>" + String(repeating: "<source srcset='a 1w, b 2w'>", count: $0 / 28) + "<img></picture>" }
        ),
        ("JSON-LD", { "<script type='application/ld+json'>" + String(repeating: "[", count: $0) + "</script>" }),
    ]

    @Test("The number of steps grows with the size of the document", arguments: hostile.indices)
    func linear(index: Int) throws {
        let (name, make) = Self.hostile[index]
        func steps(_ size: Int) throws -> Int {
            let bytes = Array(make(size).utf8)
            let reader = WebPageReader()
            let page = try reader.read(bytes, charset: nil, token: CancellationToken())
            let photos = PagePhotos(page, at: WebAddress("https://a.test/"), minWidth: 100, minHeight: 100)
            return HTMLTagFilter.steps(of: bytes) + reader.steps + photos.steps
        }
        let (small, large) = (try steps(50_000), try steps(200_000))
        #expect(large <= small * 5, "\(name): \(small) and \(large) steps")
        #expect(large <= 200_000 * 10, "\(name)")
    }
}
