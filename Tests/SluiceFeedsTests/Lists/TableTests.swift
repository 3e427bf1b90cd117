// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceParquet
import TestSupport
import Testing

@testable import SluiceFeeds

@Suite("Lists as tables", .timeLimit(.minutes(10))) struct TableTests {
    @Test("Several columns with pictures are as many photos of a row; columns of renditions have to be chosen")
    func severalColumns() async throws {
        let rows = """
            id;photo 1;photo 2;photo 3;page
            7;https://a.test/1.jpg;https://a.test/2.jpg;;https://a.test/p
            8;;;https://a.test/3.jpg;

            """
        let photos = try await TemporaryList.read(rows)
        #expect(photos.map(\.address) == [1, 2, 3].map { "https://a.test/\($0).jpg" })
        #expect(photos.map(\.id) == ["7", "7#2", "8"])
        let renditions = rows.replacing("photo 1", with: "thumb").replacing("photo 2", with: "big")
        let failure = await #expect(throws: Failure.self) { try await TemporaryList.read(renditions) }
        #expect(failure?.hint == .chooseAddressColumn)
    }

    @Test("Recognises columns by name in any case and keeps the others")
    func columns() async throws {
        let list = """
            ID,Image URL,Caption,Photographer,Licence,license_url,page-url,Credit,Album,width,HEIGHT,date,Mood\r
            7,"https://a.test/7,7.jpg","A ""fine"" day,
            really",Ida,CC BY,https://l.test,https://p.test,by Ida,Lakes,800,600,2026-01-31,happy\r

            """
        let (photos, notes, _) = try await TemporaryList.read(list.utf8)
        var photo = Photo(id: "7", variants: [Variant(name: "original", url: "https://a.test/7,7.jpg")])
        (photo.caption, photo.author) = ("A \"fine\" day,\nreally", "Ida")
        (photo.license, photo.licenseURL, photo.pageURL) = ("CC BY", "https://l.test", "https://p.test")
        (photo.attribution, photo.collection) = ("by Ida", "Lakes")
        (photo.width, photo.height, photo.date) = (800, 600, 1_769_817_600)
        photo.columns = #"{"Mood":"happy"}"#
        #expect(photos == [photo])
        #expect(notes.isEmpty)
    }

    @Test("Accepts tabs and semicolons as separators, and a single column", arguments: ["\t", ";", ","])
    func separators(separator: String) async throws {
        let text = "caption\(separator)url\nA pier\(separator)https://a.test/1\n\nB\(separator)https://a.test/2"
        #expect(try await TemporaryList.read(text).map(\.caption) == ["A pier", "B"])
        #expect(try await TemporaryList.read("url\nhttps://a.test/1\nhttps://a.test/x,y\n").count == 1 + 1)
    }

    @Test("The separator that Excel states before the header is used")
    func statedSeparator() async throws {
        let photos = try await TemporaryList.read("sep=;\r\nName;Bild\r\nA, B;https://a.test/1.jpg\r\n")
        #expect(photos.map(\.address) == ["https://a.test/1.jpg"])
    }

    @Test("A cell with several addresses is as many photos, with the facts of the row")
    func severalAddresses() async throws {
        let text = "ID,Images,title\n7,\"https://a.test/1.jpg, https://a.test/2.jpg\",A\n8,https://a.test/3.jpg,B\n"
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.address) == [1, 2, 3].map { "https://a.test/\($0).jpg" })
        #expect(photos.map(\.id) == ["7", "7#2", "8"] && photos.map(\.caption) == ["A", "A", "B"])
        let own = try await TemporaryList.read("url\nhttps://a.test/1.jpg|https://a.test/2.jpg\n")
        #expect(own.map(\.id) == ["https://a.test/1.jpg", "https://a.test/2.jpg"])
    }

    @Test("The column options take precedence over the column names")
    func columnOptions() async throws {
        let text = "url,photo,nr,id,title,words\nhttps://page.test,https://a.test/1,n1,x,short,long\n"
        let photos = try await TemporaryList.read(
            text.utf8, urlColumn: "photo", idColumn: "nr", captionColumn: "words"
        ).photos
        #expect(photos.map(\.address) == ["https://a.test/1"] && photos.map(\.id) == ["n1"])
        #expect(photos.map(\.caption) == ["long"])
        let object = #"{"title":"short","words":"long","url":"https://a.test/1"}"#
        #expect(try await TemporaryList.read(object.utf8, captionColumn: "words").photos.map(\.caption) == ["long"])
        let failure = await #expect(throws: Failure.self) { try await TemporaryList.read(text.utf8, urlColumn: "foto") }
        #expect(
            failure?.detail == "line 1: no column is named 'foto'; the columns are url, photo, nr, id, title, words")
    }

    @Test("An invalid row does not affect the others, and quoted line ends count as lines")
    func invalidRows() async throws {
        let text = """
            url,caption,sha256
            https://a.test/1,"two
            lines",
            ,none,
            https://a.test/4,a,b,c
            https://a.test/5,x,zz
            https://a.test/6,5" wide,
            https://a.test/7,"never closed,
            https://a.test/8,ok,
            """
        let photos = try await TemporaryList.read(text)
        #expect(
            photos.map(\.id) == [
                "https://a.test/1", "line 4", "line 5", "line 6", "https://a.test/6", "line 8", "https://a.test/8",
            ])
        #expect(
            photos.compactMap { $0.invalidReason?.detail } == [
                "line 4: missing address", "line 5: has 4 columns, expected 3",
                "line 6: invalid sha256: zz", "line 8: unclosed quote",
            ])
    }

    @Test("An unclosed quote in a large list invalidates only its line")
    func openQuote() async throws {
        let rest = (1...60_000).map { "https://a.test/\($0),x\n" }.joined()
        let photos = try await TemporaryList.read("url,caption\nhttps://a.test/0,\"open\n" + rest)
        #expect(photos.count == 60_001 && photos.count { $0.invalidReason != nil } == 1)
        #expect(photos.first?.invalidReason?.detail == "line 2: unclosed quote")
    }

    /// Each row of this list has an unclosed quote up to its end, and is read again from its second line.
    @Test("A list of rows with unclosed quotes fails after a bounded amount of work")
    func openQuotes() async throws {
        let rows = String(repeating: "\"x\",\"y\n", count: 400_000)
        let failure = await #expect(throws: Failure.self) {
            try await TemporaryList.read("url,caption\nhttps://a.test/0,x\n" + rows)
        }
        #expect(failure?.detail.hasSuffix("too many rows with unclosed quotes") == true)
    }

    @Test("SHA-256 takes precedence over other hashes")
    func hashes() async throws {
        let (md5, sha256) = (String(repeating: "aB", count: 16), String(repeating: "0f", count: 32))
        let photos = try await TemporaryList.read(
            "url,md5,sha256\nhttps://a.test/1,\(md5),\nhttps://a.test/2,\(md5),\(sha256)\n")
        #expect(photos.map(\.variants[0].checksum) == [Checksum(.md5, md5), Checksum(.sha256, sha256)])
    }
}

@Suite("Line reader", .timeLimit(.minutes(10))) struct LineReaderTests {
    private let folder = TemporaryFolder()

    private func lines(of bytes: [UInt8]) throws -> [String] {
        try folder.write(bytes, to: "lines")
        var reader = try LineReader(try Folder(folder.path).openForReading("lines"))
        var lines: [String] = []
        while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    @Test("Lines are read from plain files and from several compressed frames", arguments: [1, 100, 100_000])
    func frames(size: Int) throws {
        let texts = (0..<5).map { String(repeating: "\($0)", count: size) }
        let plain = texts.map { Array("\($0)\n".utf8) }
        #expect(try lines(of: plain.flatMap(\.self)) == texts)
        let encoder = ZstdEncoder()
        #expect(try lines(of: plain.flatMap(encoder.frame)) == texts)
        #expect(try lines(of: encoder.frame([])) == [])
    }

    @Test("A file that ends within a frame or a line is an error")
    func truncated() throws {
        let frame = ZstdEncoder().frame(Array("one\ntwo\n".utf8))
        #expect(throws: Failure.self) { try lines(of: frame.dropLast()) }
        #expect(throws: Failure.self) { try lines(of: Array("one\ntwo".utf8)) }
    }
}

/// Columns of lists that are no photo field: they were ignored, and filters could not test them.
@Suite("Other columns of lists", .timeLimit(.minutes(10))) struct OtherColumnsTests {
    private func read(_ text: String, keeping names: [String]? = nil) async throws -> (
        columns: [String?], notes: [String]
    ) {
        let list = try TemporaryList(text)
        var options = ListOptions()
        options.keptColumns = names
        let page = try await ListFeed(list.path, options: options).page(1, at: nil, token: CancellationToken())
        return (page.photos.map(\.columns), page.notes)
    }

    @Test("A table keeps its other columns in order; numbers are those that every reader reads the same")
    func tables() async throws {
        let table = #"""
            url,score,code,nr,Mood,,thumb,caption,exact,src
            https://a.test/1,0.30,007,12345678901234567890,"happy, ""so""",x,https://u:p@b.test/t.jpg,c,-1.5e3,https://s.test
            https://a.test/2,,,,,,,,1e,

            """#
        let (columns, notes) = try await read(table)
        #expect(
            columns == [
                #"{"score":0.30,"code":"007","nr":"12345678901234567890","Mood":"happy, \"so\"","column_6":"x","#
                    + #""thumb":"https://b.test/t.jpg","exact":-1.5e3,"src":"https://s.test"}"#,
                #"{"exact":"1e"}"#,
            ])
        #expect(notes.isEmpty)
    }

    @Test("Members of JSON objects are kept with their types, except instructions of gallery-dl and facts")
    func objects() async throws {
        let lines = """
            {"url":"https://a.test/1","id":7,"marks":["a","b"],"nsfw":0.02,"ok":true,"none":null,"author":{"name":"Ida","id":5},"_http_headers":{"Cookie":"s"}}
            [3,"https://a.test/2",{"id":9,"url":"https://a.test/page","category":"x","_fallback":["y"]}]

            """
        let (columns, _) = try await read(lines)
        #expect(
            columns == [
                #"{"marks":["a","b"],"nsfw":0.02,"ok":true}"#, #"{"url":"https://a.test/page","category":"x"}"#,
            ])
    }

    @Test("The user chooses columns by name; one that does not exist is an error that names all")
    func choice() async throws {
        let table = "url,a,b,caption\nhttps://a.test/1,1,2,c\n"
        #expect(try await read(table, keeping: ["b"]).columns == [#"{"b":2}"#])
        let none = try await read(table, keeping: [])
        #expect(none.columns == [nil] && none.notes.isEmpty)
        let failure = await #expect(throws: Failure.self) { try await read(table, keeping: ["c"]) }
        #expect(failure?.detail == "line 1: no column is named 'c'; the columns are url, a, b, caption")
        #expect(try await read(#"{"url":"https://a.test/1","a":1,"b":2}"#, keeping: ["a"]).columns == [#"{"a":1}"#])
    }

    @Test("Integers of 64 bits are numbers with all digits, and longer ones are texts")
    func longNumbers() async throws {
        let values = [
            "4611686018427387904", "-9223372036854775808", "9223372036854775808", "1000000000000000.0",
            "12345678901234567.89", "1e16",
        ]
        for value in values {
            let isText = ["9223372036854775808", "12345678901234567.89"].contains(value)
            let expected = [isText ? "{\"n\":\"\(value)\"}" : "{\"n\":\(value)}"]
            #expect(try await read("url,n\nhttps://a.test/1,\(value)\n").columns == expected)
            #expect(try await read("{\"url\":\"https://a.test/1\",\"n\":\(value)}").columns == expected)
        }
    }

    @Test("Of columns whose names are spellings of one, the first is the field, and the others are kept")
    func spellings() async throws {
        let table = "url,Caption,caption,CAPTION\nhttps://a.test/1,one,two,three\n"
        #expect(try await read(table).columns == [#"{"caption":"two","CAPTION":"three"}"#])
        let list = try TemporaryList(table)
        let photos = try await ListFeed(list.path, options: ListOptions()).page(
            1, at: nil, token: CancellationToken()
        ).photos
        #expect(photos.map(\.caption) == ["one"])
    }

    @Test("Columns of doubles stay doubles, whatever their values are")
    func doubles() async throws {
        let folder = TemporaryFolder()
        var writer = try ParquetWriter(
            [ParquetColumn("url", .text), ParquetColumn("x", .double), ParquetColumn("n", .integer)],
            to: NewFile("list.parquet", in: Folder(folder.path)))
        for (row, number) in ([3, 1e15, -.infinity, 2e-9, 1e18] as [Double]).enumerated() {
            writer.add("https://a.test/\(row)")
            writer.add(number)
            writer.add((1 << 62) + row)
            try writer.endRow()
        }
        try writer.finish().finish(flushed: false)
        let page = try await ListFeed(folder.path("list.parquet"), options: ListOptions())
            .page(1, at: nil, token: CancellationToken())
        let expected = ["3.0", "1000000000000000.0", "\"-inf\"", "2e-09", "1e+18"].enumerated().map { row, number in
            "{\"x\":\(number),\"n\":\((1 << 62) + row)}"
        }
        #expect(page.photos.map(\.columns) == expected)
        var columns = ListedColumns()
        page.photos.compactMap(\.columns).forEach { columns.add($0) }
        #expect(columns.all == [ListedColumn(name: "x", kind: .decimal), ListedColumn(name: "n", kind: .integer)])
    }

    @Test("Parquet keeps the types of columns and whole lists, but no long lists")
    func parquet() async throws {
        let folder = TemporaryFolder()
        let kinds: [(String, ParquetColumn.Kind)] = [
            ("url", .text), ("score", .double), ("count", .integer), ("ok", .boolean), ("marks", .texts),
            ("word", .text),
        ]
        var writer = try ParquetWriter(
            kinds.map { ParquetColumn($0.0, $0.1) }, to: NewFile("list.parquet", in: Folder(folder.path)))
        for (row, tags) in [["a", "b"], [], Array(repeating: "x", count: 257)].enumerated() {
            writer.add("https://a.test/\(row)")
            writer.add(0.25)
            writer.add(row)
            writer.add(row == 0)
            writer.add(tags)
            if row == 0 { writer.add("007") } else { writer.addNull() }
            try writer.endRow()
        }
        try writer.finish().finish(flushed: false)
        let page = try await ListFeed(folder.path("list.parquet"), options: ListOptions())
            .page(1, at: nil, token: CancellationToken())
        #expect(
            page.photos.map(\.columns) == [
                #"{"score":0.25,"count":0,"ok":true,"marks":["a","b"],"word":"007"}"#,
                #"{"score":0.25,"count":1,"ok":false}"#, #"{"score":0.25,"count":2,"ok":false}"#,
            ])
        #expect(page.notes == ["ignored lists of column 'marks' from row 3: more than 256 elements"])
    }
}
