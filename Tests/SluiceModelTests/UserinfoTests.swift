// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

/// Credentials in addresses.
@Suite("Userinfo", .timeLimit(.minutes(10))) struct UserinfoTests {
    @Test(
        "Credentials of every address in a text are removed, and nothing else",
        arguments: [
            ("http://u:p@a.test/x is neither", "http://a.test/x is neither"),
            ("'iiif:https://u:p@a.test' and 'ftp://u@b.test:1?c@d'", "'iiif:https://a.test' and 'ftp://b.test:1?c@d'"),
            ("http://u:p'w@b@a.test#x", "http://a.test#x"),
            ("https://a.test/@u me@a.test", "https://a.test/@u me@a.test"),
            ("no address", "no address"), ("u:p@a.test", "u:p@a.test"), ("://@", "://"), ("", ""),
        ])
    func text(_ text: String, expected: String) {
        #expect(Userinfo.removed(fromText: text) == expected)
    }

    @Test("A failure and a photo's id hold no credentials") func values() {
        let failure = Failure(.feedParse, "http://u:p@a.test/ is no feed", finalURL: "http://u:p@a.test/")
        #expect(failure.detail == "http://a.test/ is no feed" && failure.finalURL == "http://a.test/")
        var photo = Photo(id: "http://u:p@a.test/1")
        #expect(photo.id == "http://a.test/1")
        photo.id = "https://u:p@a.test/2"
        #expect(photo.id == "https://a.test/2")
    }
}
