// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceGallery

@Suite("Tile", .timeLimit(.minutes(10))) struct TileTests {
    @Test("The size is that of the picture in upright orientation", arguments: 1...8) func turns(orientation: Int)
        throws
    {
        let entry = LedgerEntry.sample(5).with {
            $0.receipt?.orientation = orientation
            $0.receipt?.width = 300
            $0.receipt?.height = 200
        }
        let size = try #require(Tile(entry).size)
        #expect(size.width == (orientation < 5 ? 300 : 200))
        #expect(size.height == (orientation < 5 ? 200 : 300))
    }

    @Test("Implausible sizes are ignored", arguments: [0, -1, Int.min, Int.max, 1 << 21])
    func bounds(side: Int) {
        var photo = Photo(id: "a")
        photo.width = side
        photo.height = 100
        #expect(Tile(LedgerEntry(item: Item(seq: 1, feed: "f", page: 1, photo: photo), receipt: nil)).size == nil)
    }

    @Test("Without thumbnails the original is shown, and without an original nothing") func falls() {
        let bare = LedgerEntry.sample(5).with { $0.receipt?.thumbs = [] }
        #expect(Tile(bare).images.map(\.address) == ["originals/0.png"])
        let none = bare.with { $0.receipt?.original = nil }
        #expect(Tile(none).images.isEmpty)
        #expect(Tile(LedgerEntry.failed(5)).images.isEmpty)
    }

    @Test("An original that browsers cannot show is no image of the tile, and the thumbnails are") func raw() {
        let entry = LedgerEntry.sample(5).with { $0.receipt?.format = "nef" }
        #expect(Tile(entry).images.map(\.address) == ["thumbs/256/0.png"] && !Tile(entry).originalIsShown)
        let bare = entry.with { $0.receipt?.thumbs = [] }
        #expect(Tile(bare).images.isEmpty)
        #expect(Tile(.sample(5)).originalIsShown)
    }

    @Test(
        "The ID of a local file is shown without the folder that was mirrored",
        arguments: [
            ("/home/ada/photos/lakes/dawn.jpg", "lakes", "lakes/dawn.jpg"),
            ("/home/ada/photos/top.jpg", nil, "top.jpg"),
            ("photo-7", "lakes", "photo-7"), ("/", nil, "/"),
        ])
    func localFiles(id: String, collection: String?, shown: String) throws {
        let entry = LedgerEntry.sample(1).with {
            $0.item.photo.id = id
            $0.item.photo.collection = collection
        }
        #expect(entry.item.photo.shownID == shown)
        let data = String(decoding: DataChunk(number: 0, tiles: [Tile(entry)]).bytes, as: UTF8.self)
        #expect(data.contains("\"id\":\"\(shown)\"") && data.contains("ada") == false)
    }

    @Test("An item without a result is pending") func waits() {
        #expect(Tile(LedgerEntry.sample(1).with { $0.receipt = nil }).state == .pending)
    }

    @Test(
        "Only #rrggbb is accepted as a colour",
        arguments: [
            ("#3366cc", true), ("#ABCDEF", true), ("#36c", false), ("red", false), ("#33 66c", false), ("", false),
            ("#3366cc;x", false), ("url(x)!", false), ("#٣٣٣", false),
        ])
    func knowsColors(text: String, expected: Bool) {
        #expect(isColor(text) == expected)
    }

    @Test(
        "Colours get the name of their hue",
        arguments: [
            ("#000000", Hue.black), ("#ffffff", .white), ("#808080", .neutral), ("#ff0000", .red), ("#ff8800", .orange),
            ("#ffee00", .yellow), ("#22aa33", .green), ("#00b0b0", .teal), ("#2040ff", .blue), ("#8030ff", .violet),
            ("#ff30b0", .pink), ("#ff0010", .red),
        ])
    func namesColors(color: String, hue: Hue) {
        #expect(Hue(color) == hue)
    }

    @Test("Every hue has a unique letter") func tellsHuesApart() {
        #expect(Set(Hue.allCases.map(\.letter)).count == Hue.allCases.count)
    }

    @Test("Long text is cut, and blank text becomes nil") func cuts() {
        #expect("abc".shown(upTo: 3) == "abc")
        #expect("abcd".shown(upTo: 3) == "abc…")
        #expect(" \n".shown(upTo: 3) == nil)
        #expect("".shown(upTo: 3) == nil)
    }

    @Test(
        "Counts are grouped in threes",
        arguments: [(0, "0"), (999, "999"), (1000, "1\u{202F}000"), (1_234_567, "1\u{202F}234\u{202F}567")])
    func groups(number: Int, text: String) {
        #expect(grouped(number) == text)
    }
}
