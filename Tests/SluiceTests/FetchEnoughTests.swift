// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Runs that download only as much of an original as its thumbnails need.
@Suite("Sufficient downloads", .timeLimit(.minutes(10))) struct FetchEnoughTests {
    private let folder = TemporaryFolder()
    /// A photo, and the number of its bytes that suffice for a thumbnail of 60 pixels.
    private let photo: [UInt8]
    private let count: Int

    init() throws {
        let photo = try Self.photo(isProgressive: true)
        var prefix = SufficientPrefix(Self.options().thumbnails)
        prefix.receive(photo.span)
        self.photo = photo
        count = prefix.count ?? 0
    }

    /// A noisy picture, so that the file is large.
    private static func photo(isProgressive: Bool, width: Int = 480, height: Int = 360) throws -> [UInt8] {
        var random: UInt32 = 1
        let pixels = (0..<width * height * 4).map { index in
            random = random &* 1_664_525 &+ 1_013_904_223
            return index % 4 == 3 ? 255 : UInt8((index / 16 % 160) + Int(random >> 26))
        }
        var encoder = ImageEncoder(.jpeg)
        (encoder.quality, encoder.isProgressive) = (90, isProgressive)
        return try encoder.encode(pixels, width: width, height: height)
    }

    private static func options(_ mode: ThumbnailOptions.QualityMode = .good) -> MirrorOptions {
        var options = MirrorOptions()
        options.thumbnails.qualityMode = mode
        options.thumbnails.sizes = [ThumbnailSize(width: 60, height: 60)]
        options.thumbnails.format = .fixed(.png)
        options.network.allowsPrivate = true
        options.keepsOriginals = false
        options.fetch = .enough
        return options
    }

    private func run(
        _ server: RawServer, checksum: String? = nil, _ change: (inout MirrorOptions) -> Void = { _ in }
    ) async throws -> Summary {
        let list = checksum.map { "url,sha256\n\(server.url("/a.jpg")),\($0)\n" } ?? "\(server.url("/a.jpg"))\n"
        let name = checksum == nil ? "list.txt" : "list.csv"
        var options = Self.options()
        options.network.allowedPorts = [Int(server.port)]
        change(&options)
        return try await PhotoMirror(of: folder.write(list, to: name), into: folder.path("out"), options: options).run()
    }

    private func head(_ size: Int) -> RawServer.Step {
        .text("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\nConnection: close\r\n\r\n")
    }

    /// Sends all of a file.
    private func whole(_ file: [UInt8]) -> [RawServer.Step] { [head(file.count), .raw(file)] }

    private func thumbnail() throws -> [UInt8] {
        let name = try #require(folder.names().first { $0.hasPrefix("out/thumbs/60/") })
        return try folder.bytes(of: name)
    }

    private func thumbnail(of file: [UInt8], _ mode: ThumbnailOptions.QualityMode = .good) throws -> [UInt8] {
        try Thumbnailer(Self.options(mode).thumbnails).thumbnails(of: file).thumbnails[0].bytes
    }

    /// Returns a photo with an orientation and a preview, and the size of the part before its pixels.
    private static func photo(preview: [UInt8]) throws -> (file: [UInt8], start: Int) {
        var block = PreviewBlock(preview, of: (480, 360))
        block.orientation = 6
        let file = block.inserted(into: try photo(isProgressive: false))
        // The last of these markers is the photo's own.
        let scan = file.ranges(of: [0xFF, 0xDA]).last?.lowerBound ?? 0
        return (file, scan + 14)
    }

    @Test("A run stops after the needed scans, keeps the thumbnail, and makes it again from the whole file on request")
    func stops() async throws {
        // Enough for the run to recognise the end of the last needed scan; the rest would never arrive.
        let part = Array(photo[..<(count + 2)])
        let server = try RawServer(sequences: ["/a.jpg": [[head(photo.count), .raw(part), .hang], whole(photo)]])
        let first = try await run(server)
        #expect((first.done, first.partial, first.bytesReceived) == (1, 1, part.count))
        #expect(first.parts.keys.elementsEqual([.scans]) && first.parts[.scans]?.items == 1)
        #expect(first.bytesUnneeded == photo.count - part.count && first.bytesUnneeded > photo.count * 2 / 5)
        #expect(try thumbnail() == thumbnail(of: Array(photo[..<count]) + [0xFF, 0xD9]))
        // No digest or size of the part is recorded.
        let manifest = try JSON(parsing: folder.bytes(of: "out/manifest.jsonl"))
        #expect(manifest["sha256"] == nil && manifest["bytes"] == nil && manifest["width"]?.integer == 480)
        let verification = try await Verification(of: folder.path("out"), isDeep: true).run { _ in }
        #expect(verification.isSound)

        #expect(try await run(server).kept == 1)
        #expect(server.requests.count { $0.contains("/a.jpg") } == 1)
        let third = try await run(server) { $0.fetch = .whole }
        #expect((third.done, third.partial, third.bytesReceived) == (1, 0, photo.count))
        #expect(try thumbnail() == thumbnail(of: photo))
        // Thumbnails of the whole file are good enough.
        #expect(try await run(server).kept == 1)
    }

    @Test("A run for fast thumbnails stops after the preview, and keeps the photo's own facts")
    func preview() async throws {
        let (photo, start) = try Self.photo(preview: Self.photo(isProgressive: false, width: 80, height: 60))
        let server = try RawServer(["/a.jpg": [head(photo.count), .raw(Array(photo[..<start])), .hang]])
        let first = try await run(server) { $0.thumbnails.qualityMode = .fast }
        #expect((first.done, first.partial, first.bytesReceived) == (1, 1, start))
        let count = try #require(first.parts[.preview])
        #expect(first.parts.count == 1 && count.items == 1 && count.bytesUnneeded == photo.count - start)
        #expect(first.bytesUnneeded == count.bytesUnneeded)
        var prefix = SufficientPrefix(Self.options(.fast).thumbnails)
        prefix.receive(photo.span)
        let part = Array(photo[..<(try #require(prefix.count))]) + prefix.ending
        #expect(try thumbnail() == thumbnail(of: part, .fast))
        let manifest = try JSON(parsing: folder.bytes(of: "out/manifest.jsonl"))
        #expect([manifest["width"], manifest["height"], manifest["orientation"]].map { $0?.integer } == [480, 360, 6])
        #expect(manifest["sha256"] == nil && manifest["thumbs"]?.elements?.first?["width"]?.integer == 45)
        let report = try JSON(parsing: folder.bytes(of: "out/report.json"))
        #expect(report["parts"]?["preview"]?["bytes_unneeded"]?.integer == count.bytesUnneeded)
        #expect(try Schema("report").allows(report))

        #expect(try await run(server) { $0.thumbnails.qualityMode = .fast }.kept == 1)
        #expect(server.requests.count { $0.contains("/a.jpg") } == 1)
    }

    @Test("If the preview turns out to be damaged, the whole photo is downloaded")
    func damagedPreview() async throws {
        let intact = try Self.photo(isProgressive: false, width: 80, height: 60)
        let (photo, start) = try Self.photo(preview: Array(intact.dropLast(intact.count / 3)) + [0xFF, 0xD9])
        let server = try RawServer(
            sequences: ["/a.jpg": [[head(photo.count), .raw(Array(photo[..<start])), .hang], whole(photo)]])
        let summary = try await run(server) { $0.thumbnails.qualityMode = .fast }
        #expect((summary.done, summary.partial, summary.notes, summary.bytesReceived) == (1, 0, 1, photo.count))
        #expect(try thumbnail() == thumbnail(of: photo, .fast))
    }

    @Test("Of a IIIF service, only the smallest sufficient size is requested")
    func smallerSize() async throws {
        let images = try RawServer([
            "/s/full/512,/0/default.jpg": whole(photo), "/t/full/100,75/0/default.jpg": whole(photo),
        ])
        let services = [
            #""id":"$/s","profile":"level1""#, #""id":"$/t","profile":"level0","sizes":[{"width":100,"height":75}]"#,
        ]
        let canvases = services.map {
            #"{"items":[{"items":[{"body":{"type":"Image","id":"$/b.jpg","width":4000,"height":3000,"#
                + #""service":[{"type":"ImageService3",\#($0)}]}}]}]}"#
        }
        let manifest = #"{"id":"m","type":"Manifest","items":[\#(canvases.joined(separator: ","))]}"#
            .replacing("$", with: images.url(""))
        let server = try RawServer(["/m": whole(Array(manifest.utf8))])
        var options = Self.options()
        options.network.allowedPorts = [Int(server.port), Int(images.port)]
        options.network.respectsRobotsTxt = false
        let mirror = PhotoMirror(of: "iiif:\(server.url("/m"))", into: folder.path("out"), options: options)
        #expect(try await mirror.run().done == 2)
        let paths = images.requests.compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(Set(paths) == ["/s/full/512,/0/default.jpg", "/t/full/100,75/0/default.jpg"] && paths.count == 2)
    }

    @Test("A photo with a checksum in the feed is downloaded completely")
    func checksum() async throws {
        let server = try RawServer(["/a.jpg": whole(photo)])
        let summary = try await run(server, checksum: sha256(photo))
        #expect((summary.done, summary.partial, summary.bytesReceived) == (1, 0, photo.count))
        #expect(try thumbnail() == thumbnail(of: photo))
    }

    @Test("A baseline photo is downloaded completely")
    func baseline() async throws {
        let photo = try Self.photo(isProgressive: false)
        let server = try RawServer(["/a.jpg": whole(photo)])
        let summary = try await run(server)
        #expect((summary.done, summary.partial, summary.bytesReceived) == (1, 0, photo.count))
        #expect(try thumbnail() == thumbnail(of: photo))
    }

    @Test("Originals are downloaded completely")
    func originals() async throws {
        let server = try RawServer(["/a.jpg": whole(photo)])
        let summary = try await run(server) { $0.keepsOriginals = true }
        #expect((summary.done, summary.partial) == (1, 0))
        #expect(try folder.names().filter { $0.hasPrefix("out/originals/") }.map(folder.bytes) == [photo])
    }
}
