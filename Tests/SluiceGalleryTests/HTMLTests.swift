// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceGallery

@Suite("HTML", .timeLimit(.minutes(10))) struct HTMLTests {
    @Test(
        "Text is escaped",
        arguments: [
            ("plain", "plain"), ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onload=\"x", "&quot; onload=&quot;x"), ("' onload='x", "&#39; onload=&#39;x"),
            ("&lt;", "&amp;lt;"), ("a\u{0}b\u{1B}c\u{7F}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"), ("a\n\tb", "a\n\tb"),
            ("a\r\nb", "a\r\nb"), ("a\r\n<b", "a\r\n&lt;b"),
            ("王小明 🏔️", "王小明 🏔️"),
        ])
    func escapes(text: String, expected: String) {
        var html = HTML()
        html.text(text)
        #expect(String(decoding: html.bytes, as: UTF8.self) == expected)
    }

    // Hostile text is not passed as test arguments, because they would be printed to the terminal.
    @Test("No text can end its quotes or its element") func contains() {
        for text in HostileText.all + HostileText.random(2000) {
            var html = HTML()
            html.text(text)
            #expect(!html.bytes.contains { [UInt8(ascii: "<"), UInt8(ascii: ">"), 0x22, 0x27].contains($0) })
        }
    }

    @Test("An attribute without a value is left out") func leavesOutAttribute() {
        var html = HTML()
        html.attribute("alt", nil as String?)
        html.attribute("title", "a \"b\"")
        html.attribute("width", 7)
        #expect(String(decoding: html.bytes, as: UTF8.self) == " title=\"a &quot;b&quot;\" width=\"7\"")
    }

    @Test("Inserted HTML is not searched for placeholders, and the rest of the page is unchanged") func fillsTemplate()
    {
        let template = HTMLTemplate(Array("a{{one}}b{{two}}{c}".utf8))
        let filled = template.filled(["one": html { $0.text("{{two}}") }, "two": html { $0.markup("<hr>") }])
        #expect(String(decoding: filled, as: UTF8.self) == "a{{two}}b<hr>{c}")
    }
}

@Suite("Addresses", .timeLimit(.minutes(10))) struct AddressTests {
    @Test(
        "Web links are accepted",
        arguments: ["https://example.org/", "http://example.org/a?b=c#d", "HTTPS://example.org", "https://例え.test/写真"])
    func accepts(address: String) {
        #expect(WebLink(address)?.address == address)
    }

    @Test(
        "Other links are rejected",
        arguments: [
            "", "javascript:alert(1)", "JaVaScRiPt:alert(1)", " https://example.org", "java\nscript:alert(1)",
            "https:evil", "https://", "http:/x", "https:\\\\evil.test", "https://a\tb", "//evil.test/x",
            "data:text/html,x",
            "file:///etc/passwd", "ftp://example.org/", "vbscript:x", "blob:https://x", "https", ":", "https://a b",
            "https://a\u{7F}", "https://a.test/" + String(repeating: "x", count: 4000),
        ])
    func refuses(address: String) {
        #expect(WebLink(address) == nil)
    }

    @Test(
        "A path in the mirror becomes a relative URL",
        arguments: [
            ("originals/a.jpg", "originals/a.jpg"), ("thumbs/320x240/a b.jpg", "thumbs/320x240/a%20b.jpg"),
            ("originals/a#b?c%.jpg", "originals/a%23b%3Fc%25.jpg"),
            ("originals/é,ü.jpg", "originals/%C3%A9%2C%C3%BC.jpg"),
            ("javascript:alert(1)", "javascript%3Aalert%281%29"), ("//evil.test/a.js", "evil.test/a.js"),
            ("/etc/passwd", "etc/passwd"), ("./a/./b", "a/b"), ("a//b_-.9/", "a/b_-.9"), (".a/..b", ".a/..b"),
            (".", ""), ("../../etc/passwd", ""), ("a/../b", ""),
            ("a\\..\\b", "a%5C..%5Cb"), ("\"><script>", "%22%3E%3Cscript%3E"), ("", ""),
        ])
    func encodes(path: String, expected: String) {
        #expect(relativeAddress(of: path) == expected)
    }

    @Test(
        "A local original's URL is relative to the gallery, and unknown without the folder that its path starts from",
        arguments: [
            ("/data/photos/a b.jpg", nil, "../photos/a%20b.jpg"), ("/data/site/x/é.png", nil, "x/%C3%A9.png"),
            ("/a.jpg", nil, "../../a.jpg"), ("in/a.jpg", "/data", "../in/a.jpg"), ("../a.jpg", "/data/in", "../a.jpg"),
            ("in/a.jpg", nil, nil), ("https://example.org/a.jpg", "/data", nil), ("s3://bucket/a.jpg", "/data", nil),
        ] as [(String, String?, String?)])
    func locates(path: String, base: String?, expected: String?) {
        #expect(LocalOriginals(gallery: "/data/site", base: base).address(of: path) == expected)
    }
}
