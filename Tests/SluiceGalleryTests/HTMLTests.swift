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
