// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Variants", .timeLimit(.minutes(10))) struct VariantTests {
    @Test(
        "Credentials are removed from the address and restored for requests",
        arguments: [
            ("http://user:pass@a.test/x", "http://a.test/x", "user:pass"),
            ("HTTPS://u@a.test:81?x", "HTTPS://a.test:81?x", "u"), ("http://u:p@w@a.test", "http://a.test", "u:p@w"),
            ("http://u\\@a.test/", "http://a.test/", "u\\"), ("http://@a.test/", "http://a.test/", ""),
            ("http://a.test/x@y", "http://a.test/x@y", nil), ("http://a.test?x@y", "http://a.test?x@y", nil),
            ("http://a.test#x@y", "http://a.test#x@y", nil), ("http:u@a.test", "http:u@a.test", nil),
            ("/photos/a://b@c.jpg", "/photos/a://b@c.jpg", nil), ("", "", nil),
            ("iiif:https://u:p@a.test/m", "iiif:https://a.test/m", "u:p"),
        ])
    func userinfo(text: String, url: String, userinfo: String?) {
        let variant = Variant(name: "original", url: text)
        #expect(variant.url == url && variant.userinfo == userinfo && variant.address == text)
    }

    @Test("Credentials are removed from a photo's links")
    func links() {
        var photo = Photo(id: "a")
        (photo.pageURL, photo.authorURL) = ("http://u:p@a.test/page", "http://u:p@a.test/author")
        photo.licenseURL = "http://u:p@a.test/licence"
        #expect(photo.pageURL == "http://a.test/page" && photo.authorURL == "http://a.test/author")
        #expect(photo.licenseURL == "http://a.test/licence")
    }
}
