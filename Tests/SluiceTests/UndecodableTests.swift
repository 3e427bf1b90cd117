// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Originals of formats that Sluice recognises but cannot decode.
@Suite("Originals without thumbnails", .timeLimit(.minutes(5))) struct UndecodableTests {
    private let folder = TemporaryFolder()

    /// A TIFF of 40x30 pixels, whose directory has two entries and no pixels.
    private static let tiff: [UInt8] =
        Array("II*\0".utf8) + [
            8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 40, 0, 0, 0, 1, 1, 3, 0, 1, 0, 0, 0, 30, 0, 0, 0,
        ]
        + [0, 0, 0, 0] + [UInt8](repeating: 7, count: 100)
    private static let psd: [UInt8] =
        Array("8BPS".utf8) + [0, 1] + [UInt8](repeating: 0, count: 6) + [0, 3, 0, 0, 0, 50, 0, 0, 0, 60, 0, 8, 0, 3]
        + [UInt8](repeating: 0, count: 100)
    private static let svg = Array("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8)

    init() throws {
        let photo = try ImageEncoder(.jpeg).encode(
            [UInt8](repeating: 128, count: 4 * 64 * 48), width: 64, height: 48)
        for (name, bytes) in [("a.tif", Self.tiff), ("b.psd", Self.psd), ("c.svg", Self.svg), ("d.jpg", photo)] {
            try folder.write(bytes, to: "in/\(name)")
        }
    }

    private func run(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> Summary {
        var options = MirrorOptions()
        options.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)]
        change(&options)
        return try await PhotoMirror(of: folder.path("in"), into: folder.path("out"), options: options).run()
    }

    /// Such files were downloaded, thrown away and reported as failures that cannot be recovered.
    @Test("They are kept, hashed and listed with the reason, and are no failures")
    func kept() async throws {
        let summary = try await run()
        #expect((summary.done, summary.failed, summary.undecodable, summary.salvaged) == (4, 0, 3, 0))
        #expect(summary.unsupportedFormats == ["tiff": 1, "psd": 1, "svg": 1])
        let lines = try folder.manifest()
        for (line, bytes) in zip(lines, [Self.tiff, Self.psd, Self.svg]) {
            #expect(line["state"]?.text == "done" && line["cause"]?.text == "unsupported")
            #expect(line["sha256"]?.text == sha256(bytes) && line["thumbs"] == nil)
            #expect(try folder.bytes(of: "out/\(line["file"]?.text ?? "")") == bytes)
        }
        #expect(lines.map { $0["format"]?.text } == ["tiff", "psd", "svg", "jpeg"])
        #expect(lines.map { $0["width"]?.integer } == [40, 60, nil, 64])
        #expect(lines.map { $0["height"]?.integer } == [30, 50, nil, 48])
        // The page shows no foreign document as a picture, and offers it as a download only.
        let page = try folder.text("out/index.html")
        #expect(!page.contains("src=\"originals/") && !page.contains(".svg\">"))
    }

    @Test("The next run keeps them, and so does one with other thumbnails")
    func repeated() async throws {
        _ = try await run()
        let before = try folder.bytes(of: "out/manifest.jsonl")
        let second = try await run()
        #expect((second.done, second.kept, second.failed, second.undecodable) == (0, 4, 0, 3))
        #expect(try folder.bytes(of: "out/manifest.jsonl") == before)
        let third = try await run { $0.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)] }
        #expect((third.done, third.kept, third.failed) == (1, 3, 0))
        let fourth = try await run { $0.thumbnails.sizes = [] }
        #expect((fourth.kept, fourth.failed) == (4, 0))
    }

    @Test("They fail if only decodable photos or no originals are wanted", arguments: [true, false])
    func refused(keepsOriginals: Bool) async throws {
        let summary = try await run { options in
            options.keepsUndecodable = !keepsOriginals
            options.keepsOriginals = keepsOriginals
        }
        #expect((summary.done, summary.failed, summary.undecodable) == (1, 3, 0))
        #expect(summary.causes == [.unsupported: 3])
    }

    @Test("A merge accepts the paths of their originals, and no others")
    func paths() throws {
        var receipt = Receipt(.done, failure: Failure(.unsupported, ""))
        for (path, isAccepted) in [("originals/a.tiff", true), ("originals/a.svg", true), ("originals/a.html", false)] {
            receipt.original = StoredFile(path: path, bytes: 1, sha256: "")
            #expect(OutputPath.matches(receipt, named: "a") == isAccepted)
        }
    }

    @Test("A file that becomes one loses its thumbnails")
    func replaced() async throws {
        _ = try await run()
        try folder.write(Self.tiff, to: "in/d.jpg")
        let second = try await run()
        #expect((second.done, second.kept, second.undecodable) == (1, 3, 4))
        let files = folder.names().filter { $0.hasPrefix("out/originals/00004") || $0.hasPrefix("out/thumbs/32/") }
        #expect(files == ["out/originals/00004-d.tiff"])
    }
}

/// Truncated pictures in responses that are valid HTTP: row A4 of the fault table.
@Suite("Truncated pictures", .timeLimit(.minutes(10))) struct CutPictureTests {
    private let folder = TemporaryFolder()

    private func reply(_ bytes: some Sequence<UInt8>, announced: Bool) -> [RawServer.Step] {
        let bytes = Array(bytes)
        let length = announced ? "Content-Length: \(bytes.count)\r\n" : ""
        return [.text("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n\(length)\r\n"), .raw(bytes)]
    }

    /// Mirrors one photo whose host sends these responses in order, and returns the requests.
    private func mirror(
        _ replies: [[RawServer.Step]], retries: Int, sizes: [ThumbnailSize] = []
    ) async throws -> (Summary, [String]) {
        let server = try RawServer(sequences: ["/x": replies])
        return (try await mirror(from: server, retries: retries, sizes: sizes), server.requests)
    }

    private func mirror(from server: RawServer, retries: Int, sizes: [ThumbnailSize]) async throws -> Summary {
        try folder.write("\(server.url("/x"))\n", to: "list.txt")
        let options = MirrorOptions.loopback(server.port) {
            ($0.thumbnails.sizes, $0.retries, $0.network.respectsRobotsTxt) = (sizes, retries, false)
        }
        return try await PhotoMirror(of: folder.path("list.txt"), into: folder.path("out"), options: options).run()
    }

    private static let pictures = Result {
        try ImageFormat.encodable.map {
            try ImageEncoder($0).encode(
                (0..<4 * 64 * 64).map { UInt8(truncatingIfNeeded: $0 &* $0) }, width: 64, height: 64)
        }
    }

    @Test(
        "A truncated picture is downloaded again in the same run", arguments: ImageFormat.encodable.indices,
        [true, false])
    func again(format: Int, announced: Bool) async throws {
        let picture = try Self.pictures.get()[format]
        let cut = picture.dropLast(picture.count / 3)
        let (summary, requests) = try await mirror(
            [reply(cut, announced: announced), reply(picture, announced: announced)], retries: 1)
        #expect(summary.done == 1 && summary.failed == 0, "\(summary)")
        #expect(requests.count == 2 && !requests.joined().contains("Range"), "the truncated photo is not stored")
        let name = try #require(folder.names().first { $0.hasPrefix("out/originals/") })
        #expect(try folder.bytes(of: name) == picture)
    }

    @Test("A picture that is truncated identically twice is not retried; otherwise all attempts are made")
    func never() async throws {
        let picture = try Self.pictures.get()[0]
        let same = reply(picture.dropLast(100), announced: true)
        let (stubborn, asked) = try await mirror([same], retries: 3)
        #expect(stubborn.causes == [.truncated: 1] && asked.count == 2)
        let others = (1...9).map { reply(picture.dropLast($0 * 10), announced: true) }
        let (fickle, askedAgain) = try await mirror(others, retries: 2)
        #expect(fickle.causes == [.truncated: 1] && askedAgain.count == 3)
        #expect(!folder.names().contains { $0.hasPrefix("out/originals/") || $0.hasPrefix("out/.sluice/partial/") })
    }

    @Test(
        "A picture without its end marker is downloaded again, and done if the host has no other bytes",
        arguments: [0, 1])
    func missingEnd(format: Int) async throws {
        let picture = try Self.pictures.get()[format]
        let size = ThumbnailSize(width: 16, height: 16)
        let endless = Array(picture.dropLast(format == 0 ? 2 : 12))
        let (stubborn, asked) = try await mirror([reply(endless, announced: true)], retries: 3, sizes: [size])
        #expect((stubborn.done, stubborn.salvaged, stubborn.notes) == (1, 1, 1) && asked.count == 2)
        let name = try #require(folder.names().first { $0.hasPrefix("out/originals/") })
        #expect(try folder.bytes(of: name) == endless)
        let manifest = try folder.text("out/manifest.jsonl")
        #expect(manifest.contains("\"cause\":\"truncated\""), "\(manifest)")
        let faults = Locked<[FileFault]>([])
        let report = try await Verification(of: folder.path("out"), isDeep: true).run { fault in
            faults.withLock { $0.append(fault) }
        }
        let found = faults.withLock { $0 }
        #expect(found.map(\.kind) == [.incomplete] && found.map { "out/\($0.path)" } == [name] && report.isSound)
    }

    @Test("A later run asks again for the whole of a picture without its end marker, and loses nothing if it fails")
    func laterRuns() async throws {
        let picture = try Self.pictures.get()[0]
        let endless = reply(picture.dropLast(2), announced: false)
        let gone = [RawServer.Step.text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]
        let server = try RawServer(
            sequences: ["/x": [endless, endless, gone, endless, reply(picture, announced: true)]])
        var requests = 0
        for (done, kept, salvaged, asked) in [(1, 0, 1, 2), (0, 0, 0, 1), (1, 0, 1, 1), (1, 0, 0, 1), (0, 1, 0, 0)] {
            let summary = try await mirror(
                from: server, retries: 3, sizes: [ThumbnailSize(width: 16, height: 16)])
            #expect((summary.done, summary.kept, summary.salvaged) == (done, kept, salvaged), "\(summary)")
            #expect(server.requests.count - requests == asked)
            requests = server.requests.count
        }
        #expect(!server.requests.joined().contains("If-None-Match"))
        let name = try #require(folder.names().first { $0.hasPrefix("out/originals/") })
        #expect(try folder.bytes(of: name) == picture)
    }

    @Test("A picture that lacks more than its end marker fails, and leaves no original")
    func missingMore() async throws {
        let picture = try Self.pictures.get()[0]
        let cut = Array(picture.dropLast(9))
        let size = ThumbnailSize(width: 16, height: 16)
        let (summary, asked) = try await mirror([reply(cut, announced: true)], retries: 3, sizes: [size])
        #expect(summary.causes == [.truncated: 1] && asked.count == 2)
        #expect(!folder.names().contains { $0.hasPrefix("out/originals/") || $0.hasPrefix("out/.sluice/partial/") })
        let (again, _) = try await mirror([reply(picture, announced: true)], retries: 0, sizes: [size])
        #expect((again.done, again.failed) == (1, 0))
    }
}
