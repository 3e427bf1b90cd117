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

@Suite("Data", .timeLimit(.minutes(10))) struct DataTests {
    /// Parses the argument that a data script passes to a function.
    ///
    /// `call` is the text before it.
    private func argument(of bytes: [UInt8], calling call: String) throws -> JSON {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix(call) && text.hasSuffix(");\n"))
        return try JSON(parsing: Array(text.dropFirst(call.count).dropLast(3).utf8))
    }

    @Test("A record has the manifest's names and leaves out unknown values") func writesRecord() throws {
        let chunk = DataChunk(number: 3, tiles: [Tile(.sample(5)), Tile(.failed(6))])
        let records = try #require(try argument(of: chunk.bytes, calling: "sluice.chunk(3,").elements)
        #expect(records.count == 2)
        #expect(records[0]["seq"]?.integer == 5)
        #expect(records[0]["caption"]?.text == "Caption 5")
        #expect(records[0]["width"]?.integer == 96)
        #expect(records[0]["file"]?.text == "originals/0.png")
        #expect(records[0]["thumbs"]?.elements?.first?["file"]?.text == "thumbs/256/0.png")
        #expect(records[0]["cause"] == nil)
        #expect(records[1]["state"]?.text == "failed")
        #expect(records[1]["cause"]?.text == "http-404")
        #expect(records[1]["thumbs"] == nil)
        #expect(records[1]["file"] == nil)
        #expect(records[0]["download"] == nil)
        let raw = DataChunk(number: 3, tiles: [Tile(LedgerEntry.sample(5).with { $0.receipt?.format = "cr3" })])
        #expect(try argument(of: raw.bytes, calling: "sluice.chunk(3,").elements?[0]["download"] == .bool(true))
    }

    @Test("Hostile text is preserved and contains no markup") func carriesText() throws {
        for text in HostileText.all + HostileText.random(300) {
            let bytes = DataChunk(number: 0, tiles: [Tile(LedgerEntry.hostile("x" + text, seq: 1))]).bytes
            #expect(!bytes.contains(UInt8(ascii: "<")))
            let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
            #expect(!scalars.contains { $0 == "\u{2028}" || $0 == "\u{2029}" })
            let record = try argument(of: bytes, calling: "sluice.chunk(0,").elements?.first
            #expect(record?["caption"]?.text == "x" + text)
            #expect(record?["page_url"] == nil)
            #expect(record?["color"]?.text == "#3366cc")
        }
    }

    @Test("The index has a fixed number of characters for each entry") func writesIndex() throws {
        var block = IndexBlock(number: 2)
        block.add(Tile(.sample(11).with { $0.item.photo.collection = "One" }))
        block.add(Tile(.failed(12).with { $0.item.photo.collection = "One" }))
        block.add(Tile(.sample(20)))
        let facts = try argument(of: block.bytes, calling: "sluice.index(2,")
        #expect(facts["count"]?.integer == 3)
        #expect(facts["states"]?.text == "dfd")
        #expect(facts["hues"]?.text?.utf8.count == 3)
        #expect(facts["formats"]?.text == "p-p")
        #expect(facts["aspects"]?.text?.utf8.count == 6)
        #expect(facts["sizes"]?.text?.utf8.count == 9)
        #expect(
            facts["seqs"] == .array([.array([.number("0"), .number("11")]), .array([.number("2"), .number("20")])]))
        #expect(facts["sections"] == .array([.array([.number("0"), .string("One")]), .array([.number("2")])]))
    }

    @Test("The index names the causes of failed photos, their remedies and places") func writesFailures() throws {
        var block = IndexBlock(number: 0)
        for cause in [.timeout, nil, .httpClientError(404), .timeout] as [Cause?] {
            block.add(Tile(cause.map { .failed(1, $0) } ?? .sample(1)))
        }
        let facts = try argument(of: block.bytes, calling: "sluice.index(0,")
        let failures = try #require(facts["failures"]?.elements)
        #expect(failures.map { $0["cause"]?.text } == ["timeout", "http-404"])
        #expect(failures.map { $0["meaning"]?.text } == [Cause.timeout.meaning, Cause.httpClientError(404).meaning])
        #expect(failures.map { $0["remedy"]?.text } == ["--retry=timeout", nil])
        #expect(failures.map { $0["at"]?.text } == ["AAAAAD", "AAC"])
        var whole = IndexBlock(number: 0)
        whole.add(Tile(.sample(1)))
        #expect(try argument(of: whole.bytes, calling: "sluice.index(0,")["failures"] == nil)
    }

    @Test("The hashes of a photo are its perceptual hash and its placeholder") func writesHashes() {
        var block = HashBlock(number: 1)
        for (hash, placeholder) in [("0123456789abcdef", "ab+/=="), ("", "\"<x>"), ("x", "")] {
            block.add(
                Tile(
                    .sample(1).with {
                        $0.receipt?.phash = hash
                        $0.receipt?.placeholder = placeholder
                    }))
        }
        let none = String(repeating: "-", count: 16)
        #expect(
            String(decoding: block.bytes, as: UTF8.self)
                == "sluice.hashes(1,\"0123456789abcdef\(none)\(none)\",\"ab+/==  \");\n")
    }

    @Test("The index has dates if the feed has any, and records have date and camera") func writesDates() throws {
        var block = IndexBlock(number: 0)
        for date in [0, nil, -9_999_999_999_999, 1_700_000_000] {
            block.add(Tile(.sample(1).with { $0.item.photo.date = date }))
        }
        let dates = try #require(try argument(of: block.bytes, calling: "sluice.index(0,")["dates"]?.text)
        #expect(dates == "eaJUg" + "AAAAA" + "AAAAB" + "gGOo1")
        var bare = IndexBlock(number: 0)
        bare.add(Tile(.sample(1)))
        #expect(try argument(of: bare.bytes, calling: "sluice.index(0,")["dates"] == nil)
        let dated = LedgerEntry.sample(1).with { ($0.item.photo.date, $0.item.photo.camera) = (7, "Box, f/8") }
        let record = try argument(of: DataChunk(number: 0, tiles: [Tile(dated)]).bytes, calling: "sluice.chunk(0,")
            .elements?.first
        #expect(record?["date"]?.integer == 7)
        #expect(record?["camera"]?.text == "Box, f/8")
    }

    @Test("The searchable text has one line for each entry, whatever the entry contains") func writesText() throws {
        var block = TextBlock(number: 1)
        block.add(Tile(.sample(1).with { $0.item.photo.caption = "One\nand\ttwo" }))
        block.add(Tile(LedgerEntry(item: Item(seq: 2, feed: "demo", page: 1, photo: Photo(id: "bare")), receipt: nil)))
        for text in HostileText.all { block.add(Tile(.hostile("x" + text, seq: 1))) }
        let text = try #require(try argument(of: block.bytes, calling: "sluice.text(1,").text)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 2 + HostileText.all.count + 1)
        #expect(lines.prefix(2) == ["One and two\tAuthor 1\tphoto-1", "\tbare"])
    }

    @Test("A section that continues in the next block is not listed again") func continuesSections() throws {
        var first = IndexBlock(number: 0)
        first.add(Tile(.sample(1).with { $0.item.photo.collection = "One" }))
        var second = IndexBlock(number: 1, continuing: first)
        second.add(Tile(.sample(2).with { $0.item.photo.collection = "One" }))
        second.add(Tile(.sample(3).with { $0.item.photo.collection = "Two" }))
        let facts = try argument(of: second.bytes, calling: "sluice.index(1,")
        #expect(facts["sections"] == .array([.array([.number("1"), .string("Two")])]))
    }
}
