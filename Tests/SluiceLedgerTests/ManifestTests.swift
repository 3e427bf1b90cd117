// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import SluiceStore
import TestSupport
import Testing

@Suite("Manifest", .timeLimit(.minutes(10))) struct ManifestTests {
    let temporary = TemporaryFolder()
    let folder: Folder

    init() throws {
        folder = try Folder(temporary.path)
    }

    /// Writes a manifest of these entries and returns the texts of both files.
    private func write(_ entries: [LedgerEntry]) throws -> (lines: String, table: String) {
        var manifest = try ManifestWriter(in: LocalStore(folder))
        for entry in entries { try manifest.add(entry) }
        try manifest.finish()
        let texts = try ManifestWriter.names.map {
            String(decoding: try folder.read($0, limit: 1 << 24), as: UTF8.self)
        }
        return (texts[0], texts[1])
    }

    private func item(_ seq: Int, _ photo: Photo) -> Item { Item(seq: seq, feed: "demo", page: 2, photo: photo) }

    private let header = """
        seq,id,feed,page,collection,state,cause,url,final_url,status,file,bytes,sha256,format,width,height,orientation,\
        etag,last_modified,color,placeholder,phash,caption,author,author_url,page_url,license,license_url,attribution,detail,thumbs,\
        date,camera,columns,source,tags,usage,sidecar,variant,license_at_download,camera_facts,host_digest,date_source,\
        rating,user_caption,user_tags

        """

    @Test("A complete entry has every field in the documented order")
    func whole() throws {
        var photo = Samples.photo("a", collection: "lakes")
        (photo.date, photo.camera) = (-7, "Box camera, f/8")
        photo.columns = #"{"score":0.30}"#
        var receipt = Samples.done("00012-a")
        receipt.usage = "tdm-reservation: 1"
        receipt.sidecar = StoredFile(path: "originals/00012-a.jpg.xmp", bytes: 9, sha256: "d")
        (receipt.license, receipt.exif) = ("CC0", #"{"Model":"Box"}"#)
        receipt.hostDigest = "content-md5: md5=00"
        photo.dateSource = "exif-local"
        photo.tags = "lake, dawn"
        photo.source = "lakes.csv"
        let (lines, table) = try write([LedgerEntry(item: item(12, photo), receipt: receipt)])
        let a = String(repeating: "a", count: 64)
        let b = String(repeating: "b", count: 64)
        let c = String(repeating: "c", count: 64)
        #expect(
            lines == """
                {"schema":1,"seq":12,"id":"a","feed":"demo","page":2,"collection":"lakes","state":"done",\
                "url":"https://photos.example/raw","final_url":"https://cdn.example/raw","status":200,\
                "file":"originals/00012-a.jpg","bytes":132203,"sha256":"\(a)","format":"jpeg","width":1080,"height":720,\
                "orientation":6,"etag":"\\"abc\\"","last_modified":"Sat, 31 Jan 2026 12:00:00 GMT","color":"#aabbcc",\
                "placeholder":"blur","phash":"0123456789abcdef","caption":"A lake at dawn, \\"a\\"",\
                "author":"Ada Lovelace","author_url":"https://photos.example/@ada",\
                "page_url":"https://photos.example/photos/a","license":"CC BY 4.0",\
                "license_url":"https://creativecommons.org/licenses/by/4.0/","attribution":"Photo by Ada Lovelace",\
                "thumbs":[{"size":256,"file":"thumbs/256/00012-a.jpg","width":256,"height":171,"bytes":8211,\
                "format":"jpeg","sha256":"\(b)"},{"size":"x400","file":"thumbs/x400/00012-a.webp","width":600,\
                "height":400,"bytes":20000,"format":"webp","sha256":"\(c)"}],"date":-7,"camera":"Box camera, f/8","columns":{"score":0.30},\
                "source":"lakes.csv","tags":"lake, dawn","usage":"tdm-reservation: 1",\
                "sidecar":{"file":"originals/00012-a.jpg.xmp","bytes":9,"sha256":"d"},"variant":"raw",\
                "license_at_download":"CC0","camera_facts":{"Model":"Box"},"host_digest":"content-md5: md5=00","date_source":"exif-local"}

                """)
        #expect(
            table == header + """
                12,a,demo,2,lakes,done,,https://photos.example/raw,https://cdn.example/raw,200,originals/00012-a.jpg,\
                132203,\(a),jpeg,1080,720,6,"\""abc""\","Sat, 31 Jan 2026 12:00:00 GMT",#aabbcc,blur,0123456789abcdef,\
                "A lake at dawn, ""a\""",Ada Lovelace,https://photos.example/@ada,https://photos.example/photos/a,\
                CC BY 4.0,https://creativecommons.org/licenses/by/4.0/,Photo by Ada Lovelace,,\
                thumbs/256/00012-a.jpg thumbs/x400/00012-a.webp,-7,"Box camera, f/8","{""score"":0.30}",lakes.csv,"lake, dawn",\
                tdm-reservation: 1,"{""file"":""originals/00012-a.jpg.xmp"",""bytes"":9,""sha256"":""d""}",\
                raw,CC0,"{""Model"":""Box""}",content-md5: md5=00,exif-local,,,

                """)
    }

    @Test("A missing fact is absent, and an item without a receipt is deferred")
    func missing() throws {
        let (lines, table) = try write([
            LedgerEntry(item: item(1, Photo(id: "a")), receipt: nil),
            LedgerEntry(item: item(2, Photo(id: "b")), receipt: Samples.failed(.httpClientError(404))),
            LedgerEntry(item: item(3, Photo(id: "c")), receipt: Receipt(.done)),
        ])
        #expect(
            lines == """
                {"schema":1,"seq":1,"id":"a","feed":"demo","page":2,"state":"skipped","cause":"deferred"}
                {"schema":1,"seq":2,"id":"b","feed":"demo","page":2,"state":"failed","cause":"http-404",\
                "url":"https://photos.example/raw","final_url":"https://x.example/","status":404}
                {"schema":1,"seq":3,"id":"c","feed":"demo","page":2,"state":"done"}

                """)
        #expect(
            table == header + """
                1,a,demo,2,,skipped,deferred\(String(repeating: ",", count: 39))
                2,b,demo,2,,failed,http-404,https://photos.example/raw,https://x.example/,404\
                \(String(repeating: ",", count: 36))
                3,c,demo,2,,done\(String(repeating: ",", count: 40))

                """)
    }

    @Test(
        "Cells contain no formulas, no control characters and no unquoted separators",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\t=1", "'\t=1"), ("a=1", "a=1"),
            ("a,b", "\"a,b\""), ("\"", "\"\"\"\""), ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""), ("\r", "\"'\r\""),
            ("=\"a\"", "\"'=\"\"a\"\"\""), ("\u{1B}[31m\0\u{9B}", "\u{FFFD}[31m\u{FFFD}\u{FFFD}"), ("é😀", "é😀"),
        ])
    func cells(caption: String, cell: String) throws {
        var photo = Photo(id: "a")
        photo.caption = caption
        let (_, table) = try write([LedgerEntry(item: item(1, photo), receipt: nil)])
        let row = "1,a,demo,2,,skipped,deferred" + String(repeating: ",", count: 16) + cell
        #expect(table == header + row + String(repeating: ",", count: 23) + "\n")
    }

    @Test("Untrusted text stays on one line and is read back unchanged")
    func untrusted() throws {
        let entries = HostileText.strings.enumerated().map { index, text in
            var photo = Photo(id: text)
            photo.caption = text
            return LedgerEntry(item: item(index + 1, photo), receipt: nil)
        }
        let lines = try write(entries).lines.utf8.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == entries.count)
        for (line, text) in zip(lines, HostileText.strings) {
            #expect(try JSON(parsing: Array(line))["caption"] == .string(text))
        }
    }

    @Test("The same entries produce the same bytes, and an unfinished manifest changes no files")
    func same() throws {
        let entries = (1...2000).map {
            LedgerEntry(item: item($0, Samples.photo("\($0)")), receipt: Samples.done("\($0)"))
        }
        let first = try write(entries)
        var abandoned: ManifestWriter? = try ManifestWriter(in: LocalStore(folder))
        for entry in entries.prefix(1000) { try abandoned?.add(entry) }
        abandoned = nil
        #expect(temporary.names() == ["manifest.csv", "manifest.jsonl"])
        #expect(try folder.read("manifest.jsonl", limit: 1 << 24) == Array(first.lines.utf8))
        #expect(try write(entries) == first)
        #expect(first.lines.utf8.count { $0 == UInt8(ascii: "\n") } == 2000)
        #expect(first.table.utf8.count { $0 == UInt8(ascii: "\n") } == 2001)
    }

    @Test("A manifest can be written from the ledger in one pass")
    func fromLedger() throws {
        let ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        let items = try ledger.items(of: Samples.page(1, ["a", "b"]), in: run)
        try ledger.record(Samples.done("1"), for: items[0])
        var manifest = try ManifestWriter(in: LocalStore(folder))
        try ledger.forEachEntry { try manifest.add($0) }
        try manifest.finish()
        let lines = try folder.read("manifest.jsonl")
        #expect(
            try String(decoding: lines, as: UTF8.self)
                == write([
                    LedgerEntry(item: items[0], receipt: Samples.done("1")), LedgerEntry(item: items[1], receipt: nil),
                ]).lines)
    }

    @Test("A ledger restored from a manifest produces the same manifest")
    func reading() throws {
        var bare = Photo(id: "b")
        bare.caption = String(repeating: "\u{1F304}", count: 400_000)
        (bare.date, bare.camera, bare.color) = (0, "Box", "#aabbcc")
        let entries = [
            LedgerEntry(item: item(1, Samples.photo("a", collection: "lakes")), receipt: Samples.done("00001-a")),
            LedgerEntry(item: item(2, bare), receipt: nil),
            LedgerEntry(item: item(5, Photo(id: "c")), receipt: Samples.failed(.httpServerError)),
            LedgerEntry(item: item(6, Photo(id: "d")), receipt: Samples.failed(.policy)),
        ]
        let written = try write(entries)
        var reader = try ManifestReader(in: LocalStore(folder))
        var read: [LedgerEntry] = []
        while let entry = try reader.next() { read.append(entry) }
        #expect(read.map(\.item.seq) == [1, 2, 5, 6] && reader.unreadable == 0)
        #expect(read.map { $0.receipt?.state } == [.done, nil, .failed, .failed])
        #expect(read[1].item.photo.date == 0 && read[1].item.photo.camera == "Box")
        let ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "manifest", feed: "", options: "", startedAt: 0)
        try ledger.restore(read, in: run)
        var restored: [LedgerEntry] = []
        try ledger.forEachEntry { restored.append($0) }
        #expect(try write(restored) == written)
    }

    @Test("Invalid and truncated lines are skipped and counted")
    func unreadable() throws {
        let good = try write([LedgerEntry(item: item(1, Photo(id: "a")), receipt: nil)]).lines
        let texts = [
            "{}", "no JSON", "", #"{"schema":2,"seq":1,"id":"a","feed":"f","state":"done"}"#, #"{"schema":1,"seq":-1}"#,
            #"{"schema":1,"seq":9223372036854775807,"id":"a","feed":"f","state":"done"}"#,
        ]
        try folder.write(
            Array((texts.joined(separator: "\n") + "\n" + good + good.dropLast(9)).utf8), to: "manifest.jsonl")
        var reader = try ManifestReader(in: LocalStore(folder))
        #expect(try reader.next()?.item.photo.id == "a")
        #expect(try reader.next() == nil)
        #expect(reader.unreadable == 7)
    }
}
