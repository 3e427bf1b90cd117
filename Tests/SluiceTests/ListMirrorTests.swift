// SPDX-License-Identifier: MIT

import Foundation
import SluiceFeeds
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Whole runs over lists whose photos are on a local demo service.
@Suite("Mirrors of lists", .serialized, .timeLimit(.minutes(10))) struct ListMirrorTests {
    private let folder = TemporaryFolder()

    private func run(_ list: String, port: UInt16) async throws -> (summary: Summary, manifest: [JSON]) {
        try await run(list, .loopback(port))
    }

    private func run(
        _ list: String, _ options: MirrorOptions
    ) async throws -> (summary: Summary, manifest: [JSON]) {
        try folder.write(list, to: "list")
        let summary = try await PhotoMirror(of: folder.path("list"), into: folder.path("out"), options: options).run()
        return (summary, try folder.manifest())
    }

    /// Returns the summary and the lines of a dry run of the source.
    private func rehearsed(_ source: String, _ options: MirrorOptions) async throws -> (Summary, [JSON]) {
        try await PhotoMirror(of: source, into: folder.path("none"), options: options).rehearsed()
    }

    /// Serves a photo to requests with a key, and redirects others to another server.
    private final class KeyedService: OriginService {
        let requests = Locked<[OriginRequest]>([])
        let redirect = Locked<String?>(nil)

        func reply(to request: OriginRequest) -> OriginReply {
            requests.withLock { $0.append(request) }
            if ["/robots.txt", "/.well-known/tdmrep.json"].contains(request.path) { return OriginReply(status: 404) }
            if let address = redirect.withLock(\.self) {
                return OriginReply(status: 302, headers: [OriginHeader("Location", address)])
            }
            let shade = UInt8(truncatingIfNeeded: request.path.utf8.count * 9)
            return OriginReply(type: "image/png", png(shade))
        }

        func keys(of path: String) -> [String?] {
            requests.withLock { $0.filter { $0.path == path }.map { $0.header("x-key") } }
        }
    }

    @Test("Headers of a list are sent to the photo's origin only, and stored nowhere")
    func headers() async throws {
        let (first, second) = (KeyedService(), KeyedService())
        let (near, far) = (try OriginServer(first), try OriginServer(second))
        first.redirect.withLock { $0 = "http://127.0.0.1:\(far.port)/moved.png" }
        var options = MirrorOptions.loopback(near.port)
        options.network.allowedPorts.append(Int(far.port))
        let list = """
            [3, "http://127.0.0.1:\(near.port)/a.png", {"_http_headers": {"X-Key": "secret-7", "Cookie": "secret-8"}}]
            [3, "http://127.0.0.1:\(far.port)/bb.png", {"_http_headers": {"X-Key": "secret-9"}}]
            [3, "http://127.0.0.1:\(far.port)/ccc.png", {}]
            """
        let (summary, manifest) = try await run(list, options)
        #expect(summary.done == 3 && manifest.count == 3, "\(summary)")
        #expect(first.keys(of: "/a.png") == ["secret-7"])
        #expect(second.keys(of: "/moved.png") == [nil])
        #expect(second.keys(of: "/bb.png") == ["secret-9"] && second.keys(of: "/ccc.png") == [nil])
        #expect((first.keys(of: "/robots.txt") + second.keys(of: "/robots.txt")).allSatisfy { $0 == nil })
        for name in folder.names() where name.hasPrefix("out/") {
            guard let bytes = try? folder.bytes(of: name) else { continue }
            #expect(bytes.firstRange(of: Array("secret-".utf8)) == nil, "\(name)")
        }
    }

    @Test(
        "Notes about a photo are reported once, whether or not thumbnails are made", arguments: [[], ["32"]])
    func notes(sizes: [String]) async throws {
        let red = (0..<64).flatMap { _ in [200, 10, 10, 255] as [UInt8] }
        let file = try ImageEncoder(.jpeg).encode(red, width: 8, height: 8)
        let odd = file.prefix(2) + [0xFF, 0xE1, 0, 10] + Array("Exif\0\0??".utf8) + file.dropFirst(2)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(odd.count)\r\nConnection: close\r\n\r\n"
        let server = try RawServer(["/odd.jpg": [.text(head), .raw(Array(odd))]])
        try folder.write("\(server.url("/odd.jpg"))\n", to: "list")
        var options = MirrorOptions.loopback(server.port)
        options.thumbnails.sizes = sizes.compactMap { ThumbnailSize($0) }
        let notes = Locked<[String]>([])
        let summary = try await PhotoMirror(of: folder.path("list"), into: folder.path("out"), options: options).run {
            event in
            if case .itemNoted(_, let note) = event { notes.withLock { $0.append(note) } }
        }
        #expect(summary.done == 1 && summary.notes == 1)
        #expect(notes.withLock { $0 } == ["EXIF ignored: the TIFF header is missing"])
    }

    /// A run of 160 photos ended with success, although 134 files had been removed meanwhile.
    @Test("A run from which another program removes a file ends as damaged, and the next one restores the file")
    func lostFiles() async throws {
        let file = png()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\nConnection: close\r\n\r\n"
        let isRemoved = Locked(false)
        let server = try RawServer([
            "/1.png": [.text(head), .raw(file)],
            "/2.png": [.until { isRemoved.withLock { $0 } }, .text(head), .raw(file)],
        ])
        try folder.write("\(server.url("/1.png"))\n\(server.url("/2.png"))\n", to: "list")
        let mirror = PhotoMirror(of: folder.path("list"), into: folder.path("out"), options: .loopback(server.port))
        let out = folder.url.appending(path: "out")
        let first = try await mirror.run { event in
            guard case .itemEnded(_, .done(let receipt)) = event, let path = receipt.original?.path else { return }
            isRemoved.withLock { isRemoved in
                if !isRemoved { try? FileManager.default.removeItem(at: out.appending(path: path)) }
                isRemoved = true
            }
        }
        guard case .damaged(let failure)? = first.stop else { return #expect(first.stop != nil) }
        #expect(failure.detail.contains("1 of the 2 photos"), "\(failure.detail)")
        let second = try await PhotoMirror(
            of: folder.path("list"), into: folder.path("out"), options: .loopback(server.port)
        ).run()
        #expect(second.stop == nil && second.done == 1 && second.kept == 1)
    }

    @Test("Checksums of a list are verified, an invalid row fails alone, and the next run keeps done photos")
    func whole() async throws {
        let origin = try DemoOrigin.start()
        var demo = MirrorOptions()
        (demo.pages, demo.perPage, demo.variant) = (1, 3, "thumb")
        let addresses = try await rehearsed("demo", demo).1.compactMap { line in
            line["url"]?.text?.replacing("photos.sluice.test", with: "127.0.0.1:\(origin.port)")
        }
        try #require(addresses.count == 3)
        let zeros = String(repeating: "0", count: 64)
        let rows = [
            "url,caption,sha256", "\(addresses[0]),One,", "nonsense,Two,", "\(addresses[1]),Three,\(zeros)",
            "\(addresses[2]),Four,",
        ]
        let first = try await run(rows.joined(separator: "\n"), port: origin.port)
        #expect((first.summary.done, first.summary.failed) == (2, 2))
        #expect(first.manifest.map { $0["state"]?.text } == ["done", "failed", "failed", "done"])
        #expect(first.manifest.map { $0["cause"]?.text } == [nil, "feed-parse", "corrupt", nil])
        #expect(first.manifest[0]["caption"]?.text == "One" && first.manifest[1]["id"]?.text == "line 3")
        let evidence = try #require(first.manifest[2]["detail"]?.text)
        #expect(evidence.hasPrefix("sha256 is ") && evidence.hasSuffix(zeros))
        #expect(folder.names().filter { $0.hasPrefix("out/originals/") }.count == 2)
        #expect(!folder.names().contains { $0.hasPrefix("out/.sluice/partial/") })
        // With the correct checksum the photo is done. A checksum that differs from the file's causes a new download.
        let real = String(evidence.dropFirst("sha256 is ".count).prefix(64))
        let second = try await run(
            "url,sha256\n\(addresses[0]),\(zeros)\n\(addresses[1]),\(real)\n\(addresses[2]),\n", port: origin.port)
        #expect((second.summary.done, second.summary.kept, second.summary.failed) == (1, 1, 1))
    }

    @Test(
        "Of several checksums the SHA-256 counts, or else the first",
        arguments: [
            ("md5,sha256", "sha256", "done"), ("md5,sha256", "md5", "corrupt"),
            ("md5,sha1", "md5", "done"), ("md5,sha1", "sha1", "corrupt"),
        ])
    func severalChecksums(columns: String, correct: String, end: String) async throws {
        let photo = try ImageEncoder(.jpeg).encode([UInt8](repeating: 99, count: 256), width: 8, height: 8)
        let server = try RawServer(["/a.jpg": Self.reply(photo)])
        let values = try columns.split(separator: ",").map { name in
            let digits = try hash("\(name)sum", photo)
            return name == correct ? digits : String(digits.map { $0 == "0" ? "1" : "0" })
        }
        let list = "url,\(columns)\n\(server.url("/a.jpg")),\(values.joined(separator: ","))\n"
        let (summary, manifest) = try await run(list, port: server.port)
        #expect(summary.done + summary.failed == 1)
        #expect(manifest.map { $0["cause"]?.text ?? "done" } == [end])
    }

    /// Computes a hash with a command, independently of the code under test.
    private func hash(_ command: String, _ bytes: [UInt8]) throws -> String {
        let file = try folder.write(bytes, to: "hashed")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command, file]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }

    private static func reply(_ photo: [UInt8], _ headers: String = "") -> [RawServer.Step] {
        let head = "HTTP/1.1 200 OK\r\n\(headers)Content-Length: \(photo.count)\r\nConnection: close\r\n\r\n"
        return [.text(head), .raw(photo)]
    }

    @Test("A host's opt-out is obeyed by default", arguments: [true, false])
    func optOut(isDefault: Bool) async throws {
        let photo = try ImageEncoder(.jpeg).encode([UInt8](repeating: 99, count: 256), width: 8, height: 8)
        let server = try RawServer(["/a.jpg": Self.reply(photo, "X-Robots-Tag: noai\r\n")])
        var options = MirrorOptions.loopback(server.port)
        if !isDefault { options.network.respectsOptOut = false }
        let (summary, manifest) = try await run("\(server.url("/a.jpg"))\n", options)
        #expect((summary.done, summary.skipped) == (isDefault ? (0, 1) : (1, 0)))
        #expect(manifest.map { $0["cause"]?.text } == [isDefault ? "opted-out" : nil])
    }

    @Test("A corrected line leaves no failed item, and photos with two URLs are reported once")
    func mended() async throws {
        // Refused without a request.
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        let bad = try await run("http://0.0.0.0/1\nnonsense\n", options)
        #expect(bad.manifest.map { $0["id"]?.text } == ["http://0.0.0.0/1", "line 2"])
        let good = try await run("http://0.0.0.0/1\nhttp://0.0.0.0/2\n", options)
        #expect(good.manifest.map { $0["id"]?.text } == ["http://0.0.0.0/1", "http://0.0.0.0/2"])
        let rows = (1...25).map { "a\($0 % 10),http://0.0.0.0/\($0 % 20)" }
        try folder.write("id,url\n\(rows.joined(separator: "\n"))\n", to: "twice")
        let notes = Locked<[String]>([])
        let mirror = PhotoMirror(of: folder.path("twice"), into: folder.path("two"), options: options)
        let summary = try await mirror.run { event in
            if case .note(let note, _) = event { notes.withLock { $0.append(note) } }
        }
        #expect(summary.failed == 10 && summary.pageFailure == nil)
        #expect(
            notes.withLock { $0 }
                == ["the feed lists a1 again with a different URL (and 9 more such records); the first URL is used"])
    }

    @Test("A dry run reads the feed, changes nothing, and selects the same photos as a run")
    func rehearsal() async throws {
        let list = (1...20).map { "https://a.test/\($0)" }.joined(separator: "\n") + "\nnonsense\n"
        try folder.write(list, to: "list")
        var options = MirrorOptions()
        options.selection.positions = PositionRanges("3-5,20-")
        options.selection.filter = try Filter("url!~'/4'")
        let (rehearsal, lines) = try await rehearsed(folder.path("list"), options)
        #expect((rehearsal.causes[.deferred], rehearsal.failed, rehearsal.failedPages) == (3, 1, 0))
        #expect(
            lines.map { $0["id"]?.text } == ["https://a.test/3", "https://a.test/5", "https://a.test/20", "line 21"])
        #expect(lines.map { $0["state"]?.text } == ["skipped", "skipped", "skipped", "failed"])
        #expect(lines.map { $0["seq"]?.integer } == [1, 2, 3, 4])
        #expect(folder.names() == ["list"])
        options.maxItems = 1
        #expect(try await rehearsed(folder.path("list"), options).0.ended == 1)
        options.selection = Selection()
        (options.maxItems, options.variant) = (nil, "huge")
        #expect(try await rehearsed(folder.path("list"), options).0.failed == 21)
    }

    @Test("A run with a selection processes the selected photos")
    func selection() async throws {
        var options = MirrorOptions()
        (options.perPage, options.variant, options.thumbnails.sizes) = (4, "thumb", [])
        options.selection.positions = PositionRanges("3-5,9-10")
        let (_, lines) = try await rehearsed("demo", options)
        let summary = try await PhotoMirror(of: "demo", into: folder.path("out"), options: options).run()
        #expect((summary.done, summary.pages) == (5, 3), "the run stops reading after the last selected position")
        let manifest = try folder.manifest()
        #expect(manifest.map { $0["id"]?.text } == lines.map { $0["id"]?.text })
    }
}
