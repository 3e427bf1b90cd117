// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Lists as tables", .timeLimit(.minutes(10))) struct TableTests {
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
