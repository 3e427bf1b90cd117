// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// `hf://datasets/OWNER/NAME/data/*.csv`, with a server that answers like the Hub.
@Suite("Lists in data sets", .timeLimit(.minutes(10))) struct DatasetFilesTests {
    private static func reply(_ text: String, _ type: String, headers: String = "") -> [RawServer.Step] {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(headers)Content-Length: \(text.utf8.count)\r\n\r\n"
        return [.text(head), .raw(Array(text.utf8))]
    }

    private static func entry(_ path: String, _ type: String = "file") -> String {
        "{\"type\": \"\(type)\", \"oid\": \"0\", \"size\": 9, \"path\": \"\(path)\"}"
    }

    private func source(_ text: String, at server: RawServer) throws -> DatasetFilesSource {
        try #require(DatasetFilesSource(text, site: "http://127.0.0.1:\(server.port)"))
    }

    private func feed(of source: DatasetFilesSource) -> any Feed {
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.retry.retries = 0
        transferOptions.addressGuard.trust(
            source.trustedAddresses.compactMap { WebAddress($0) }, writtenBy: .user)
        return source.feed(through: Transfers(transferOptions), options: FeedOptions())
    }

    private static func list(_ numbers: [Int]) -> [RawServer.Step] {
        reply("url\n" + numbers.map { "https://a.test/\($0).jpg\n" }.joined(), "text/csv")
    }

    @Test("All lists that match are read in the order of their names, from a listing of several pages")
    func joined() async throws {
        let tree = "/api/datasets/o/n/tree/main/data"
        let first = "[\(Self.entry("data/z", "directory")),\(Self.entry("data/b 2.csv")),\(Self.entry("data/x.json"))]"
        let server = try RawServer([
            tree: Self.reply(
                first, "application/json", headers: "Link: <\(tree)?cursor=2>; rel=\"next\"\r\n"),
            "\(tree)?cursor=2": Self.reply(
                "[\(Self.entry("data/a.csv")),\(Self.entry("data/.c.csv"))]", "application/json"),
            "/datasets/o/n/resolve/main/data/a.csv": Self.list(Array(1...1500)),
            "/datasets/o/n/resolve/main/data/b%202.csv": Self.list([2000]),
        ])
        let source = try source("hf://datasets/o/n/data/*.csv", at: server)
        let pages = try await feed(of: source).pages()
        #expect(pages.map(\.photos.count) == [1000, 500, 1] && pages.map(\.number) == [1, 2, 3])
        #expect(pages.last?.photos.first?.address == "https://a.test/2000.jpg")
        #expect(pages.compactMap(\.share).last == 1 && source.politeness.respectsRobotsTxt)
        // Another run continues in the list that was interrupted, and in the one after it.
        for count in 1...2 {
            let rest = try await feed(of: source).pages(from: pages[count - 1].next)
            #expect(rest.flatMap(\.photos).map(\.id) == pages[count...].flatMap(\.photos).map(\.id))
        }
    }

    /// Of a list of 1000 photos, the second page is empty, which ends other feeds.
    @Test("Reading continues after an empty list and after an empty last page, and ends with an error if all are empty")
    func empty() async throws {
        let tree = "/api/datasets/o/n/tree/main"
        let files = "/datasets/o/n/resolve/main"
        let names = ["a.csv", "b.csv", "c.csv", "d.tsv", "e.tsv"].map { Self.entry($0) }.joined(separator: ",")
        let server = try RawServer([
            tree: Self.reply("[\(names)]", "application/json"), "\(files)/a.csv": Self.list([]),
            "\(files)/b.csv": Self.list(Array(1...1000)), "\(files)/c.csv": Self.list([2000]),
            "\(files)/d.tsv": Self.list([]), "\(files)/e.tsv": Self.list([]),
        ])
        var walker = PageWalker(feed(of: try source("hf://datasets/o/n/*.csv", at: server)))
        var photos = 0
        while let page = try await walker.nextPage(token: CancellationToken()) {
            photos += page.photos.count
            try walker.recordNewPhotos(count: page.photos.count)
        }
        #expect(photos == 1001)
        let none = feed(of: try source("hf://datasets/o/n/*.tsv", at: server))
        let failure = await #expect(throws: Failure.self) { try await none.pages() }
        #expect(failure?.detail == "the lists 'hf://datasets/o/n/*.tsv' are empty")
    }

    @Test("A wildcard in a folder lists all folders below, also of a branch whose name has slashes")
    func deep() async throws {
        let tree = "/api/datasets/o/n/tree/refs%2Fconvert%2Fparquet?recursive=true"
        let entries = ["x/train/0.csv", "x/test/0.csv", "x/0.csv", "train/1.csv"].map { Self.entry($0) }
        let server = try RawServer([
            tree: Self.reply("[\(entries.joined(separator: ","))]", "application/json"),
            "/datasets/o/n/resolve/refs%2Fconvert%2Fparquet/x/train/0.csv": Self.list([1]),
        ])
        let source = try source("hf://datasets/o/n@refs%2Fconvert%2Fparquet/*/train/*.csv", at: server)
        #expect(try await feed(of: source).pages().flatMap(\.photos).count == 1)
    }

    @Test("A pattern that matches nothing, and a listing that is none, are named")
    func none() async throws {
        let server = try RawServer([
            "/api/datasets/o/n/tree/main/data": Self.reply("[]", "application/json"),
            "/api/datasets/o/n/tree/main/odd": Self.reply("{}", "application/json"),
        ])
        for (path, detail) in [
            ("data", "no list matches 'hf://datasets/o/n/data/*.csv'"),
            ("odd", "the listing of 'hf://datasets/o/n/odd/*.csv' is not a JSON array"),
        ] {
            let feed = feed(of: try source("hf://datasets/o/n/\(path)/*.csv", at: server))
            let failure = await #expect(throws: Failure.self) { try await feed.pages() }
            #expect(failure?.detail == detail)
        }
    }

    @Test("Only patterns are listed")
    func kinds() throws {
        #expect(try DatasetFilesSource("s3://b/*.csv") == nil && DatasetFilesSource("https://a.test/*.csv") == nil)
        #expect(SourceAddress.completed("hf://datasets/o/n/*.csv") == "hf://datasets/o/n/*.csv")
        #expect(try Source("hf://datasets/o/n/*.csv").politeness.respectsRobotsTxt)
        #expect(try Source("hf://datasets/o/n/data/a.parquet").trustedAddresses.first?.host == "huggingface.co")
    }

    @Test(
        "A data set without a file, and a model, are refused with an example",
        arguments: ["hf://datasets/o/n", "hf://datasets/o", "hf://datasets/o/*", "hf://o/n/a.csv", "hf://"])
    func refused(text: String) {
        let error = #expect(throws: SourceError.self) { try Source(text) }
        #expect(
            error?.message == "cannot open '\(text)': it names no file or pattern in a data set, e.g. "
                + "hf://datasets/OWNER/NAME/data/*.parquet")
    }
}
