// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceGallery

@Suite("Tile") struct TileTests {
    @Test("The size is the upright picture's", arguments: 1...8) func turns(orientation: Int) throws {
        let entry = Entry.sample(5).with {
            $0.receipt?.orientation = orientation
            $0.receipt?.width = 300
            $0.receipt?.height = 200
        }
        let size = try #require(Tile(entry).size)
        #expect(size.width == (orientation < 5 ? 300 : 200))
        #expect(size.height == (orientation < 5 ? 200 : 300))
    }

    @Test("Sizes that no picture has are not believed", arguments: [0, -1, Int.min, Int.max, 1 << 21])
    func bounds(side: Int) {
        var photo = Photo(id: "a")
        photo.width = side
        photo.height = 100
        #expect(Tile(Entry(item: Item(seq: 1, feed: "f", page: 1, photo: photo), receipt: nil)).size == nil)
    }

    @Test("Without thumbnails the original is shown, and without either nothing") func falls() {
        let bare = Entry.sample(5).with { $0.receipt?.thumbs = [] }
        #expect(Tile(bare).pictures.map(\.address) == ["originals/0.png"])
        let none = bare.with { $0.receipt?.original = nil }
        #expect(Tile(none).pictures.isEmpty)
        #expect(Tile(Entry.failed(5)).pictures.isEmpty)
    }

    @Test("An item without an end is yet to come") func waits() {
        #expect(Tile(Entry.sample(1).with { $0.receipt = nil }).state == .pending)
    }

    @Test(
        "Only #rrggbb is a colour",
        arguments: [
            ("#3366cc", true), ("#ABCDEF", true), ("#36c", false), ("red", false), ("#33 66c", false), ("", false),
            ("#3366cc;x", false), ("url(x)!", false), ("#٣٣٣", false),
        ])
    func knowsColors(text: String, expected: Bool) {
        #expect(isColor(text) == expected)
    }

    @Test(
        "Colours have the names that people give them",
        arguments: [
            ("#000000", Hue.black), ("#ffffff", .white), ("#808080", .neutral), ("#ff0000", .red), ("#ff8800", .orange),
            ("#ffee00", .yellow), ("#22aa33", .green), ("#00b0b0", .teal), ("#2040ff", .blue), ("#8030ff", .violet),
            ("#ff30b0", .pink), ("#ff0010", .red),
        ])
    func namesColors(color: String, hue: Hue) {
        #expect(Hue(color) == hue)
    }

    @Test("Every hue has a letter of its own") func tellsHuesApart() {
        #expect(Set(Hue.allCases.map(\.letter)).count == Hue.allCases.count)
    }

    @Test("Text is cut where no one would read on, and blank text is none") func cuts() {
        #expect("abc".shown(upTo: 3) == "abc")
        #expect("abcd".shown(upTo: 3) == "abc…")
        #expect(" \n".shown(upTo: 3) == nil)
        #expect("".shown(upTo: 3) == nil)
    }

    @Test(
        "Counts are spoken as people speak them",
        arguments: [(0, "0"), (999, "999"), (1000, "1\u{202F}000"), (1_234_567, "1\u{202F}234\u{202F}567")])
    func groups(number: Int, text: String) {
        #expect(grouped(number) == text)
    }
}
