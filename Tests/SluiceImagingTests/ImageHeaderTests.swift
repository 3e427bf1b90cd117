// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Image headers", .timeLimit(.minutes(10))) struct ImageHeaderTests {
    static let signatures: [([UInt8], ImageFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        (FileBuilder.pngSignature, .png),
        (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webp),
        (Array("GIF89a".utf8), .gif),
        (Array("\0\0\0\u{18}ftypavif".utf8), .avif),
        (Array("\0\0\0\u{18}ftypheic".utf8), .heic),
        ([0xFF, 0x0A], .jxl),
        ([0x49, 0x49, 0x2A, 0x00], .tiff),
        (Array("BM\u{1}\0\0\0\0\0\0\0".utf8), .bmp),
        ([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], named("cr2")),
        (Array("\0\0\0\u{18}ftypcrx ".utf8), named("cr3")),
        (Array("FUJIFILMCCD-RAW 0201".utf8), named("raf")),
        (Array("IIRO\u{8}\0\0\0".utf8), named("orf")),
        ([0x49, 0x49, 0x55, 0, 24, 0, 0, 0], named("rw2")),
        (tiff([(0xFE, 1), (0x14A, 100)], make: "NIKON CORPORATION"), named("nef")),
        (tiff([(0xFE, 1), (0x14A, 100)], make: "SONY"), named("arw")),
        // A PEF describes the sensor's data first. Sluice took it for a TIFF.
        (tiff([(0x106, 32803)], make: "PENTAX Corporation"), named("pef")),
        (tiff([(0x106, 32803)], make: "RICOH IMAGING COMPANY, LTD.  "), named("pef")),
        (tiff([(0x106, 2)], make: "RICOH IMAGING COMPANY, LTD.  "), .tiff),
        (tiff([(0xFE, 1), (0xC612, 4)], make: "Google"), named("dng")),
        (tiff([(0xFE, 0)], make: "NIKON CORPORATION"), .tiff),
        (Array("\0\0\0\u{c}jP  \r\n".utf8) + [0x87, 0x0A], named("jp2")),
        ([0xFF, 0x4F, 0xFF, 0x51], named("jp2")),
        (Array("8BPS\0\u{1}".utf8), named("psd")),
        (Array("DDS |\0\0\0".utf8), named("dds")), ([0x76, 0x2F, 0x31, 0x01, 2], named("exr")),
        (Array("#?RADIANCE\n".utf8), named("hdr")), (Array("icns\0\0".utf8), named("icns")),
        (Array("FORM\0\0\0\u{9}ILBMBMHD".utf8), named("ilbm")), ([0x49, 0x49, 0xBC, 0x01], named("jxr")),
        (Array("P6\n# made\n8 8\n".utf8), named("pnm")), (Array("P7\nWIDTH 8\n".utf8), named("pnm")),
        ([10, 5, 1, 8] + [UInt8](repeating: 0, count: 124), named("pcx")), (Array("gimp xcf v".utf8), named("xcf")),
        ([0x01, 0xDA, 1, 1, 0, 3] + [UInt8](repeating: 0, count: 506), named("sgi")),
        (Array("/* XPM */".utf8), named("xpm")), ([0xAB] + Array("KTX 11".utf8), named("ktx")),
        (Array("<svg xmlns=\"http://www.w3.org/2000/svg\">".utf8), named("svg")),
        (Array("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- <p> -->\n<svg>".utf8), named("svg")),
        (Array("<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC>".utf8), named("svg")),
        (Array("%PDF-1.7\n".utf8), named("pdf")),
        ([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 4, 0, 0, 22, 0, 0, 0], named("ico")),
        (Array("\0\0\0\u{18}ftypisom".utf8), named("mp4")), (Array("\0\0\0\u{14}ftypqt  ".utf8), named("mp4")),
        (Array("\0\0\0\u{8}wide\0\0\0\0mdat".utf8), named("mp4")),
        ([0x1A, 0x45, 0xDF, 0xA3, 0x9F], named("webm")), (Array("RIFF\0\0\0\0AVI LIST".utf8), named("avi")),
        ([0, 0, 1, 0xBA, 0x44], named("mpeg")),
    ]

    private static func named(_ name: String) -> ImageFormat { ImageFormat(named: name) }

    /// Makes the start of a TIFF file with these tags and the name of a maker.
    private static func tiff(_ tags: [(Int, Int)], make: String) -> [UInt8] {
        let entries = tags.map { EXIFBlocks.long($0.0, $0.1, bigEndian: true) } + [EXIFBlocks.text(0x010F, make)]
        return EXIFWriter(isBigEndian: true).block(main: entries, exif: [], gps: [])
    }

    @Test(
        "Other documents are not pictures",
        arguments: ["<?xml version=\"1.0\"?><rss>", "<!DOCTYPE html><svg>", "<svgs>", "<!-- <svg> ", "<?xml"])
    func documents(text: String) {
        #expect(ImageFormat(sniffing: Array(text.utf8)) == nil)
    }

    @Test("Formats are detected by content", arguments: signatures)
    func sniffing(bytes: [UInt8], format: ImageFormat) {
        #expect(ImageFormat(sniffing: bytes) == format)
    }

    static let refusals: [(String, ImagingError.Code)] = [
        ("", .emptyInput), ("<!DOCTYPE html>", .notAnImage), ("RIFF\0\0\0\0WAVE", .notAnImage),
        ("RIF", .truncated), ("ab\n", .notAnImage), ("GIF89a\u{1}\0\u{1}\0", .truncated),
        ("8BPS\0\u{1}", .unsupported), ("%PDF-1.4", .unsupported), (String(repeating: "\0", count: 24), .notAnImage),
    ]

    @Test("Other content is rejected by kind, and possible starts of images are truncated", arguments: refusals)
    func refusal(text: String, code: ImagingError.Code) {
        #expect(failure { () throws(ImagingError) in try ImageInfo(bytes: Array(text.utf8)) }?.code == code)
    }

    @Test("The refusal of a known format names it, as its own text and for the counts")
    func named() {
        let refusal = failure { () throws(ImagingError) in try ImageInfo(bytes: Array("%PDF-1.4".utf8)) }
        #expect(refusal?.detail == "Sluice cannot read PDF" && refusal?.format == Self.named("pdf"))
        let cut = failure { () throws(ImagingError) in try ImageInfo(bytes: FileBuilder.pngSignature) }
        #expect(cut?.code == .truncated && cut?.format == .png)
    }

    @Test("The header is read from the first bytes", arguments: ImageFormat.encodable)
    func header(format: ImageFormat) throws {
        let file = try SampleImages.file(format, SampleImages.landscape(300, 200))
        let start = Array(file.prefix(640))
        let info = try ImageInfo(bytes: start)
        #expect(info.format == format && info.width == 300 && info.height == 200 && info.orientation == 1)
        #expect(!info.hasAlpha && !info.isProgressive && !info.hasProfile && info.frames == 1)
    }

    @Test("Headers report progressive, interlaced, grey, 16-bit and transparent images")
    func kinds() throws {
        #expect(try ImageInfo(bytes: SampleImages.file(.jpeg, progressive: true)).isProgressive)
        #expect(
            try ImageInfo(bytes: SampleImages.file(.jpeg, SampleImages.plain(8, 8, .grey, [7]))).colorModel == .grey)
        let deep =
            FileBuilder.pngSignature + FileBuilder.header(width: 3, height: 2, depth: 16, colors: 6, interlaced: true)
        let info = try ImageInfo(bytes: deep + FileBuilder.chunk("IDAT", []))
        #expect(info.bitDepth == 16 && info.hasAlpha && info.isProgressive)
        #expect(
            try ImageInfo(bytes: SampleImages.file(.webp, SampleImages.plain(8, 8, .rgba, [1, 2, 3, 99]))).hasAlpha)
    }
}

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
