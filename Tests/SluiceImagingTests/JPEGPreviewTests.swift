// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceImaging

/// EXIF previews that suffice for thumbnails.
@Suite("EXIF previews", .timeLimit(.minutes(10))) struct JPEGPreviewTests {
    private static let preview = try? jpeg(160, 120)
    private let photo: [UInt8]
    private let block: PreviewBlock

    init() throws {
        photo = try Self.jpeg(800, 600)
        block = PreviewBlock(try #require(Self.preview), of: (800, 600))
    }

    /// Encodes the same scene in any size.
    private static func jpeg(_ width: Int, _ height: Int, progressive: Bool = false) throws -> [UInt8] {
        let pixels = (0..<width * height).flatMap { index -> [UInt8] in
            let (x, y) = (index % width * 255 / width, index / width * 255 / height)
            return [UInt8(x), UInt8(y), UInt8((x + y) / 2), 255]
        }
        var encoder = ImageEncoder(.jpeg)
        (encoder.quality, encoder.isProgressive) = (92, progressive)
        return try encoder.encode(pixels, width: width, height: height)
    }

    private static func options(_ side: Int = 128) -> ThumbnailOptions {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: side, height: side)]
        (options.format, options.qualityMode) = (.png, .fast)
        return options
    }

    /// Returns the finder after it has received the bytes in chunks.
    private static func prefix(
        of file: [UInt8], _ options: ThumbnailOptions = options(), chunk: Int = 4096
    ) -> SufficientPrefix {
        var prefix = SufficientPrefix(options)
        for start in stride(from: 0, to: file.count, by: chunk) {
            prefix.receive(file.span.extracting(start..<min(file.count, start + chunk)))
        }
        return prefix
    }

    /// Returns the end of the first scan's header.
    private static func scanStart(of file: [UInt8]) throws -> Int {
        var window = ByteWindow(ImageInput(file))
        var segments = JPEGSegments()
        while let segment = try segments.next(in: &window) {
            if segment.marker == 0xDA { return segment.body.upperBound }
        }
        throw ImagingError(.corrupt, "no scan")
    }

    private static func thumbnail(of file: [UInt8]) throws -> Raster {
        try decode(Thumbnailer(options()).thumbnails(of: file).thumbnails[0].bytes)
    }

    @Test("The preview suffices when the first scan begins, upright as the photo", arguments: 1...8)
    func suffices(orientation: Int) throws {
        for isProgressive in [false, true] {
            var block = block
            (block.orientation, block.isBigEndian) = (orientation, isProgressive)
            let file = block.inserted(into: try Self.jpeg(800, 600, progressive: isProgressive))
            let arrived = Array(file[..<(try Self.scanStart(of: file))])
            #expect(Self.prefix(of: Array(arrived.dropLast())).count == nil)
            let prefix = Self.prefix(of: arrived)
            let count = try #require(prefix.count)
            #expect(prefix.previewed?.width == 800 && prefix.previewed?.height == 600)
            for chunk in [1, 7, file.count] {
                let other = Self.prefix(of: file, chunk: chunk)
                #expect(other.count == count && other.ending == prefix.ending)
            }
            let part = Array(file[..<count]) + prefix.ending
            let info = try ImageInfo(bytes: part)
            #expect((info.width, info.height, info.orientation) == (160, 120, orientation))
            let (made, expected) = try (Self.thumbnail(of: part), Self.thumbnail(of: file))
            #expect((made.width, made.height) == (expected.width, expected.height))
            let difference = zip(made.bytes, expected.bytes).map { abs(Int($0.0) - Int($0.1)) }.max()
            #expect(difference ?? 255 < 16)
        }
    }

    @Test("A preview has the photo's shape up to a pixel, and the size of the largest thumbnail")
    func sizes() throws {
        for (width, height, side, isUsed) in [
            (160, 107, 128, true), (160, 107, 160, true), (160, 106, 128, true), (160, 106, 160, false),
            (160, 107, 161, false), (160, 120, 128, false), (160, 105, 128, false), (107, 160, 80, false),
        ] {
            let preview = try Self.jpeg(width, height)
            let photo = try Self.jpeg(600, 400)
            let file = PreviewBlock(preview, of: (600, 400)).inserted(into: photo)
            let isFound = Self.prefix(of: file, Self.options(side)).count != nil
            #expect(isFound == isUsed, "\(width)x\(height) for \(side)")
        }
    }

    @Test("In doubt the whole file is needed")
    func doubt() throws {
        let preview = block.preview
        #expect(Self.prefix(of: block.inserted(into: photo)).count != nil)
        let changes: [(String, (inout PreviewBlock) -> Void)] = [
            ("another photo", { $0.photoSize.width = 801 }), ("turned photo", { $0.photoSize = (600, 800) }),
            ("another orientation", { $0.previewOrientation = 6 }), ("no JPEG", { $0.compression = 1 }),
            ("no preview", { $0.next = 0 }), ("a loop", { $0.next = 8 }), ("far directory", { $0.next = 0xFFFF_FFFF }),
            ("cut directory", { $0.next = $0.bytes.count - 1 }), ("many entries", { $0.count = 0xFFFF }),
            ("no entries", { $0.count = 0 }), ("far preview", { $0.start = 0xFFFF_FFFF }),
            ("long preview", { $0.length = 0xFFFF_FFFF }), ("preview past the end", { $0.length = preview.count + 1 }),
            ("another start", { $0.start = 0 }), ("empty preview", { $0.length = 0 }),
            ("cut preview", { $0.length = preview.count - 2 }), ("cut header", { $0.length = 30 }),
            ("text", { $0.preview = Array("a preview".utf8) }),
            ("Adobe's data in the preview", { $0.preview = PreviewBlock.segment(0xEE, [1, 2], into: preview) }),
            (
                "a preview with an orientation",
                { $0.preview = PreviewBlock([], of: (160, 120)).inserted(into: preview) }
            ),
        ]
        for (name, change) in changes {
            var block = block
            change(&block)
            #expect(Self.prefix(of: block.inserted(into: photo)).count == nil, "\(name)")
        }
        let adobe: [UInt8] = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
        let profile = Array("ICC_PROFILE\0".utf8) + [1, 1, 2, 3]
        for (marker, content) in [(0xEE, adobe), (0xE2, profile)] as [(UInt8, [UInt8])] {
            let file = block.inserted(into: PreviewBlock.segment(marker, content, into: photo))
            #expect(Self.prefix(of: file).count == nil)
        }
        #expect(Self.prefix(of: photo).count == nil)
        // The block must be part of the metadata that the file keeps.
        let table = try #require(photo.firstRange(of: [0xFF, 0xDB]))
        let late = [0xFF, 0xDB, 0, 2] + Array(block.inserted(into: [0, 0]).dropFirst(2))
        #expect(Self.prefix(of: photo[..<table.lowerBound] + late + photo[table.lowerBound...]).count == nil)
    }

    @Test("Previews are for fast thumbnails of intact photos")
    func options() throws {
        let file = block.inserted(into: photo)
        let changes: [(inout ThumbnailOptions) -> Void] = [
            { $0.qualityMode = .good }, { $0.qualityMode = .exact }, { $0.salvages = true }, { $0.isLinear = true },
            { $0.kernel = .nearest }, { $0.limits.pixels = 800 * 600 - 1 }, { $0.sizes = [] },
        ]
        for change in changes {
            var options = Self.options()
            change(&options)
            #expect(Self.prefix(of: file, options).previewed == nil)
        }
    }

    @Test("The fuzzer starts with a file whose preview suffices")
    func seed() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let path = folder.appending(path: "../Fuzz/Corpus/probe/preview.jpg").standardized
        let file = try Array(Data(contentsOf: path))
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 1 + file.count % 300, height: nil)]
        options.qualityMode = .fast
        #expect(file.count % 2 == 0 && Self.prefix(of: file, options).previewed != nil)
    }

    @Test("A damaged block never gives a file without a header")
    func damaged() throws {
        var random = SystemRandomNumberGenerator()
        let file = block.inserted(into: photo)
        for _ in 0..<300 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 2..<1000, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let prefix = Self.prefix(of: damaged)
            #expect(Self.prefix(of: damaged, chunk: damaged.count).count == prefix.count)
            guard let count = prefix.count, prefix.previewed != nil else { continue }
            let info = try ImageInfo(bytes: Array(damaged[..<count]) + prefix.ending)
            #expect(info.width >= 128 && info.height >= 96)
        }
    }
}
