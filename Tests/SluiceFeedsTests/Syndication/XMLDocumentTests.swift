// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceFeeds

@Suite("Untrusted XML", .timeLimit(.minutes(10))) struct XMLDocumentTests {
    @discardableResult private func parse(
        _ bytes: [UInt8], token: CancellationToken = CancellationToken()
    ) throws -> XMLElement {
        try XMLDocument.root(of: bytes, token: token)
    }

    private func failure(_ text: String) throws -> Failure {
        try #require(throws: Failure.self) { try parse(Array(text.utf8)) }
    }

    @Test("Rejects entity declarations: no expansion attacks and no access to files or hosts")
    func entities() throws {
        let folder = TemporaryFolder()
        try folder.write("secret", to: "secret")
        let server = try RawServer([:])
        let laughs = (1...20).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }.joined()
        let subsets = [
            "<!ENTITY l0 \"ha\">\(laughs)", "<!ENTITY a \"\(String(repeating: "x", count: 1 << 20))\">",
            "<!ENTITY x SYSTEM \"file://\(folder.path("secret"))\">", "<!ENTITY x SYSTEM \"\(server.url("/x"))\">",
            "<!ENTITY % p SYSTEM \"\(server.url("/p"))\"> %p;", "<!ENTITY % p \"<!ENTITY q 'x'>\"> %p;",
        ]
        for subset in subsets {
            for body in ["", "&x;", "&l20;", String(repeating: "&a;", count: 10_000)] {
                let failure = try self.failure("<!DOCTYPE r [\(subset)]><r a='&l20;'>\(body)</r>")
                #expect(failure.cause == .feedParse && failure.detail.hasPrefix("line 1"), "\(failure)")
            }
        }
        #expect(throws: Never.self) {
            try parse(Array("<!DOCTYPE r SYSTEM \"\(server.url("/dtd"))\"><r/>".utf8))
        }
        #expect(server.requests.isEmpty)
    }

    /// 31,000 declarations made libxml2 search for 10 s.
    @Test("Limits the namespaces that apply to an element, but not those of siblings")
    func namespaces() throws {
        func tag(_ first: Int) -> String {
            "<a" + (first..<first + 400).map { " xmlns:n\($0)='u'" }.joined() + ">"
        }
        let siblings = (0..<10).map { tag($0 * 400) + "</a>" }.joined()
        #expect(throws: Never.self) { try parse(Array("<r>\(siblings)</r>".utf8)) }
        let nested = (0..<3).map { tag($0 * 400) }.joined() + String(repeating: "</a>", count: 3)
        #expect(try failure(nested).detail == "line 1: more than 1000 namespaces")
    }

    @Test("A document whose parsing takes too long is refused")
    func time() throws {
        let failure = #expect(throws: Failure.self) {
            try XMLDocument.root(of: Array("<r/>".utf8), timeLimit: .seconds(-1), token: CancellationToken())
        }
        #expect(failure?.cause == .feedParse)
        #expect(throws: Failure.self) {
            try HTMLParser.parse(
                [0x3C], charset: nil, into: WebPageReader(), timeLimit: .seconds(-1), token: CancellationToken())
        }
    }

    @Test("Limits depth and size, and reports malformed XML with its line")
    func bounds() throws {
        let nested = { (depth: Int) in String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(throws: Never.self) { try parse(Array(nested(64).utf8)) }
        #expect(try failure(nested(65)).detail == "line 1: nested more than 64 levels deep")
        #expect(try failure(nested(100_000)).cause == .feedParse)
        #expect(
            try failure("<r>" + String(repeating: "<a/>", count: 500_001) + "</r>").detail.contains("500000 elements"))
        #expect(try failure("<r>\n\n<a></b></r>").detail.hasPrefix("line 3, column "))
        for text in [
            "", " ", "x", "<r>", "<r", "<r></r><r/>", "<r a=1/>", "<r a='1' a='2'/>",
        ] {
            #expect(try failure(text).cause == .feedParse, "\(text)")
        }
    }

    @Test("Joins text across chunks, CDATA sections and predefined entities, in the document's encoding")
    func text() throws {
        let long = String(repeating: "ü€", count: 100_000)
        let root = try parse(Array("<r><a x='1 &lt; 2'>\(long)<![CDATA[<&]]>&amp;&#65;</a></r>".utf8))
        #expect(root.first("a")?.text == long + "<&&A" && root.first("a")?["x"] == "1 < 2")
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><r>".utf8) + [0xFC] + Array("</r>".utf8)
        #expect(try parse(latin).text == "ü")
    }

    /// 16 of 60 real feeds were refused because of a blank line before `<?xml`.
    @Test("Reads documents that are almost XML")
    func dirt() throws {
        func text(_ document: String) throws -> String? { try parse(Array(document.utf8)).text }
        for start in ["\n\n", " \r\n\t", "\u{FEFF}", "\u{FEFF}\u{FEFF}\n", "\n\u{FEFF} "] {
            #expect(try text(start + "<?xml version='1.0' encoding='utf-8'?><r>ü</r>") == "ü")
        }
        #expect(
            try text("<r>a&nbsp;b&eacute;&nosuch; &amp; c & d &#8211; &#x1; &;</r>")
                == "a\u{A0}bé&nosuch; & c & d – &#x1; &;")
        #expect(try text("<r>a&nbsp;<![CDATA[&nbsp; & <b>]]>&</r>") == "a\u{A0}&nbsp; & <b>&")
        #expect(try text("<r a='x?b=1&c=2'>\u{1}\u{8}x</r>") == "x")
        for name in ["utf8", "UTF-16", "none", "unicode"] {
            #expect(try text("<?xml version='1.0' encoding='\(name)'?><r>ü</r>") == "ü", "\(name)")
        }
        let windows = Array("<?xml version='1.0' encoding='utf-8'?><r>".utf8) + [0x93, 0xFC, 0x94] + Array("</r>".utf8)
        #expect(try parse(windows).text == "“ü”")
        let undeclared = try parse(Array("<rss><media:thumbnail url='x'/><other:a/></rss>".utf8))
        #expect(undeclared.first("thumbnail", in: Namespaces.media)?["url"] == "x")
    }

    /// libxml2 compares all attributes of a tag with each other: 800,000 of them took three minutes.
    @Test("Limits the attributes of an element and the length of a tag")
    func attributes() throws {
        let tag = { (count: Int) in "<r>\n<a \((0..<count).map { "a\($0)='' " }.joined())/></r>" }
        #expect(try parse(Array(tag(500).utf8)).first("a")?.attributes.count == 500)
        #expect(try failure(tag(501)).detail == "line 2: more than 500 attributes")
        #expect(try failure(tag(800_000)).detail == "line 2: a tag is longer than 256 KiB")
        let spaces = (0..<501).map { "xmlns:a\($0)='u' " }.joined()
        #expect(try failure("<r \(spaces)/>").detail == "line 1: more than 500 attributes")
        let defaults = (0..<400_000).map { "a\($0) CDATA '' " }.joined()
        let elements = String(repeating: "<a/>", count: 10_000)
        let declared = try failure("<!DOCTYPE r [<!ATTLIST a \(defaults)>]><r>\(elements)</r>")
        #expect(declared.detail == "line 1: attribute declarations are not allowed")
    }

    @Test("Accepts long values, comments and CDATA sections")
    func long() throws {
        let (value, text) = (String(repeating: "x", count: 200_000), String(repeating: "y", count: 1 << 20))
        let root = try parse(Array("<r a='\(value)'><!--\(text)--><?p \(text)?><![CDATA[\(text)]]></r>".utf8))
        #expect(root["a"] == value && root.text == text)
    }

    @Test("A cancelled token ends parsing")
    func cancellation() throws {
        let token = CancellationToken()
        token.cancel()
        let failure = try #require(throws: Failure.self) { try parse(Array("<r/>".utf8), token: token) }
        #expect(failure.cause == .cancelled)
    }
}
