// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Repeats a text, without an end unless a count is given.
private final class EndlessInput: ListInput {
    let size: Int? = nil
    private(set) var bytesRead = 0
    private let text: [UInt8]
    private let total: Int

    init(_ text: String, count: Int? = nil) {
        let bytes = Array(text.utf8)
        self.text = Array(repeating: bytes, count: max(1, (64 << 10) / bytes.count)).flatMap { $0 }
        total = count.map { $0 * bytes.count } ?? .max
    }

    func isReady(within milliseconds: Int32) -> Bool { true }

    func read(_ count: Int) throws(FileError) -> [UInt8] {
        let start = bytesRead % text.count
        let piece = Array(text[start..<min(text.count, start + min(count, total - bytesRead))])
        bytesRead += piece.count
        return piece
    }
}

@Suite("Compressed lists", .timeLimit(.minutes(10))) struct CompressedListTests {
    private static let text = (1...20_000).map { "https://a.test/\($0)-\($0 &* 7919)\n" }.joined()

    /// Compresses the text with a system program; returns `nil` with a message if it is not installed.
    private func compressed(with program: String, _ text: String = text) throws -> [UInt8]? {
        let path = "/usr/bin/\(program)"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            print("skipped: \(path) is not installed")
            return nil
        }
        let plain = try TemporaryList(text)
        let process = Process()
        let out = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-q", "-c", plain.path]
        process.standardOutput = out
        try process.run()
        let bytes = try out.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](bytes)
    }

    @Test(
        "Decompresses gzip and Zstandard, including concatenated files", arguments: ["gzip", "zstd"])
    func whole(program: String) async throws {
        guard let bytes = try compressed(with: program),
            let more = try compressed(with: program, "https://a.test/last\n")
        else { return }
        let photos = try await TemporaryList.read(bytes + more).photos
        #expect(photos.count == 20_001 && photos.last?.address == "https://a.test/last")
        #expect(photos.allSatisfy { $0.invalidReason == nil })
    }

    @Test("A saved site map may be compressed")
    func siteMap() async throws {
        let map = "<urlset><url><loc>https://a.test/1.jpg</loc></url></urlset>"
        guard let bytes = try compressed(with: "gzip", map) else { return }
        let file = try TemporaryList(bytes, named: "sitemap.xml.gz")
        let feed = try Source(file.path).feeds(
            through: Transfers(TransferOptions(userAgent: "x")), options: FeedOptions())[0].feed
        let photos = try await feed.page(1, at: nil, token: CancellationToken()).photos
        #expect(photos.map(\.id) == ["https://a.test/1.jpg"])
    }

    @Test("Each page knows which share of the file has been read", arguments: [nil, "gzip", "zstd"])
    func share(program: String?) async throws {
        guard let bytes = try program.map({ try compressed(with: $0) }) ?? Array(Self.text.utf8) else { return }
        let list = try TemporaryList(bytes)
        var walker = PageWalker(ListFeed(list.path, options: ListOptions()))
        var shares: [Double] = []
        while let page = try await walker.nextPage(token: CancellationToken()) {
            shares.append(try #require(page.share))
        }
        #expect(shares == shares.sorted() && shares.last == 1, "\(shares)")
        // A decompressed block counts as read, and the test's text has few of them.
        if program == nil { #expect(abs(shares[9] - 0.5) < 0.02, "\(shares)") }
    }

    @Test("A truncated or corrupt list gives the photos before the damage, then fails", arguments: ["gzip", "zstd"])
    func broken(program: String) async throws {
        guard let bytes = try compressed(with: program) else { return }
        for broken in [Array(bytes.dropLast(bytes.count / 3)), bytes + Array("rubbish".utf8)] {
            let list = try TemporaryList(broken)
            var walker = PageWalker(ListFeed(list.path, options: ListOptions()))
            var count = 0
            let failure = await #expect(throws: Failure.self) {
                while let page = try await walker.nextPage(token: CancellationToken()) { count += page.photos.count }
            }
            #expect(
                failure?.cause == .feedParse && count > 1000, "\(count) records, then \(String(describing: failure))")
        }
    }

    @Test("Skips a decompression bomb of one line with bounded memory, and reads the next line")
    func bomb() async throws {
        guard
            let bytes = try compressed(
                with: "gzip", "https://a.test/" + String(repeating: "x", count: 64 << 20) + "\nhttps://a.test/2\n")
        else { return }
        #expect(bytes.count < 1 << 20)
        let photos = try await TemporaryList.read(bytes).photos
        #expect(photos.map(\.address) == [nil, "https://a.test/2"])
    }

    /// 128 KB became 4 GB of blank lines.
    @Test("A list that expands more than 300 times is refused after 128 MiB", arguments: ["gzip", "zstd"])
    func expansion(program: String) async throws {
        guard let bytes = try compressed(with: program, String(repeating: " ", count: 132 << 20)) else { return }
        let failure = await #expect(throws: Failure.self) { try await TemporaryList.read(bytes) }
        #expect(failure?.cause == .encodingBomb, "\(String(describing: failure))")
    }

    /// A list without records that never ended was stored until the disk was full.
    @Test("Reading ends if a list has no record for too long", arguments: ["# none\n", "\n", "x"])
    func withoutRecords(text: String) throws {
        let input = EndlessInput(text)
        var buffer = ListBuffer(input, bytesBetweenRecords: 2 << 20, token: CancellationToken())
        var format = AddressLinesFormat()
        var more: [Photo] = []
        let failure = #expect(throws: Failure.self) { try format.next(from: &buffer, more: &more) }
        #expect(failure?.cause == .feedParse && failure?.detail.contains("no record in 2 MiB") == true)
        #expect(input.bytesRead < 3 << 20)
    }

    @Test("A list may be of any length as long as it has records")
    func records() async throws {
        let line = "https://a.test/" + String(repeating: "x", count: 1 << 19) + "\n"
        let content = ListContent.text { () throws(FileError) in EndlessInput(line, count: 260) }
        let feed = ListFeed("list", content: content, options: ListOptions())
        var walker = PageWalker(feed)
        var count = 0
        while let page = try await walker.nextPage(token: CancellationToken()) { count += page.photos.count }
        #expect(count == 260)
    }
}
