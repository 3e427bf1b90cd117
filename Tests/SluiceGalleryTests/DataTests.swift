// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceGallery

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
