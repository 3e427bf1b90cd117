// SPDX-License-Identifier: MIT

import SluiceLedger
import SluiceModel
import Testing

@Suite("FileStem", .timeLimit(.minutes(10))) struct FileStemTests {
    private func stem(_ seq: Int, caption: String?, id: String = "x1") -> String {
        var photo = Photo(id: id)
        photo.caption = caption
        return FileStem(for: Item(seq: seq, feed: "demo", page: 1, photo: photo)).description
    }

    @Test(
        "A caption becomes readable words",
        arguments: [
            ("A lake at dawn", "a-lake-at-dawn"), ("  Crème brûlée,  Zürich!", "creme-brulee-zurich"),
            ("Łódź Straße Ærø Đà", "lodz-strasse-aero-da"), ("Don't l'été it’s", "dont-lete-its"),
            ("e\u{301}te\u{301}", "ete"), ("3×4", "3-4"), ("日本 Tokyo 2020", "tokyo-2020"), ("a_b.c/d\\e", "a-b-c-d-e"),
        ])
    func captions(caption: String, slug: String) {
        #expect(stem(12, caption: caption) == "00012-\(slug)")
    }

    @Test("The position has at least five digits")
    func positions() {
        #expect(stem(1, caption: "a") == "00001-a")
        #expect(stem(4999, caption: "a") == "04999-a" && stem(5012, caption: "a") == "05000/05012-a")
        #expect(stem(123_456, caption: "a") == "123000/123456-a")
        #expect(stem(12_345_678, caption: "a") == "12000000/12345000/12345678-a")
    }

    @Test("A caption without words falls back to the id, and then to a fixed word")
    func fallbacks() {
        #expect(stem(1, caption: nil, id: "Dwu85P9SOIk") == "00001-dwu85p9soik")
        #expect(stem(1, caption: "写真", id: "abc") == "00001-abc")
        #expect(stem(1, caption: "", id: "../..") == "00001-photo")
    }

    @Test("A long caption is cut between words, a long word anywhere")
    func cutting() {
        let long = stem(1, caption: "the quick brown fox jumps over the lazy dog again and again")
        #expect(long == "00001-the-quick-brown-fox-jumps-over-the-lazy-dog")
        #expect(stem(1, caption: String(repeating: "x", count: 1000)) == "00001-" + String(repeating: "x", count: 48))
    }

    @Test("A Windows device name is not used", arguments: ["con", "NUL", "com1", "LPT9", "aux.", "prn/"])
    func devices(caption: String) {
        #expect(stem(1, caption: caption).hasSuffix("-photo"))
    }

    @Test("Names that only resemble those of devices stay", arguments: ["cone", "comb", "com12", "lpt", "au"])
    func otherNames(caption: String) {
        #expect(stem(1, caption: caption) == "00001-\(caption)")
    }

    @Test("Names from untrusted text are safe on every file system", arguments: HostileText.strings.indices)
    func untrusted(index: Int) {
        for (caption, id) in [(HostileText.strings[index], "x"), ("", HostileText.strings[index])] {
            let name = stem(1, caption: caption, id: id)
            let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
            #expect(name.allSatisfy(allowed.contains) && name.utf8.count <= 6 + 48 && name.hasPrefix("00001-"))
            #expect(!name.hasSuffix("-") && !name.contains("--"))
        }
    }
}
