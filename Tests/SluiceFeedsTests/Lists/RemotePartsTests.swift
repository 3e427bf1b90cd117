// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds
@testable import SluiceParquet

/// Parquet files at addresses, of which only parts are requested.
@Suite("Parts of lists at addresses", .timeLimit(.minutes(10))) struct RemotePartsTests {
    /// A Parquet file with addresses that begin with a name, and pictures that no run needs.
    private static func parquet(_ name: String, rows: Int = 3000, picture: Int = 500) throws -> [UInt8] {
        let folder = TemporaryFolder()
        let columns = [
            ParquetColumn("url", .text), ParquetColumn("image_bytes", .bytes), ParquetColumn("caption", .text),
        ]
        var writer = try ParquetWriter(
            columns, to: NewFile("f", in: Folder(folder.path)), rowsPerGroup: 500, bytesPerGroup: .max)
        for row in 1...rows {
            writer.add("https://a.test/\(name)\(row).jpg")
            writer.add([UInt8](repeating: UInt8(truncatingIfNeeded: row) | 0x80, count: picture + row % 7))
            writer.add("caption \(row)")
            try writer.endRow()
        }
        try writer.finish().finish(flushed: false)
        return try folder.bytes(of: "f")
    }

    private static func addresses(_ name: String, _ rows: ClosedRange<Int>) -> [String] {
        rows.map { "https://a.test/\(name)\($0).jpg" }
    }

    private static func reply(_ file: [UInt8], tag: String?, to request: OriginRequest) -> OriginReply {
        let headers = tag.map { [OriginHeader("ETag", $0)] } ?? []
        return OriginReply(type: "application/octet-stream", file, headers: headers).applyingConditions(of: request)
    }

    /// Walks the feed of `/l.parquet`, and calls `between` after each page.
    private func walk(
        _ stub: ServiceStub, path: String = "/l.parquet", from cursor: Cursor? = nil, between: (Int) -> Void = { _ in }
    ) async throws -> (pages: [Page], received: Int) {
        let server = try OriginServer(stub)
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.retry.retries = 0
        let source = try Source(server.address + path)
        transferOptions.addressGuard.trust(source.trustedAddresses, writtenBy: .user)
        let transfers = Transfers(transferOptions)
        let feed = try source.feeds(through: transfers, options: FeedOptions())[0].feed
        var (pages, next): ([Page], Cursor?) = ([], cursor)
        repeat {
            let page = try await feed.page(pages.count + 1, at: next, token: CancellationToken())
            pages.append(page)
            between(pages.count)
            #expect(page.next == nil || page.next != next)
            next = page.next
        } while next != nil
        return (pages, transfers.receivedBytes)
    }

    @Test("Only the columns and the row groups that are needed are requested", arguments: ["/l.parquet", "/data"])
    func parts(path: String) async throws {
        let rows = path == "/data" ? 2000 : 3000
        // More than a reply that is kept in memory.
        let file = try Self.parquet("a", rows: rows, picture: path == "/data" ? 9000 : 500)
        let stub = ServiceStub { Self.reply(file, tag: "\"1\"", to: $0) }
        let (pages, received) = try await walk(stub, path: path)
        #expect(pages.flatMap(\.photos).map(\.address) == Self.addresses("a", 1...rows))
        #expect(pages[0].photos[0].caption == "caption 1")
        if path == "/l.parquet" {
            #expect(received < file.count / 8, "\(received) of \(file.count) bytes")
            #expect(stub.requests.allSatisfy { $0.header("Range") != nil })
            // The last rows are in two of six row groups.
            let rest = try await walk(stub, from: pages[1].next)
            #expect(rest.pages.flatMap(\.photos).map(\.address) == Self.addresses("a", 2001...3000))
            #expect(rest.received < received)
        }
    }

    @Test(
        "A file without a strong version, or without ranges, is downloaded whole", arguments: ["W/\"1\"", nil, "none"])
    func whole(tag: String?) async throws {
        let file = try Self.parquet("a")
        let stub = ServiceStub { request in
            guard tag == "none" else { return Self.reply(file, tag: tag, to: request) }
            return OriginReply(type: "application/octet-stream", file, headers: [OriginHeader("ETag", "\"1\"")])
        }
        let (pages, received) = try await walk(stub)
        #expect(pages.flatMap(\.photos).map(\.address) == Self.addresses("a", 1...3000))
        #expect(received >= file.count)
    }

    @Test("A server that does not count from the end is asked for its size first")
    func noSuffix() async throws {
        let file = try Self.parquet("a")
        let stub = ServiceStub { request in
            let isSuffix = request.header("Range")?.hasPrefix("bytes=-") == true
            return isSuffix ? OriginReply(status: 416) : Self.reply(file, tag: "\"1\"", to: request)
        }
        let (pages, received) = try await walk(stub)
        #expect(pages.flatMap(\.photos).map(\.address) == Self.addresses("a", 1...3000))
        #expect(received < file.count / 8)
    }

    @Test(
        "A file that changes between requests is read again as a whole, and no page has rows of two versions",
        arguments: ["changes", "loses its tag", "changes its bytes only"])
    func changed(how: String) async throws {
        let (old, new) = try (Self.parquet("a"), Self.parquet("b"))
        let isNew = Locked(false)
        let stub = ServiceStub { request in
            guard isNew.withLock(\.self) else { return Self.reply(old, tag: "\"1\"", to: request) }
            switch how {
            case "changes": return Self.reply(new, tag: "\"2\"", to: request)
            // It ignores conditions and sends a part of another version.
            case "loses its tag": return Self.reply(new, tag: nil, to: request)
            default:
                var reply = Self.reply(new + [0], tag: "\"1\"", to: request)
                if request.header("Range") == nil { reply.body = new }
                return reply
            }
        }
        let (pages, _) = try await walk(stub) { if $0 == 1 { isNew.withLock { $0 = true } } }
        #expect(pages[0].photos.map(\.address) == Self.addresses("a", 1...1000))
        for page in pages {
            #expect(Set(page.photos.map { $0.address?.contains("/a") == true }).count < 2)
        }
        let addresses = pages.flatMap(\.photos).compactMap(\.address)
        #expect(addresses.filter { $0.contains("/b") } == Self.addresses("b", 1...3000))
    }

    @Test("The last failure of a server is reported as such")
    func failure() async throws {
        let file = try Self.parquet("a")
        let isGone = Locked(false)
        let stub = ServiceStub { request in
            isGone.withLock(\.self) ? OriginReply(status: 410) : Self.reply(file, tag: "\"1\"", to: request)
        }
        let failure = await #expect(throws: Failure.self) {
            try await walk(stub) { if $0 == 1 { isGone.withLock { $0 = true } } }
        }
        #expect(failure?.cause == .httpClientError(410))
    }

    @Test("Blocks are requested once, whatever their size, and small parts together")
    func blocks() throws {
        let bytes = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var requests: [Range<Int>] = []
        let parts = RequestedParts(size: bytes.count, end: Array(bytes.suffix(1000))) { (range) throws(FileError) in
            requests.append(range)
            return Array(bytes[range])
        }
        #expect(try parts.read(at: 8_990_000, count: 10_000) == Array(bytes[8_990_000...]))
        #expect(requests == [8_990_000..<8_999_000])
        requests = []
        // Two columns that lie close together, and a long one.
        parts.willRead([4..<5000, 5100..<9000, 100_000..<8_900_000])
        for (offset, count) in [(4, 100), (5100, 3900), (104, 4896), (100_000, 4096), (100_000, 3_000_000)] {
            #expect(try parts.read(at: offset, count: count) == Array(bytes[offset..<offset + count]))
        }
        #expect(requests == [4..<9000, 100_000..<100_000 + 4 << 20])
        requests = []
        for offset in stride(from: 3_100_000, to: 8_900_000, by: 1_450_000) {
            let count = min(1_450_000, 8_900_000 - offset)
            #expect(try parts.read(at: offset, count: count) == Array(bytes[offset..<offset + count]))
        }
        #expect(requests.count == 2 && requests[0].upperBound == requests[1].lowerBound)
    }
}

/// Lists of text at addresses, which are read while they arrive.
@Suite("Lists that arrive slowly", .timeLimit(.minutes(10))) struct ArrivingListTests {
    private static func rows(_ name: String, _ range: ClosedRange<Int>) -> String {
        range.map { "https://a.test/\(name)\($0).jpg\n" }.joined()
    }

    /// Returns the addresses on each page; calls `between` after each page.
    private func walk(_ server: RawServer, between: (Int) -> Void = { _ in }) async throws -> [[String]] {
        let feed = try Source(server.url("/l.csv")).feed {
            ($0.retry.retries, $0.retry.baseDelay) = (2, .zero)
        }
        var (pages, next): ([[String]], Cursor?) = ([], nil)
        repeat {
            let page = try await feed.page(pages.count + 1, at: next, token: CancellationToken())
            pages.append(page.photos.compactMap(\.address))
            between(pages.count)
            next = page.next
        } while next != nil
        return pages
    }

    private static func head(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
    }

    @Test("The first photos are known before the list has arrived")
    func begin() async throws {
        let text = "url\n" + Self.rows("a", 1...20_000)
        let isSeen = Locked(false)
        let server = try RawServer([
            "/l.csv": [
                .text(Self.head(text) + "url\n" + Self.rows("a", 1...10_000)), .until { isSeen.withLock(\.self) },
                .text(Self.rows("a", 10_001...20_000)),
            ]
        ])
        let pages = try await walk(server) { if $0 == 1 { isSeen.withLock { $0 = true } } }
        #expect(pages.count == 21 && pages.joined().count == 20_000)
        #expect(Array(pages.joined()) == (1...20_000).map { "https://a.test/a\($0).jpg" })
    }

    @Test(
        "A download that begins again continues with the same list, and reads another list from its beginning",
        arguments: ["a", "b"])
    func again(name: String) async throws {
        let (old, new) = ("url\n" + Self.rows("a", 1...20_000), "url\n" + Self.rows(name, 1...20_000))
        let isSeen = Locked(false)
        let server = try RawServer(sequences: [
            "/l.csv": [
                [
                    .text(Self.head(old) + "url\n" + Self.rows("a", 1...15_000)), .until { isSeen.withLock(\.self) },
                    .reset,
                ],
                [.text(Self.head(new) + new)],
            ]
        ])
        let pages = try await walk(server) { if $0 == 3 { isSeen.withLock { $0 = true } } }
        let all = (1...20_000).map { "https://a.test/\(name)\($0).jpg" }
        #expect(server.requests.count == 2)
        #expect(Array(pages.joined().filter { $0.contains("/\(name)") }) == all)
        for page in pages { #expect(Set(page.map { $0.contains("/a") }).count < 2) }
    }

    @Test("The photos before a failure are known, and the failure names its cause")
    func cut() async throws {
        let text = "url\n" + Self.rows("a", 1...20_000)
        let isSeen = Locked(false)
        let server = try RawServer(sequences: [
            "/l.csv": [
                [
                    .text(Self.head(text) + "url\n" + Self.rows("a", 1...15_000)), .until { isSeen.withLock(\.self) },
                    .reset,
                ],
                [.text("HTTP/1.1 404 Gone\r\nContent-Length: 0\r\n\r\n")],
            ]
        ])
        let count = Locked(0)
        let failure = await #expect(throws: Failure.self) {
            try await walk(server) { page in
                count.withLock { $0 = page }
                if page == 3 { isSeen.withLock { $0 = true } }
            }
        }
        #expect(failure?.cause == .httpClientError(404) && count.withLock(\.self) >= 3)
    }
}
