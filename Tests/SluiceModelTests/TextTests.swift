// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceModel

@Suite("Exact texts", .timeLimit(.minutes(1))) struct ExactTextTests {
    private let composed = "\u{E9}.jpg"
    private let decomposed = "e\u{301}.jpg"

    @Test("Equivalent forms differ, and equal bytes are equal")
    func equality() {
        #expect(composed == decomposed && composed !== decomposed)
        #expect(composed === String(decoding: Array(composed.utf8), as: UTF8.self) && "" === "")
        #expect(!("" === "a") && "ab" !== "ba")
        let missing: String? = nil
        #expect(missing === nil && String?(composed) !== missing && String?(composed) !== decomposed)
    }

    @Test("The order is that of the bytes")
    func order() {
        let names = ["b", composed, "a", decomposed, "Z", ""]
        #expect(
            names.sortedByBytes().map { Array($0.utf8) }
                == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test("A set keeps equivalent forms apart")
    func set() {
        var set: TextSet = ["a", "a", "b"]
        #expect(set.count == 2 && set == TextSet(["b", "a"]) && set.sorted() == ["a", "b"])
        #expect(set.insert(composed) && set.insert(decomposed) && !set.insert(composed))
        #expect(set.count == 4 && set.contains(decomposed))
        set.remove(composed)
        #expect(!set.contains(composed) && set.contains(decomposed))
        #expect(set.isDisjoint(with: [composed, "c"]) && !set.isDisjoint(with: [composed, "b"]))
        set.formUnion([composed])
        #expect(set.count == 4)
    }

    @Test("A map keeps equivalent forms apart")
    func map() {
        var map = TextMap([(composed, 1), (decomposed, 2), (composed, 3)])
        #expect(map.count == 2 && map[composed] == 1 && map[decomposed] == 2)
        map[composed, default: 0] += 4
        map["new", default: 0] += 1
        #expect(map[composed] == 5 && map["new"] == 1 && map.removeValue(forKey: "new") == 1)
        #expect(map.sortedKeys.map { Array($0.utf8) } == [decomposed, composed].map { Array($0.utf8) })
        #expect(map.reduce(0) { $0 + $1.value } == 7 && map.values.reduce(0, +) == 7)
    }

    @Test("Cursors of equivalent forms are two")
    func cursors() {
        #expect(Set([Cursor(rawValue: composed), Cursor(rawValue: decomposed), Cursor(rawValue: composed)]).count == 2)
    }

    @Test("A slash before a combining mark separates parts")
    func parts() {
        #expect("a/\u{301}b//".pathComponents == ["a", "\u{301}b", "", ""])
        #expect(Array("a/\u{301}b".dropping(prefix: "a/").utf8) == Array("\u{301}b".utf8))
    }
}

@Suite("Percent escapes", .timeLimit(.minutes(1))) struct TextCodingTests {
    @Test(
        "Escapes are decoded once, and malformed ones stay",
        arguments: [
            ("a%20b", "a b"), ("%C3%a9", "é"), ("%2541", "%41"), ("100%", "100%"), ("%4", "%4"), ("%G1%4g", "%G1%4g"),
            ("%%41", "%A"), ("", ""),
        ])
    func decoding(text: String, decoded: String) {
        #expect(text.utf8.percentDecoded == Array(decoded.utf8))
    }

    @Test("Every byte has one escape of capital digits, which decodes to the byte")
    func roundTrip() {
        for byte in UInt8.min...UInt8.max {
            #expect(byte.percentEncoded.count == 3)
            #expect(byte.percentEncoded.percentDecoded == [byte])
        }
        #expect(String(decoding: UInt8(0xC3).percentEncoded, as: UTF8.self) == "%C3")
    }
}

@Suite("Tags", .timeLimit(.minutes(10))) struct TagListTests {
    @Test(
        "A text lists tags with commas or semicolons",
        arguments: [
            ("lake, dawn", ["lake", "dawn"]), ("red  lake;dawn;", ["red lake", "dawn"]), ("a; b, c", ["a; b", "c"]),
            (" one\ttag ", ["one tag"]), (", ,", []), ("", []), ("a,a,A", ["a", "A"]),
        ])
    func reading(text: String, tags: [String]) { #expect(TagList(text: text).tags == tags) }

    @Test("Texts of a list are tags without commas, and their text gives the same tags again")
    func writing() {
        let list = TagList(["Paris, France", "", "b"])
        #expect(list.tags == ["Paris France", "b"] && list.text == "Paris France, b")
        #expect(list.text.map { TagList(text: $0) } == list)
        #expect(TagList([]).text == nil)
    }

    @Test("The number of tags and their lengths are limited, and no character is cut")
    func limits() {
        let many = TagList((0..<1000).map(String.init))
        #expect(many.tags.count == 200 && many.tags.last == "199")
        let long = TagList([String(repeating: "ä", count: 1000)])
        #expect(long.tags == [String(repeating: "ä", count: 100)])
    }
}

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

@Suite("Spelling suggestions", .timeLimit(.minutes(10))) struct SpellingSuggestionTests {
    @Test(
        "The edit distance is symmetric",
        arguments: [("", "", 0), ("abc", "", 3), ("pages", "page", 1), ("form", "from", 1), ("a", "b", 1)])
    func distances(_ one: String, _ other: String, expected: Int) {
        #expect(editDistance(one, other) == expected)
        #expect(editDistance(other, one) == expected)
    }
}

@Suite("Times", .timeLimit(.minutes(10))) struct UTCTimeTests {
    @Test(
        "Times are formatted as RFC 3339 does",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_208_000, "2024-02-29T12:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
        ])
    func times(seconds: Int, text: String) { #expect(UTCTime(secondsSince1970: seconds).text == text) }

    @Test("The other formats")
    func formats() {
        let time = UTCTime(secondsSince1970: 1_709_208_009)
        #expect(time.date == "2024-02-29")
        #expect(time.minuteText == "2024-02-29 12:00 UTC")
        #expect(time.compactText == "20240229T120009Z")
        #expect(time.httpText == "Thu, 29 Feb 2024 12:00:09 GMT")
        #expect(UTCTime(secondsSince1970: -86_400).httpText == "Wed, 31 Dec 1969 00:00:00 GMT")
    }

    /// A lock file that another program wrote may hold any number.
    @Test("No number is too large", arguments: [Int.min, Int.max])
    func extremes(seconds: Int) { #expect(UTCTime(secondsSince1970: seconds).text.hasSuffix("Z")) }
}
