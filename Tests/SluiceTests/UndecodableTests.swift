// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

/// Originals of formats that Sluice recognises but cannot decode.
@Suite("Originals without thumbnails", .timeLimit(.minutes(5))) struct UndecodableTests {
    private let folder: TemporaryFolder

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
        folder = try TemporaryFolder()
        let photo = try ImageEncoder(.jpeg).encode(
            [UInt8](repeating: 128, count: 4 * 64 * 48), width: 64, height: 48)
        for (name, bytes) in [("a.tif", Self.tiff), ("b.psd", Self.psd), ("c.svg", Self.svg), ("d.jpg", photo)] {
            let url = folder.url.appending(path: "in/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        }
    }

    private func run(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> Summary {
        var options = MirrorOptions()
        options.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)]
        change(&options)
        return try await PhotoMirror(of: folder.path("in"), into: folder.path("out"), options: options).run()
    }

    private func manifest() throws -> [JSON] {
        try folder.bytes(of: "out/manifest.jsonl").split(separator: UInt8(ascii: "\n")).map {
            try JSON(parsing: Array($0))
        }
    }

    /// Such files were downloaded, thrown away and reported as failures that cannot be recovered.
    @Test("They are kept, hashed and listed with the reason, and are no failures")
    func kept() async throws {
        let summary = try await run()
        #expect((summary.done, summary.failed, summary.undecodable, summary.salvaged) == (4, 0, 3, 0))
        #expect(summary.unsupportedFormats == ["tiff": 1, "psd": 1, "svg": 1])
        let lines = try manifest()
        for (line, bytes) in zip(lines, [Self.tiff, Self.psd, Self.svg]) {
            #expect(line["state"]?.text == "done" && line["cause"]?.text == "unsupported")
            #expect(line["sha256"]?.text == sha256(bytes) && line["thumbs"] == nil)
            #expect(try folder.bytes(of: "out/\(line["file"]?.text ?? "")") == bytes)
        }
        #expect(lines.map { $0["format"]?.text } == ["tiff", "psd", "svg", "jpeg"])
        #expect(lines.map { $0["width"]?.integer } == [40, 60, nil, 64])
        #expect(lines.map { $0["height"]?.integer } == [30, 50, nil, 48])
        // The page shows no foreign document as a picture, and offers it as a download only.
        let page = String(decoding: try folder.bytes(of: "out/index.html"), as: UTF8.self)
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
        try Data(Self.tiff).write(to: folder.url.appending(path: "in/d.jpg"))
        let second = try await run()
        #expect((second.done, second.kept, second.undecodable) == (1, 3, 4))
        let files = folder.names().filter { $0.hasPrefix("out/originals/00004") || $0.hasPrefix("out/thumbs/32/") }
        #expect(files == ["out/originals/00004-d.tiff"])
    }
}
