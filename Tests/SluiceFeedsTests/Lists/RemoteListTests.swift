// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceParquet
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Lists, IIIF and JSON feeds whose address is the source, without a prefix that names their kind.
@Suite("Documents at addresses", .timeLimit(.minutes(10))) struct RemoteListTests {
    private static func reply(_ body: [UInt8], _ type: String) -> [RawServer.Step] {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
        return [.text(head), .raw(body)]
    }

    /// Walks the feed of an address, from a cursor on.
    private func walk(_ server: RawServer, _ path: String, from cursor: Cursor? = nil) async throws -> [Page] {
        try await Source(server.url(path)).feed().pages(from: cursor)
    }

    private static let table = "url,title\nhttps://a.test/1.jpg,One\nhttps://a.test/2.jpg,Two\n"

    @Test(
        "A list is recognised by its name, its type or its content",
        arguments: [
            ("/photos.csv", "application/octet-stream", table), ("/export?id=1", "text/csv; charset=utf-8", table),
            ("/list.txt", "text/plain", "https://a.test/1.jpg\nhttps://a.test/2.jpg\n"),
            (
                "/photos", "application/x-ndjson",
                "{\"url\":\"https://a.test/1.jpg\"}\n{\"url\":\"https://a.test/2.jpg\"}"
            ),
            ("/photos", "application/json", "{\"url\":\"https://a.test/1.jpg\"}\n{\"url\":\"https://a.test/2.jpg\"}"),
            ("/photos.json", "application/json", "[\"https://a.test/1.jpg\", \"https://a.test/2.jpg\"]"),
        ])
    func recognised(path: String, type: String, text: String) async throws {
        let server = try RawServer([path: Self.reply(Array(text.utf8), type)])
        let photos = try await walk(server, path).flatMap(\.photos)
        #expect(photos.map(\.address) == ["https://a.test/1.jpg", "https://a.test/2.jpg"])
        #expect(server.requests.count == 1)
    }

    @Test("A compressed list and a Parquet file are read")
    func binary() async throws {
        let folder = TemporaryFolder()
        let file = try NewFile("list.parquet", in: Folder(folder.path))
        var writer = try ParquetWriter(["URL", "TEXT"].map { ParquetColumn($0, .text) }, to: file)
        for text in ["https://a.test/1.jpg", "One", "https://a.test/2.jpg", "Two"] {
            writer.add(text)
            if text == "One" || text == "Two" { try writer.endRow() }
        }
        try writer.finish().finish(flushed: false)
        let zipped = Process()
        zipped.executableURL = URL(filePath: "/bin/gzip")
        zipped.arguments = [folder.path("photos.csv")]
        try Data(Self.table.utf8).write(to: URL(filePath: folder.path("photos.csv")))
        try zipped.run()
        zipped.waitUntilExit()
        let parquet = try [UInt8](Data(contentsOf: URL(filePath: folder.path("list.parquet"))))
        let gzip = try [UInt8](Data(contentsOf: URL(filePath: folder.path("photos.csv.gz"))))
        let server = try RawServer([
            "/list.parquet": Self.reply(parquet, "application/octet-stream"), "/data": Self.reply(parquet, "binary/x"),
            "/photos.csv.gz": Self.reply(gzip, "application/gzip"), "/zipped": Self.reply(gzip, "application/gzip"),
        ])
        for path in ["/list.parquet", "/data", "/photos.csv.gz", "/zipped"] {
            let photos = try await walk(server, path).flatMap(\.photos)
            #expect(photos.map(\.caption) == ["One", "Two"], "\(path)")
        }
    }

    @Test("A list without a length is not stored far ahead of its reader")
    func unread() async throws {
        let server = try RawServer(["/l.csv": [.text("HTTP/1.1 200 OK\r\n\r\nhttps://a.test/1.jpg\n"), .endless]])
        var options = TransferOptions(userAgent: "Sluice/test")
        options.addressGuard.allowsPrivate = true
        options.addressGuard.ports = [Int(server.port)]
        let transfers = Transfers(options)
        let download = try ListDownload(
            of: Request(server.url("/l.csv"), limit: 1 << 42), through: transfers, maxUnreadBytes: 1 << 20,
            token: CancellationToken())
        let failure = #expect(throws: Failure.self) { try download.waitForEnd(token: CancellationToken()) }
        #expect(failure?.cause == .tooLarge && failure?.detail.contains("states no length") == true)
    }

    @Test("A long list has several pages, and a cursor continues within it in another run")
    func pages() async throws {
        let rows = (1...2500).map { "https://a.test/\($0).jpg\n" }.joined()
        let server = try RawServer(["/l.csv": Self.reply(Array(("url\n" + rows).utf8), "text/csv")])
        let pages = try await walk(server, "/l.csv")
        #expect(pages.map(\.photos.count) == [1000, 1000, 500] && server.requests.count == 1)
        let rest = try await walk(server, "/l.csv", from: pages[1].next)
        #expect(rest.flatMap(\.photos).map(\.id) == pages[2].photos.map(\.id))
    }

    @Test("IIIF and JSON feeds are recognised by their content, and other JSON is refused with a hint")
    func json() async throws {
        let manifest = """
            {"@context": "http://iiif.io/api/presentation/3/context.json", "id": "https://a.test/m", "type": "Manifest",
            "items": [{"type": "Canvas", "id": "https://a.test/c", "items": [{"type": "AnnotationPage", "items": [
            {"type": "Annotation", "motivation": "painting", "body": {"type": "Image", "id": "https://a.test/1.jpg",
            "format": "image/jpeg"}}]}]}]}
            """
        let feed = """
            {"version": "https://jsonfeed.org/version/1.1", "title": "t", "next_url": "/feed?page=2",
            "authors": [{"name": "Ida"}], "items": [
            {"id": "1", "url": "/p/1", "title": "One &amp; only", "image": "/1.jpg", "date_published": "2024-05-01T10:00:00Z"},
            {"id": "2", "content_html": "<p><img src='/2.jpg'><img src='/3.jpg'></p>"}, {"id": "3", "content_text": "none"},
            {"id": "4", "attachments": [{"url": "/4.jpg", "mime_type": "image/jpeg"}, {"url": "/a.mp3", "mime_type": "audio/mpeg"}]}]}
            """
        let last =
            "{\"version\": \"https://jsonfeed.org/version/1\", \"items\": [{\"id\": \"5\", \"image\": \"/5.jpg\"}]}"
        let server = try RawServer([
            "/manifest.json": Self.reply(Array(manifest.utf8), "application/json"),
            "/feed": Self.reply(Array(feed.utf8), "application/feed+json"),
            "/feed?page=2": Self.reply(Array(last.utf8), "application/json"),
            "/api": Self.reply(Array("{\"results\": []}".utf8), "application/json"),
        ])
        let painted = try await walk(server, "/manifest.json").flatMap(\.photos)
        #expect(painted.map(\.address) == ["https://a.test/1.jpg"])
        let pages = try await walk(server, "/feed")
        let photos = pages.flatMap(\.photos)
        #expect(photos.map(\.id) == ["1", "2", "2#2", "4", "5"])
        #expect(photos.map { $0.address?.split(separator: "/").last } == ["1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"])
        #expect(photos[0].caption == "One & only" && photos[0].author == "Ida" && photos[0].date == 1_714_557_600)
        #expect(photos[0].pageURL == server.url("/p/1"))
        #expect(pages[0].notes == ["page 1: 1 of 4 entries have no picture"])
        let failure = await #expect(throws: Failure.self) { try await walk(server, "/api") }
        #expect(failure?.cause == .feedParse && failure?.hint == .writeRecipe)
    }
}

@Suite("Addresses without a scheme", .timeLimit(.minutes(10))) struct SourceAddressTests {
    @Test(
        "Completes addresses that people copy, and leaves other texts",
        arguments: [
            ("www.example.com/a?b=c", "https://www.example.com/a?b=c"),
            ("//cdn.example.com/x", "https://cdn.example.com/x"),
            ("WWW.Example.com", "https://WWW.Example.com"), ("demo", "demo"),
            ("unsplash:search/lakes", "unsplash:search/lakes"),
            ("photos/www.txt", "photos/www.txt"), ("www.", "www."), ("//", "//"), ("example.com/x", "example.com/x"),
            ("hf://datasets/o/n/data/a.parquet", "https://huggingface.co/datasets/o/n/resolve/main/data/a.parquet"),
            ("hf://datasets/o/n@v1/a.csv", "https://huggingface.co/datasets/o/n/resolve/v1/a.csv"),
            (
                "https://huggingface.co/datasets/o/n/blob/main/a.csv",
                "https://huggingface.co/datasets/o/n/resolve/main/a.csv"
            ),
        ])
    func completed(text: String, address: String) {
        #expect(SourceAddress.completed(text) == address)
    }

    @Test("The message about a missing file suggests an address if the text begins like one")
    func hint() {
        let error = #expect(throws: SourceError.self) { try Source("example.com/x") }
        #expect(error?.message.hasSuffix("; for a web address, write https://example.com/x") == true)
        let other = #expect(throws: SourceError.self) { try Source("photos/list.csv") }
        #expect(other?.message.contains("https") == false)
    }
}
