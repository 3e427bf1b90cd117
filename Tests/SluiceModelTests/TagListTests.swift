// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

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
