// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceGallery

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
