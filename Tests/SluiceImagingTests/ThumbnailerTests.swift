// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceImaging

@Suite("Thumbnailer", .timeLimit(.minutes(10))) struct ThumbnailerTests {
    @Test(
        "The same file gives the same bytes, from memory and from disk",
        arguments: ImageFormat.allCases.filter(\.isSupported))
    func deterministic(format: ImageFormat) throws {
        let folder = try TemporaryFolder()
        let file = try Pictures.file(format, Pictures.landscape(320, 200))
        try Data(file).write(to: folder.url.appending(path: "picture"))
        let handle = try FileHandle(forReadingFrom: folder.url.appending(path: "picture"))
        let first = try Thumbnailer().thumbnails(of: file)
        #expect(try Thumbnailer().thumbnails(ofFileAt: handle.fileDescriptor) == first)
        #expect(try Thumbnailer().thumbnails(ofFileAt: handle.fileDescriptor) == first)
    }

    @Test("`auto` writes a JPEG, and a PNG only for what is transparent")
    func auto() throws {
        func format(_ raster: Raster) throws -> ImageFormat? {
            try Thumbnailer().thumbnails(of: Pictures.file(.png, raster)).thumbnails.first?.format
        }
        #expect(try format(Pictures.landscape(9, 9)) == .jpeg)
        #expect(try format(Pictures.plain(9, 9, .rgba, [1, 2, 3, 255])) == .jpeg)
        #expect(try format(Pictures.plain(9, 9, .rgba, [1, 2, 3, 254])) == .png)
    }

    @Test("The colour is one that the picture has")
    func color() throws {
        let picture = Pictures.make(60, 60, .rgb) { x, _ in x < 40 ? [0x20, 0x60, 0xA0] : [0xFF, 0xF0, 0x10] }
        #expect(try Thumbnailer().thumbnails(of: Pictures.file(.png, picture)).color == "#2060a0")
    }

    @Test("Without sizes a file is only checked")
    func checkOnly() throws {
        var options = ThumbnailOptions()
        options.sizes = []
        let result = try Thumbnailer(options).thumbnails(of: Pictures.file(.webp))
        #expect(result.thumbnails.isEmpty && result.color == nil && result.info.width == 24)
    }

    @Test("A broken colour profile is a note")
    func brokenProfile() throws {
        let picture = Pictures.plain(8, 8, .rgb, [200, 30, 30])
        let broken = Files.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 200))
        let file = Files.jpeg(try Pictures.file(.jpeg, picture), inserting: broken)
        let result = try Thumbnailer().thumbnails(of: file)
        #expect(result.info.hasProfile && result.notes == ["colour profile ignored: broken"])
    }

    @Test("Colours go through their profile to sRGB", arguments: [ImageFormat.jpeg, .png, .webp])
    func profile(format: ImageFormat) throws {
        // Red and blue have changed places in this profile, so they do so in the thumbnail.
        let profile = Profiles.rgb(red: Profiles.blue, blue: Profiles.red)
        let file = try Self.file(Pictures.plain(16, 16, .rgb, [200, 60, 30]), format, profile)
        var options = ThumbnailOptions()
        options.format = .png
        let result = try Thumbnailer(options).thumbnails(of: file)
        #expect(result.info.hasProfile && result.notes.isEmpty)
        let pixel = try decode(result.thumbnails[0].bytes).pixel(8, 8)
        #expect(zip(pixel, [30, 60, 200]).allSatisfy { abs($0 - $1) <= 8 }, "\(pixel)")
    }

    @Test("A thumbnailer that many share gives each the same, however many profiles it meets")
    func shared() async throws {
        let files = try (0..<20).map { number in
            let profile = Profiles.rgb(red: [0.4 + Double(number) / 100, 0.22, 0.01])
            return try Self.file(Pictures.plain(8, 8, .rgb, [200, 60, 30]), .jpeg, profile)
        }
        let thumbnailer = Thumbnailer()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<80 {
                group.addTask {
                    let file = files[number % 20]
                    return try thumbnailer.thumbnails(of: file) == Thumbnailer().thumbnails(of: file)
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }

    private static func file(_ picture: Raster, _ format: ImageFormat, _ profile: [UInt8]) throws -> [UInt8] {
        let file = try Pictures.file(format, picture)
        switch format {
        case .jpeg:
            let halves = [profile.prefix(100), profile.dropFirst(100)]
            // The parts come in the wrong order; their numbers tell the right one.
            let segments = [1, 0].flatMap {
                Files.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8($0 + 1), 2] + halves[$0])
            }
            return Files.jpeg(file, inserting: segments)
        case .png:
            let chunk = Files.chunk("iCCP", Array("test\0\0".utf8) + Files.zlib(profile))
            return Array(file.prefix(33)) + chunk + file.dropFirst(33)
        default:
            return Files.extendedWebP(
                file, width: picture.width, height: picture.height, flags: 0x20,
                before: Files.riffChunk("ICCP", profile))
        }
    }

    @Test("A thumbnail carries no metadata")
    func noMetadata() throws {
        var encoder = PictureEncoder(.jpeg)
        encoder.orientation = 6
        let file = try encoder.encode(Pictures.landscape(40, 40))
        #expect(try ImageInfo(bytes: file).orientation == 6)
        #expect(try ImageInfo(bytes: Thumbnailer().thumbnails(of: file).thumbnails[0].bytes).orientation == 1)
    }
}
