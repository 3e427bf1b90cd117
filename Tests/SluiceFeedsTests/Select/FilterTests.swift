// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Filter", .timeLimit(.minutes(10))) struct FilterTests {
    private static let photo: Photo = {
        var photo = Photo(
            id: "p-7",
            variants: [Variant(name: "a", url: "https://a.test/7"), Variant(name: "b", url: "https://b.test/7")])
        (photo.width, photo.height, photo.date) = (1200, 800, PublishedDate.seconds(of: "2026-01-31T12:00Z"))
        (photo.caption, photo.license) = ("A \"fine\" day && more", "CC BY 4.0")
        photo.tags = "red lake, dawn"
        photo.columns = #"{"score":0.30,"nr":"0042","tags":["Lake","dawn"],"ok":true,"Image Size":12,"x":{"y":1}}"#
        return photo
    }()

    @Test(
        "Accepts a photo that satisfies the condition",
        arguments: [
            "width>=1000", "width >= 1200 && height<=800", "width==1200", "width=1200.0", "height!=1200",
            "license~\"cc\"",
            "license ~ 'by 4'", "license=='CC BY 4.0'", "license!~nd", "id=p-7", "url~b.test", "url==https://a.test/7",
            "date>=2026-01-31", "date<'2026-02-01'", "date>2026-01-31T11:59Z", "caption", "!author", "author!=Ida",
            "width<10 || width>100", "width<10 || height<10 || id", "!(width<10 || height<10)", "!!id", "((id))",
            "caption~\"\\\"FINE\\\"\"", "caption~'&& more'",
            "width>10&&width<2000||nosuch=='x'".replacing("nosuch", with: "author"),
            "id>p-6", "ID==p-7", "tags=dawn", "tags='red lake'", "tags~RED", "tags",
            "columns.score>=0.3", "columns.score<1e1", "columns.score=0.3", "columns.nr==42", "columns.nr='0042'",
            "columns.tags=dawn", "columns.tags~LAK", "columns.tags!=x", "columns.ok=true", "columns.\"Image Size\">9",
            "columns.x || columns.score", "!columns.none", "columns.none!=3",
        ])
    func holds(text: String) throws {
        #expect(try Filter(text).accepts(Self.photo))
    }

    @Test(
        "Rejects a photo that does not satisfy the condition or lacks the field",
        arguments: [
            "width>1200", "width<1000", "license~\"nc\"", "license==cc", "author", "author==Ida", "author~a",
            "!caption",
            "columns.score>0.3", "columns.score='0.3'", "columns.tags==9", "columns.none<3", "columns.nr~7",
            "columns.x=1",
            "color<z", "date<2026-01-31", "width>10 && author", "id && !(license~by)", "author || color",
        ])
    func fails(text: String) throws {
        #expect(try !Filter(text).accepts(Self.photo))
    }

    @Test("! binds tighter than &&, and && tighter than ||")
    func binding() throws {
        #expect(try Filter("id || author && color").accepts(Self.photo))
        #expect(try !Filter("(id || author) && color").accepts(Self.photo))
        #expect(try Filter("!author && id").accepts(Self.photo))
    }

    @Test(
        "Reports a syntax error with its column",
        arguments: [
            ("", 1, "field name"), ("  ", 3, "field name"), ("widht>1", 1, "did you mean width"),
            ("width>", 7, "a value"),
            ("width>x", 7, "a number"), ("width>1e", 7, "a number"), ("width>-1", 7, "a number"),
            ("width~1", 6, "number"),
            ("date>soon", 6, "a date"), ("license~\"CC", 9, "unclosed"), ("(width>1", 9, "expected )"),
            ("width>1)", 8, "&&, || or"), ("width>1 height<2", 9, "&&, || or"), ("width>1 &&", 11, "field name"),
            ("width>1 & height", 9, "&&, || or"), ("a==", 1, "unknown field"), ("id==💥", 5, "a value"),
        ])
    func mistakes(text: String, column: Int, problem: String) throws {
        let error = try #require(#expect(throws: InvalidText.self) { try Filter(text) })
        #expect(error.column == column && error.problem.contains(problem), "\(error)")
    }

    @Test("Accepts nested conditions up to a limit", arguments: ["(", "!", "!("])
    func depth(opening: String) throws {
        let closing = opening.contains("(") ? ")" : ""
        func nested(_ count: Int) -> String {
            String(repeating: opening, count: count) + "id" + String(repeating: closing, count: count)
        }
        #expect(throws: Never.self) { try Filter(nested(60 / opening.count)) }
        let error = try #require(#expect(throws: InvalidText.self) { try Filter(nested(100_000)) })
        #expect(error.problem == "nested more than 64 levels deep")
    }
}
