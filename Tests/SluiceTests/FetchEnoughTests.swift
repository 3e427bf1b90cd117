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
    private let folder: TemporaryFolder
    /// A photo, and the number of its bytes that suffice for a thumbnail of 60 pixels.
    private let photo: [UInt8]
    private let count: Int

    init() throws {
        folder = try TemporaryFolder()
        let photo = try Self.photo(isProgressive: true)
        var prefix = SufficientPrefix(Self.options().thumbnails)
        prefix.receive(photo.span)
        self.photo = photo
        count = prefix.count ?? 0
    }

    /// A noisy picture, so that the file is large.
    private static func photo(isProgressive: Bool) throws -> [UInt8] {
        var random: UInt32 = 1
        let pixels = (0..<480 * 360 * 4).map { index in
            random = random &* 1_664_525 &+ 1_013_904_223
            return index % 4 == 3 ? 255 : UInt8((index / 16 % 160) + Int(random >> 26))
        }
        var encoder = ImageEncoder(.jpeg)
        (encoder.quality, encoder.isProgressive) = (90, isProgressive)
        return try encoder.encode(pixels, width: 480, height: 360)
    }

    private static func options() -> MirrorOptions {
        var options = MirrorOptions()
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
        try Data(list.utf8).write(to: folder.url.appending(path: name))
        var options = Self.options()
        options.network.allowedPorts = [Int(server.port)]
        change(&options)
        return try await PhotoMirror(of: folder.path(name), into: folder.path("out"), options: options).run()
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

    private func thumbnail(of file: [UInt8]) throws -> [UInt8] {
        try Thumbnailer(Self.options().thumbnails).thumbnails(of: file).thumbnails[0].bytes
    }

    @Test("A run stops after the needed scans, keeps the thumbnail, and makes it again from the whole file on request")
    func stops() async throws {
        // Enough for the run to recognise the end of the last needed scan; the rest would never arrive.
        let part = Array(photo[..<(count + 2)])
        let server = try RawServer(sequences: ["/a.jpg": [[head(photo.count), .raw(part), .hang], whole(photo)]])
        defer { server.stop() }
        let first = try await run(server)
        #expect((first.done, first.partial, first.bytesReceived) == (1, 1, part.count))
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

    @Test("Of a IIIF service, only the smallest sufficient size is requested")
    func smallerSize() async throws {
        let images = try RawServer([
            "/s/full/512,/0/default.jpg": whole(photo), "/t/full/100,75/0/default.jpg": whole(photo),
        ])
        defer { images.stop() }
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
        defer { server.stop() }
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
        defer { server.stop() }
        let summary = try await run(server, checksum: sha256(photo))
        #expect((summary.done, summary.partial, summary.bytesReceived) == (1, 0, photo.count))
        #expect(try thumbnail() == thumbnail(of: photo))
    }

    @Test("A baseline photo is downloaded completely")
    func baseline() async throws {
        let photo = try Self.photo(isProgressive: false)
        let server = try RawServer(["/a.jpg": whole(photo)])
        defer { server.stop() }
        let summary = try await run(server)
        #expect((summary.done, summary.partial, summary.bytesReceived) == (1, 0, photo.count))
        #expect(try thumbnail() == thumbnail(of: photo))
    }

    @Test("Originals are downloaded completely")
    func originals() async throws {
        let server = try RawServer(["/a.jpg": whole(photo)])
        defer { server.stop() }
        let summary = try await run(server) { $0.keepsOriginals = true }
        #expect((summary.done, summary.partial) == (1, 0))
        #expect(try folder.names().filter { $0.hasPrefix("out/originals/") }.map(folder.bytes) == [photo])
    }
}
