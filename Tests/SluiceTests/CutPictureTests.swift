// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Truncated pictures in responses that are valid HTTP: row A4 of the fault table.
@Suite("Truncated pictures", .timeLimit(.minutes(10))) struct CutPictureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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
        defer { server.stop() }
        return (try await mirror(from: server, retries: retries, sizes: sizes), server.requests)
    }

    private func mirror(from server: RawServer, retries: Int, sizes: [ThumbnailSize]) async throws -> Summary {
        try Data("\(server.url("/x"))\n".utf8).write(to: folder.url.appending(path: "list.txt"))
        var options = MirrorOptions()
        options.thumbnails.sizes = sizes
        options.retries = retries
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(server.port)]
        options.network.respectsRobotsTxt = false
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
        let manifest = try String(decoding: folder.bytes(of: "out/manifest.jsonl"), as: UTF8.self)
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
        defer { server.stop() }
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
