// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceParquet
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

@Suite("Lists in Parquet files", .timeLimit(.minutes(10))) struct ParquetListTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path("list.parquet") }

    private let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fuzz/Corpus/parquet").standardized

    /// Writes a list with these columns; each row has the columns' texts.
    private func write(_ names: [String], _ rows: [[String?]]) throws {
        let file = try NewFile("list.parquet", in: Folder(folder.path))
        var writer = try ParquetWriter(names.map { ParquetColumn($0, .text) }, to: file)
        for row in rows {
            for text in row { writer.add(text) }
            try writer.endRow()
        }
        try writer.finish().finish(flushed: false)
    }

    /// Reads all pages of the list.
    private func read(_ options: ListOptions = ListOptions()) async throws -> (photos: [Photo], notes: [String]) {
        let pages = try await pages(of: ListFeed(path, options: options))
        return (pages.flatMap(\.photos), pages.flatMap(\.notes))
    }

    @Test("Columns are recognised by name or chosen by the options, and others are kept")
    func columns() async throws {
        try write(
            ["SAMPLE_ID", "URL", "TEXT", "link to photo", "words", "WIDTH"],
            [["1", "https://a.test/1", "short", "https://b.test/1", "long", "640"]])
        var (photos, notes) = try await read()
        #expect(photos.map(\.address) == ["https://a.test/1"] && photos[0].caption == "short")
        #expect(photos[0].width == 640 && photos[0].id == "https://a.test/1")
        #expect(notes.isEmpty)
        #expect(photos[0].columns == #"{"SAMPLE_ID":"1","link to photo":"https://b.test/1","words":"long"}"#)
        var options = ListOptions()
        (options.urlColumn, options.captionColumn, options.idColumn) = ("link to photo", "words", "SAMPLE_ID")
        (photos, notes) = try await read(options)
        #expect(photos.map(\.address) == ["https://b.test/1"] && photos[0].caption == "long" && photos[0].id == "1")
        options.urlColumn = "foto"
        let failure = await #expect(throws: Failure.self) { try await read(options) }
        #expect(
            failure?.detail
                == "'\(path)': no column is named 'foto'; the columns are SAMPLE_ID, URL, TEXT, link to photo, words, WIDTH"
        )
    }

    @Test("An invalid row does not affect the others")
    func invalidRows() async throws {
        let long = String(repeating: "x", count: 1 << 20)
        try write(
            ["url", "caption"],
            [
                ["https://a.test/1", nil], [nil, "none"], ["ftp://a.test/3", ""], ["https://a.test/" + long, "4"],
                ["https://a.test/5", "ok"], ["https://a.test/6", long],
            ])
        let (photos, notes) = try await read()
        #expect(photos.last?.caption == nil && notes == ["ignored values from row 6: longer than 1 MiB"])
        #expect(
            photos.map(\.id) == ["https://a.test/1", "row 2", "row 3", "row 4", "https://a.test/5", "https://a.test/6"])
        #expect(
            photos.compactMap(\.invalidReason?.detail) == [
                "row 2: missing address", "row 3: not an http:// or https:// address", "row 4: longer than 1 MiB",
            ])
    }

    @Test("Each address of a list is a photo with an id of its own")
    func lists() async throws {
        try FileManager.default.copyItem(at: corpus.appending(path: "nested"), to: URL(filePath: path))
        var options = ListOptions()
        (options.urlColumn, options.captionColumn) = ("pictures.url", "pictures.text")
        let photos = try await read(options).photos
        #expect(photos.prefix(4).map(\.id) == ["row 2", "row 3", "row 3", "row 4"])
        let file = LocalParquetFile(try .reading(corpus.appending(path: "addresses").path, followsLink: true))
        let reader = try ParquetListReader({ file }, named: "a", options: ListOptions(), token: CancellationToken())
        try reader.skip(1)
        let second = try reader.next()
        #expect(second?.id == "one#2" && second?.address == "https://a.test/2" && second?.caption == "first")
        #expect(second?.variants.first?.checksum?.digits == String(repeating: "0f", count: 32))
        #expect(try reader.next()?.id == "three")
        #expect(reader.note == nil)
    }

    @Test("A resumed feed continues at its cursor")
    func resuming() async throws {
        try write(["url"], (0..<2500).map { ["https://a.test/\($0)"] })
        let first = try await ListFeed(path, options: ListOptions()).page(1, at: nil, token: CancellationToken())
        #expect(first.photos.count == 1000 && first.next?.rawValue == "1000")
        let resumed = ListFeed(path, options: ListOptions())
        let second = try await resumed.page(2, at: first.next, token: CancellationToken())
        #expect(second.photos.first?.address == "https://a.test/1000")
        let last = try await resumed.page(3, at: second.next, token: CancellationToken())
        #expect(last.photos.count == 500 && last.next == nil)
        #expect(try await read().photos.count == 2500)
    }

    @Test("A part without rows is no error among others, and files that programs put beside lists are not read")
    func emptyPart() async throws {
        try write(["url"], [])
        await #expect(throws: Failure.self) { try await read() }
        try folder.makeFolder("parts")
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("parts/0.parquet"))
        try write(["url"], [["https://a.test/1"]])
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("parts/1.parquet"))
        try FileManager.default.copyItem(
            atPath: folder.path("parts/1.parquet"), toPath: folder.path("parts/_metadata"))
        for name in ["_SUCCESS", "_common"] { try folder.write(Data([0, 1, 0xFF]), to: "parts/\(name)") }
        let feeds = try Source(folder.path("parts")).feeds(
            through: Transfers(TransferOptions(userAgent: "x/1")), options: FeedOptions())
        var photos: [Photo] = []
        for feed in feeds { photos += try await feed.feed.page(1, at: nil, token: CancellationToken()).photos }
        #expect(feeds.count == 2 && photos.map(\.address) == ["https://a.test/1"])
        // Any other file without an extension hid the lists, too, unless it was a text.
        func kind() throws -> SourceType { try Source(folder.path("parts")).type }
        try folder.write(Data([9, 1, 0xFE, 0x80]), to: "parts/blob")
        #expect(try kind() == .list)
        try folder.write(Data([0xFF, 0xD8, 0xFF, 0xE0]), to: "parts/photo")
        #expect(try kind() == .folder)
    }

    @Test("Folders that state columns, as Hive and Spark name them, give them to the photos of their lists")
    func partitions() async throws {
        let lists = [
            ("lang=de/year=2026", "url,score\nhttps://a.test/1,1\n"),
            ("lang=a%20b/year=007", "url,lang\nhttps://a.test/2,xx\nnonsense,\n"),
            ("lang=__HIVE_DEFAULT_PARTITION__/year=", "url\nhttps://a.test/3\n"),
            ("", "url\nhttps://a.test/4\n"),
        ]
        for (place, list) in lists {
            try folder.makeFolder("x=1/parts/\(place)")
            try folder.write(list, to: "x=1/parts/\(place)/list.csv")
        }
        var columns: [String: String?] = [:]
        for feed in try Source(folder.path("x=1/parts")).feeds(
            through: Transfers(TransferOptions(userAgent: "x/1")), options: FeedOptions())
        {
            for photo in try await feed.feed.page(1, at: nil, token: CancellationToken()).photos {
                columns[photo.address ?? photo.id] = photo.columns
            }
        }
        #expect(
            columns == [
                "https://a.test/1": #"{"score":1,"lang":"de","year":2026}"#,
                "https://a.test/2": #"{"lang":"xx","year":"007"}"#, "line 3": nil, "https://a.test/3": nil,
                "https://a.test/4": nil,
            ])
    }

    @Test("Unsupported and damaged files fail with a message that names the file")
    func refusals() async throws {
        func failure(_ name: String, _ options: ListOptions = ListOptions()) async throws -> String? {
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: corpus.appending(path: name).path, toPath: path)
            return await #expect(throws: Failure.self) { try await read(options) }?.detail
        }
        #expect(
            try await failure("lzo") == "'\(path)' is an unsupported Parquet file: its pages are compressed with LZO")
        var options = ListOptions()
        (options.urlColumn, options.captionColumn) = ("image.url", "grid")
        #expect(
            try await failure("nested", options)
                == "'\(path)' is an unsupported Parquet file: cannot read column 'grid': it is a list in a list")
        let bytes = try Data(contentsOf: corpus.appending(path: "gzip-plain-1"))
        try bytes.dropLast(9).write(to: URL(filePath: path))
        let truncated = await #expect(throws: Failure.self) { try await read() }
        #expect(truncated?.detail == "'\(path)' is a damaged Parquet file: it is truncated")
    }

    @Test("A Parquet file in a pipe is refused")
    func pipe() async throws {
        try write(["url"], [["https://a.test/1"]])
        let pipe = folder.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let bytes = try Data(contentsOf: URL(filePath: path))
        // Opened for reading and writing, a pipe needs no other end.
        let writer = try #require(FileHandle(forUpdatingAtPath: pipe))
        try writer.write(contentsOf: bytes)
        let failure = await #expect(throws: Failure.self) {
            try await ListFeed(pipe, options: ListOptions()).page(1, at: nil, token: CancellationToken())
        }
        #expect(failure?.detail == "a Parquet file cannot be read from a pipe; give its path")
        try writer.close()
    }
}
