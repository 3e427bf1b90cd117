// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

/// Pictures that exceed the limits of a decode: row D1 of the fault table.
@Suite("Large pictures", .timeLimit(.minutes(10))) struct LargePictureTests {
    private let folder = TemporaryFolder()

    /// A complete grey JPEG of 10240x10240 pixels in 400 kB: each block takes two bits.
    private static let large: [UInt8] = {
        func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
        }
        let quantizers = segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
        let frame = segment(0xC0, [8, 0x28, 0, 0x28, 0, 1, 1, 0x11, 0])
        // One code of one bit: no difference between the means of blocks, and the end of a block.
        let codes = [UInt8(1)] + [UInt8](repeating: 0, count: 16)
        let tables = segment(0xC4, [0] + codes) + segment(0xC4, [0x10] + codes)
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0])
        return [0xFF, 0xD8] + quantizers + frame + tables + scan
            + [UInt8](repeating: 0, count: 1280 * 1280 * 2 / 8) + [0xFF, 0xD9]
    }()

    init() throws {
        try write(Self.large, "a.jpg")
        try write(
            ImageEncoder(.jpeg).encode([UInt8](repeating: 128, count: 4 * 64 * 48), width: 64, height: 48), "b.jpg")
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try folder.write(bytes, to: "in/\(name)")
    }

    private func run(
        of source: String = "in", pixels: Int? = nil, sizes: [Int] = [32],
        _ change: (inout MirrorOptions) -> Void = { _ in }
    ) async throws -> Summary {
        var options = MirrorOptions()
        options.thumbnails.sizes = sizes.map { ThumbnailSize(width: $0, height: $0) }
        if let pixels { options.thumbnails.limits.pixels = pixels }
        // A busy machine must not end a decode.
        options.thumbnails.limits.seconds = 600
        change(&options)
        return try await PhotoMirror(of: folder.path(source), into: folder.path("out"), options: options).run()
    }

    private var thumbs: [String] { folder.names().filter { $0.hasPrefix("out/thumbs/") && $0.hasSuffix(".jpg") } }

    /// They were thrown away with the cause `too-many-pixels`.
    @Test("Their originals are kept and listed with the reason, and are no failures")
    func kept() async throws {
        let summary = try await run()
        #expect((summary.done, summary.failed, summary.undecodable, summary.overLimit) == (2, 0, 1, 1))
        let line = try #require(try folder.manifest().first)
        #expect(line["state"]?.text == "done" && line["cause"]?.text == "too-many-pixels")
        #expect(line["detail"]?.text == "10240x10240 (limit 100000000)")
        #expect(line["sha256"]?.text == sha256(Self.large) && line["thumbs"] == nil)
        #expect((line["width"]?.integer, line["height"]?.integer) == (10240, 10240))
        #expect(try folder.bytes(of: "out/originals/00001-a.jpg") == Self.large)
        #expect(thumbs == ["out/thumbs/32/00002-b.jpg"])
        let second = try await run()
        #expect((second.done, second.kept, second.failed, second.undecodable) == (0, 2, 0, 1))
    }

    @Test("Without thumbnails there is no limit")
    func withoutThumbnails() async throws {
        let summary = try await run(pixels: 1, sizes: [])
        #expect((summary.done, summary.failed, summary.undecodable) == (2, 0, 0))
        #expect(try folder.manifest().allSatisfy { $0["cause"] == nil })
    }

    @Test("A later run with a higher limit makes their thumbnails without another download", arguments: [true, false])
    func raised(retries: Bool) async throws {
        let reply = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(Self.large.count)\r\n\r\n"
        let server = try RawServer(sequences: ["/x": [[.text(reply), .raw(Self.large)]]])
        try folder.write("\(server.url("/x"))\n", to: "list.txt")
        func run(_ change: (inout MirrorOptions) -> Void) async throws -> Summary {
            try await self.run(of: "list.txt") { options in
                options.network.allowsPrivate = true
                options.network.allowedPorts = [Int(server.port)]
                options.network.respectsRobotsTxt = false
                change(&options)
            }
        }
        #expect(try await run { _ in }.overLimit == 1)
        let summary = try await run {
            $0.thumbnails.limits.pixels = 1_000_000_000
            $0.retriedCauses = retries ? CauseSet("too-many-pixels") : nil
        }
        #expect((summary.done, summary.failed, summary.reused, summary.bytesReceived) == (1, 0, 1, 0), "\(summary)")
        #expect(server.requests.count == 1 && thumbs.count == 1, "\(server.requests)")
        #expect(try folder.manifest().allSatisfy { $0["cause"] == nil })
    }

    @Test("They fail if only decodable photos or no originals are wanted", arguments: [true, false])
    func refused(keepsOriginals: Bool) async throws {
        let summary = try await run { options in
            options.keepsUndecodable = !keepsOriginals
            options.keepsOriginals = keepsOriginals
        }
        #expect((summary.done, summary.failed, summary.causes) == (1, 1, [.tooManyPixels: 1]))
    }

    @Test("A lower limit takes no thumbnails away that a photo has")
    func lowered() async throws {
        _ = try await run(pixels: 1_000_000_000)
        let before = thumbs
        let summary = try await run(sizes: [16])
        #expect((summary.done, summary.failed, summary.causes) == (1, 1, [.tooManyPixels: 1]))
        #expect(before.count == 2 && Set(thumbs).isSuperset(of: before))
        #expect(try folder.manifest().allSatisfy { $0["state"]?.text == "done" && $0["cause"] == nil })
    }

    @Test("They are kept only if they are complete", arguments: [false, true])
    func cut(salvages: Bool) async throws {
        try write(Self.large.dropLast(2).map(\.self), "a.jpg")
        let summary = try await run { $0.thumbnails.salvages = salvages }
        #expect((summary.done, summary.failed, summary.causes) == (1, 1, [.truncated: 1]))
    }

    @Test("An original whose decode exceeds the memory limit is kept, and a later run with more memory decodes it")
    func memory() async throws {
        let pixels = (0..<4 * 1000 * 1000).map { UInt8(truncatingIfNeeded: $0 / 4 &* 37) }
        try write(ImageEncoder(.webp).encode(pixels, width: 1000, height: 1000), "a.jpg")
        let summary = try await run { $0.memory = 2_000_000 }
        #expect((summary.done, summary.failed, summary.overLimit) == (2, 0, 1))
        #expect(try folder.manifest().map { $0["cause"]?.text } == ["decode-limit", nil])
        let second = try await run()
        #expect((second.done, second.reused, second.kept, second.failed) == (1, 1, 1, 0))
    }

    @Test("A diagnosis lists them beside the failures")
    func diagnosis() async throws {
        _ = try await run()
        let diagnosis = try PhotoMirror.explain(folder.path("out"))
        #expect((diagnosis.done, diagnosis.failed, diagnosis.success) == (2, 0, 1))
        #expect(diagnosis.groups.map(\.cause) == [.tooManyPixels] && diagnosis.groups.map(\.state) == [.done])
        #expect(diagnosis.groups.map(\.detail) == ["10240x10240 (limit 100000000)"])
    }
}
