// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Orientation", .timeLimit(.minutes(10))) struct OrientationTests {
    /// The position of the upright quarters (red, green / blue, white) in a file of each orientation.
    static let stored: [Int: [Character]] = [
        1: ["r", "g", "b", "w"], 2: ["g", "r", "w", "b"], 3: ["w", "b", "g", "r"], 4: ["b", "w", "r", "g"],
        5: ["r", "b", "g", "w"], 6: ["g", "w", "r", "b"], 7: ["w", "g", "b", "r"], 8: ["b", "r", "w", "g"],
    ]

    static func image(_ orientation: Int) -> Raster {
        let colors: [Character: [UInt8]] = [
            "r": [255, 0, 0], "g": [0, 255, 0], "b": [0, 0, 255], "w": [255, 255, 255],
        ]
        let quarters = stored[orientation] ?? []
        let (width, height) = orientation > 4 ? (32, 64) : (64, 32)
        return SampleImages.make(width, height, .rgb) { x, y in
            colors[quarters[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]] ?? []
        }
    }

    static func file(_ format: ImageFormat, _ orientation: Int) throws -> [UInt8] {
        try FilesWithMetadata.file(image(orientation), format, exif: EXIFBlock.block(orientation: orientation))
    }

    /// The formats with EXIF's orientation; AVIF has properties for it.
    static let formats = ImageFormat.encodable.filter { $0 != .avif }

    @Test("All eight orientations become upright in all formats", arguments: 1...8, formats)
    func upright(orientation: Int, format: ImageFormat) throws {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 16, height: 16)]
        options.format = .png
        let result = try Thumbnailer(options).thumbnails(of: Self.file(format, orientation))
        #expect(result.info.orientation == orientation && result.notes.isEmpty)
        #expect(result.info.uprightWidth == 64 && result.info.uprightHeight == 32)
        let thumbnail = try decode(result.thumbnails[0].bytes)
        #expect(thumbnail.width == 16 && thumbnail.height == 8)
        let corners = [thumbnail.pixel(1, 1), thumbnail.pixel(14, 1), thumbnail.pixel(1, 6), thumbnail.pixel(14, 6)]
        let expected = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
        for (corner, color) in zip(corners, expected) {
            #expect(zip(corner, color).allSatisfy { abs($0 - $1) < 40 }, "\(corners)")
        }
    }

    @Test("Gravity applies to the upright image", arguments: 1...8, formats)
    func gravity(orientation: Int, format: ImageFormat) throws {
        let file = try Self.file(format, orientation)
        func thumbnail(_ size: ThumbnailSize, _ gravity: ThumbnailOptions.Gravity) throws -> Raster {
            var options = ThumbnailOptions()
            options.sizes = [size]
            options.fit = .cover
            options.gravity = gravity
            options.format = .png
            return try decode(Thumbnailer(options).thumbnails(of: file).thumbnails[0].bytes)
        }
        // In the upright image, red and green are at the top, blue and white at the bottom.
        let wide = ThumbnailSize(width: 32, height: 8)
        for (gravity, left, right) in [
            (ThumbnailOptions.Gravity.north, [255, 0, 0], [0, 255, 0]), (.south, [0, 0, 255], [255, 255, 255]),
        ] {
            let strip = try thumbnail(wide, gravity)
            #expect(strip.width == 32 && strip.height == 8)
            expect(strip.pixel(3, 4), left)
            expect(strip.pixel(28, 4), right)
        }
        let high = ThumbnailSize(width: 8, height: 16)
        for (gravity, top, bottom) in [
            (ThumbnailOptions.Gravity.west, [255, 0, 0], [0, 0, 255]), (.east, [0, 255, 0], [255, 255, 255]),
        ] {
            let strip = try thumbnail(high, gravity)
            expect(strip.pixel(4, 2), top)
            expect(strip.pixel(4, 13), bottom)
        }
    }

    private func expect(_ pixel: [Int], _ color: [Int]) {
        #expect(zip(pixel, color).allSatisfy { abs($0 - $1) < 40 }, "\(pixel), not \(color)")
    }

    @Test(
        "An invalid EXIF block is ignored with a note",
        arguments: [
            [], [1, 2, 3], [0x4D, 0x4D, 0, 42, 0xFF, 0xFF, 0xFF, 0xFF], [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0xFF, 0xFF],
            Array(EXIFBlock.block(orientation: 6).map { $0 == 6 ? 99 : $0 }),
        ] as [[UInt8]])
    func broken(block: [UInt8]) throws {
        let file = FileBuilder.jpeg(
            try SampleImages.file(.jpeg), inserting: FileBuilder.segment(0xE1, Array("Exif\0\0".utf8) + block))
        let result = try Thumbnailer().thumbnails(of: file)
        #expect(result.info.orientation == 1)
        #expect(result.notes.count == 1 && result.notes[0].hasPrefix("EXIF ignored"))
    }

    @Test("A little-endian EXIF block is read")
    func littleEndian() throws {
        let block: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]
        #expect(try EXIFBlock.orientation(in: block) == 8)
    }
}
