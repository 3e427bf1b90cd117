// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Selection", .timeLimit(.minutes(10))) struct SelectionTests {
    /// The ids of the selected photos of two pages with the photos 1 to 10.
    private func selected(_ selection: Selection, _ change: (inout Photo, Int) -> Void = { _, _ in }) -> [String] {
        var selector = PhotoSelector(selection)
        return [1...5, 6...10].flatMap { numbers in
            var page = Page(
                number: 1,
                photos: numbers.map { number in
                    var photo = Photo(id: "\(number)")
                    change(&photo, number)
                    return photo
                })
            selector.apply(to: &page)
            return page.photos.map(\.id)
        }
    }

    @Test(
        "Positions count the photos of all pages",
        arguments: [
            ("1-3", [1, 2, 3]), ("2,4-6", [2, 4, 5, 6]), ("9-", [9, 10]), ("-2", [1, 2]), ("8-,1", [1, 8, 9, 10]),
            ("11-", []),
            ("3-5,4-7", [3, 4, 5, 6, 7]),
        ] as [(String, [Int])])
    func positions(text: String, wanted: [Int]) throws {
        var selection = Selection()
        selection.positions = PositionRanges(text)
        #expect(selected(selection) == wanted.map(String.init))
    }

    @Test(
        "Rejects invalid position ranges",
        arguments: ["", "0", "5-3", "a", "1-2-3", "1,", "-", "1.5", "+3", "99999999999999999999"])
    func refused(text: String) {
        #expect(PositionRanges(text) == nil)
    }

    @Test("Is finished after the last position, not before")
    func end() throws {
        var selection = Selection()
        selection.positions = PositionRanges("1,6")
        var selector = PhotoSelector(selection)
        var page = Page(number: 1, photos: (1...5).map { Photo(id: "\($0)") })
        selector.apply(to: &page)
        #expect(!selector.isFinished)
        page = Page(number: 2, photos: (6...7).map { Photo(id: "\($0)") })
        selector.apply(to: &page)
        #expect(selector.isFinished && page.photos.map(\.id) == ["6"])
    }

    @Test("A selection without photos says so, and names the columns that no photo has")
    func nothing() throws {
        func note(_ filter: String, columns: String?) throws -> String? {
            var selection = Selection()
            selection.filter = try Filter(filter)
            var selector = PhotoSelector(selection)
            var photo = Photo(id: "1")
            photo.columns = columns
            var page = Page(number: 1, photos: [photo])
            #expect(selector.note == nil)
            selector.apply(to: &page)
            return selector.note
        }
        let (missing, list) = ("columns.scor>1 || !columns.b", #"{"b":1,"score":2}"#)
        #expect(
            try note(missing, columns: list)
                == "no photo is selected of the 1 that were read; none has the column 'scor' (did you mean score?)")
        #expect(try note("columns.b>1", columns: list) == "no photo is selected of the 1 that were read")
        #expect(try note("columns.b==1", columns: list) == nil)
    }

    @Test("Selects collections by name, ignoring case; a photo must meet all conditions")
    func collections() throws {
        var selection = Selection()
        selection.collections = ["LAKES", "sea"]
        let change: (inout Photo, Int) -> Void = { photo, number in
            photo.collection = [nil, "Lakes", "Sea", "sky"][number % 4]
            photo.width = number
        }
        #expect(selected(selection, change) == ["1", "2", "5", "6", "9", "10"])
        selection.filter = try Filter("width>4")
        selection.positions = PositionRanges("-9")
        #expect(selected(selection, change) == ["5", "6", "9"])
    }

    @Test("--since excludes photos without a date and notes that once")
    func since() {
        var selection = Selection()
        selection.since = 1000
        var selector = PhotoSelector(selection)
        var notes: [String] = []
        for _ in 1...2 {
            var page = Page(number: 1, photos: [Photo(id: "a"), Photo(id: "b"), Photo(id: "c")])
            (page.photos[1].date, page.photos[2].date) = (999, 1000)
            selector.apply(to: &page)
            notes += page.notes
            #expect(page.photos.map(\.id) == ["c"])
        }
        #expect(notes == ["photos without a date are excluded, because only newer photos are selected"])
    }

    @Test("Selects invalid records by position only")
    func invalidRecords() throws {
        var selection = Selection()
        selection.filter = try Filter("width>100")
        selection.since = 0
        selection.positions = PositionRanges("1-7")
        let ids = selected(selection) { photo, number in
            if number > 5 { photo.invalidReason = Failure(.feedParse, "line \(number)") }
        }
        #expect(ids == ["6", "7"])
    }

    @Test(
        "Parses dates in ISO, mail and HTTP formats",
        arguments: [
            ("1970-01-01", 0), ("2026-01-31", 1_769_817_600), ("2026-01-31T09:30", 1_769_851_800),
            ("2026-01-31 09:30:15", 1_769_851_815), ("2026-01-31T09:30:15.25+02:00", 1_769_844_615),
            ("2026-01-31T09:30:15-0330", 1_769_864_415), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("Sat, 31 Jan 2026 09:30:15 GMT", 1_769_851_815), ("1969-12-31T23:59:59Z", -1), ("2026-02-29", nil),
            ("2026-13-01", nil), ("2026-1-1", nil), ("20260131", nil), ("12", nil), ("yesterday", nil), ("", nil),
            ("2026-01-31T25:00Z", nil), ("2026-01-31x", nil),
        ] as [(String, Int?)])
    func dates(text: String, seconds: Int?) {
        #expect(PublishedDate.seconds(of: text) == seconds)
    }
}

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

    @Test("Compares integers exactly, which a double would round")
    func integers() throws {
        func matches(_ filter: String, _ value: String) throws -> Bool {
            var photo = Photo(id: "1")
            photo.columns = "{\"h\":\(value)}"
            return try Filter(filter).accepts(photo)
        }
        let filter = "columns.h==4611686018427387904"
        #expect(try matches(filter, "4611686018427387904") && matches(filter, "\"4611686018427387904\""))
        #expect(try !matches(filter, "4611686018427387905") && !matches(filter, "4611686018427387903"))
        #expect(try matches("columns.h>4611686018427387904", "4611686018427387905"))
        #expect(
            try matches("columns.h==3", "3.0") && matches("columns.h>3", "3.5") && matches("columns.h>3", "\"inf\""))
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
