// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Selection") struct SelectionTests {
    /// What is taken of two pages with the photos 1 to 10.
    private func taken(_ selection: Selection, _ change: (inout Photo, Int) -> Void = { _, _ in }) -> [String] {
        var selector = Selector(selection)
        return [1...5, 6...10].flatMap { numbers in
            var page = Page(
                number: 1,
                photos: numbers.map { number in
                    var photo = Photo(id: "\(number)")
                    change(&photo, number)
                    return photo
                })
            selector.narrow(&page)
            return page.photos.map(\.id)
        }
    }

    @Test(
        "Places are counted along the feed, over all pages",
        arguments: [
            ("1-3", [1, 2, 3]), ("2,4-6", [2, 4, 5, 6]), ("9-", [9, 10]), ("-2", [1, 2]), ("8-,1", [1, 8, 9, 10]),
            ("11-", []),
            ("3-5,4-7", [3, 4, 5, 6, 7]),
        ] as [(String, [Int])])
    func places(text: String, wanted: [Int]) throws {
        var selection = Selection()
        selection.positions = PositionRanges(text)
        #expect(taken(selection) == wanted.map(String.init))
    }

    @Test(
        "What names no places is refused",
        arguments: ["", "0", "5-3", "a", "1-2-3", "1,", "-", "1.5", "+3", "99999999999999999999"])
    func refused(text: String) {
        #expect(PositionRanges(text) == nil)
    }

    @Test("The walk may end behind the last place, and not before")
    func end() throws {
        var selection = Selection()
        selection.positions = PositionRanges("1,6")
        var selector = Selector(selection)
        var page = Page(number: 1, photos: (1...5).map { Photo(id: "\($0)") })
        selector.narrow(&page)
        #expect(!selector.isOver)
        page = Page(number: 2, photos: (6...7).map { Photo(id: "\($0)") })
        selector.narrow(&page)
        #expect(selector.isOver && page.photos.map(\.id) == ["6"])
    }

    @Test("Collections are told by their names, whatever the case; all conditions must hold")
    func collections() throws {
        var selection = Selection()
        selection.collections = ["LAKES", "sea"]
        let change: (inout Photo, Int) -> Void = { photo, number in
            photo.collection = [nil, "Lakes", "Sea", "sky"][number % 4]
            photo.width = number
        }
        #expect(taken(selection, change) == ["1", "2", "5", "6", "9", "10"])
        selection.filter = try Filter("width>4")
        selection.positions = PositionRanges("-9")
        #expect(taken(selection, change) == ["5", "6", "9"])
    }

    @Test("What has no date is left out by --since, and that is told once")
    func since() {
        var selection = Selection()
        selection.since = 1000
        var selector = Selector(selection)
        var notes: [String] = []
        for _ in 1...2 {
            var page = Page(number: 1, photos: [Photo(id: "a"), Photo(id: "b"), Photo(id: "c")])
            (page.photos[1].date, page.photos[2].date) = (999, 1000)
            selector.narrow(&page)
            notes += page.notes
            #expect(page.photos.map(\.id) == ["c"])
        }
        #expect(notes == ["photos of which the feed tells no date are left out, because of --since"])
    }

    @Test("A flawed record is judged by its place alone")
    func flaws() throws {
        var selection = Selection()
        selection.filter = try Filter("width>100")
        selection.since = 0
        selection.positions = PositionRanges("1-7")
        let flawed = taken(selection) { photo, number in
            if number > 5 { photo.flaw = Failure(.feedParse, "line \(number)") }
        }
        #expect(flawed == ["6", "7"])
    }

    @Test(
        "Dates are read as people, feeds and HTTP write them",
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
