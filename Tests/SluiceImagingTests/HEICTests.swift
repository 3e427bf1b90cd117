// SPDX-License-Identifier: MIT

import CSluice
import Testing

@testable import SluiceImaging

@Suite("HEIC", .timeLimit(.minutes(10))) struct HEICTests {
    private static func info(_ name: String) throws -> ImageInfo {
        try ImageInfo(bytes: ForeignFileTests.file("hevc-\(name).heic"))
    }

    /// Returns a file with bytes replaced after the first occurrence of a text.
    private static func file(_ name: String, after text: String, skipping count: Int, _ bytes: [UInt8]) throws
        -> [UInt8]
    {
        var file = try ForeignFileTests.file("hevc-\(name).heic")
        let start = try #require(file.firstRange(of: Array(text.utf8))).upperBound + count
        file.replaceSubrange(start..<start + bytes.count, with: bytes)
        return file
    }

    @Test("The header tells size, depth, transparency, grey and rotation, without the library")
    func headers() throws {
        #expect(try Self.info("420").bitDepth == 8 && Self.info("ten-bits").bitDepth == 10)
        #expect(try Self.info("twelve-bits").bitDepth == 12)
        #expect(try Self.info("alpha").hasAlpha && !Self.info("420").hasAlpha)
        #expect(try Self.info("grey").colorModel == .grey && Self.info("420").colorModel == .rgb)
        let grid = try Self.info("grid")
        #expect(grid.width == 100 && grid.height == 90 && grid.orientation == 8)
    }

    @Test("A HEIC is refused unless the options allow it, and the text names it")
    func restricted() throws {
        let file = try ForeignFileTests.file("hevc-420.heic")
        let refusal = failure(of: file)
        #expect(refusal?.code == .unsupported && refusal?.format == .heic)
        #expect(refusal?.detail == "HEIC is read only if it is allowed")
        #expect(ImageFormat.restricted == [.heic, .jxl, .tiff])
    }

    @Test("Without its library a HEIC is unsupported, and the text names the package")
    func missingLibrary() throws {
        let result = failure(of: try ForeignFileTests.file("hevc-420.heic"), .allowingAll)
        if Codec.heic.loader?.library() == nil {
            #expect(result?.code == .unsupported && result?.detail.contains("libde265-0") == true)
        } else {
            #expect(result == nil)
        }
    }

    @Test("A crop removes the padding of the encoder, and a larger one is a note")
    func crop() throws {
        let info = try Self.info("crop")
        #expect(info.width == 31 && info.height == 21)
        func shown(_ fields: [Int32], of size: (Int, Int) = (100, 90)) throws -> [Int]? {
            let bytes = fields.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
            var window = ByteWindow(ImageInput(bytes))
            let info = ImageInfo(format: .heic, width: size.0, height: size.1)
            return try HEIFCrop(0..<bytes.count, of: info, &window).map { [$0.x, $0.y, $0.width, $0.height] }
        }
        #expect(try shown([99, 1, 89, 1, -1, 2, -1, 2]) == [0, 0, 99, 89])
        #expect(try shown([98, 1, 80, 1, 1, 1, -5, 1]) == [2, 0, 98, 80])
        #expect(try shown([196, 2, 90, 1, 0, 7, 0, 1]) == [1, 0, 98, 90])
        // Half a pixel, beyond the edge, no size, and more than padding.
        for fields: [Int32] in [
            [99, 1, 90, 1, 0, 1, 0, 1], [99, 2, 90, 1, 0, 1, 0, 1], [98, 1, 90, 1, 2, 1, 0, 1],
            [98, 1, 90, 1, -2, 1, 0, 1], [0, 1, 90, 1, 0, 1, 0, 1], [98, 0, 90, 1, 0, 1, 0, 1],
            [98, 1, 90, 1, 0, 0, 0, 1], [-98, 1, 90, 1, 0, 1, 0, 1], [36, 1, 90, 1, 0, 1, 0, 1],
            [.min, .max, .min, .max, .min, .max, .min, .max],
        ] { #expect(try shown(fields) == nil, "\(fields)") }
    }

    @Test("A coded picture or a tile that is larger than declared is refused before it is decoded")
    func dimensions() throws {
        // The declared size, and then that of the tiles.
        let small = try Self.file("420", after: "ispe", skipping: 6, [0, 1, 0, 0, 0, 1])
        #expect(failure { () throws(ImagingError) in try ImageInfo(bytes: small) }?.code == .corrupt)
        let tiles = try Self.file("grid", after: "ispe", skipping: 4, [0, 0, 0x10, 0, 0, 0, 0x10, 0])
        #expect(failure { () throws(ImagingError) in try ImageInfo(bytes: tiles) }?.code == .corrupt)
        let huge = try Self.file("420", after: "ispe", skipping: 4, [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(failure(of: huge, .allowingAll)?.code == .corrupt)
        let other = try Self.file("420", after: "infe", skipping: 8, Array("hvc2".utf8))
        #expect(failure(of: other, .allowingAll)?.code == .unsupported)
    }

    @Test("A picture with an essential property that Sluice does not know is unsupported")
    func essentials() throws {
        let unknown = try Self.file("crop", after: "clap", skipping: -4, Array("clop".utf8))
        let refusal = failure { () throws(ImagingError) in try ImageInfo(bytes: unknown) }
        #expect(refusal?.code == .unsupported && refusal?.detail == "HEIF with the essential property 'clop'")
    }

    @Test("Damage that the library would conceal is corrupt")
    func damage() throws {
        var file = try ForeignFileTests.file("hevc-444.heic")
        for offset in file.count - 120..<file.count - 60 { file[offset] ^= 0x5A }
        #expect(failure(of: file, .allowingAll)?.code == .corrupt)
        let size = try #require(file.firstRange(of: Array("mdat".utf8))).upperBound
        #expect(
            failure(of: try Self.file("444", after: "mdat", skipping: 0, [0xFF, 0xFF]), .allowingAll)?.code == .corrupt)
        #expect(failure(of: Array(file.prefix(size + 10)), .allowingAll)?.code == .truncated)
    }

    private static func configuration(_ bytes: [UInt8]) throws(ImagingError) -> HEVCConfiguration {
        var window = ByteWindow(ImageInput(bytes))
        return try HEVCConfiguration(0..<bytes.count, &window)
    }

    /// Returns the configuration's bytes in a file.
    private static func configurationBytes(_ file: [UInt8]) throws -> [UInt8] {
        let start = try #require(file.firstRange(of: Array("hvcC".utf8))).upperBound
        return Array(file[start..<start + Int(file[start - 8..<start - 4].number(bigEndian: true)) - 8])
    }

    @Test("Only the parameters of the configuration and parts of the picture reach the library")
    func units() throws {
        let file = try ForeignFileTests.file("hevc-444.heic")
        let bytes = try Self.configurationBytes(file)
        let configuration = try Self.configuration(bytes)
        #expect(configuration.sets.map { HEVCUnitKind($0[0]).isParameterSet } == [true, true, true])
        guard Codec.heic.loader?.load() == true else { return }
        let data = Array(file[try #require(file.firstRange(of: Array("mdat".utf8))).upperBound...])
        // Parameters of other samples, which would replace the first ones, and an empty unit.
        let others = try Self.configuration(Self.configurationBytes(ForeignFileTests.file("hevc-ten-bits.heic"))).sets
        let units: [[UInt8]] = others.map { [0, 0, 0, UInt8($0.count)] + $0 }
        let inserted: [UInt8] = Array(units.joined()) + [0, 0, 0, 0]
        for prefix: [UInt8] in [[], inserted] {
            let decoder = try HEVCDecoder()
            try decoder.push(configuration, prefix + data)
            let picture = try decoder.decode()
            #expect(picture.width == 64 && picture.height == 64 && picture.depth == 8)
        }
    }

    @Test("The configuration's size and samples are read, and cut parameters are corrupt")
    func configuration() throws {
        let read = Self.configuration
        let bytes = try Self.configurationBytes(ForeignFileTests.file("hevc-420.heic"))
        let found = try read(bytes)
        #expect(found.width == 64 && found.height == 64 && found.depth == 8 && found.chroma == .quarter)
        #expect(found.lengthBytes == 4 && found.sets.count >= 3)
        for cut in 1..<bytes.count { _ = try? read(Array(bytes.prefix(cut))) }
        #expect(failure { () throws(ImagingError) in try read(Array(bytes.prefix(60))) }?.code == .corrupt)
    }
}

extension ThumbnailOptions {
    /// The default options, and all formats whose libraries are on this machine.
    static let allowingAll: ThumbnailOptions = {
        ImageFormat.loadLibraries(of: ImageFormat.loadable)
        var options = ThumbnailOptions()
        options.allowedFormats = ImageFormat.restricted
        return options
    }()
}

@Suite("HEIF items", .timeLimit(.minutes(10))) struct HEIFItemsTests {
    private static func items(_ count: Int) -> [UInt8] {
        var entries: [UInt8] = []
        for number in 1...count {
            entries += FileBuilder.box(
                "infe", [2, 0, 0, 0] + UInt16(number).bigEndianBytes + [0, 0] + Array("av01".utf8) + [0])
        }
        return FileBuilder.box("iinf", [0, 0, 0, 0] + UInt16(count).bigEndianBytes + entries)
    }

    /// Makes the places of items, each at the same bytes.
    private static func locations(_ count: Int, length: Int = 100) -> [UInt8] {
        var entries: [UInt8] = []
        for number in 1...count {
            entries += UInt16(number).bigEndianBytes + [0, 0, 0, 1, 0, 0, 0, 0] + UInt32(length).bigEndianBytes
        }
        return FileBuilder.box("iloc", [0, 0, 0, 0, 0x44, 0] + UInt16(count).bigEndianBytes + entries)
    }

    private static let primary = FileBuilder.box("pitm", [0, 0, 0, 0, 0, 1])

    private static func read(_ content: [UInt8], more: [UInt8] = []) throws(ImagingError) -> HEIFItems {
        var window = ByteWindow(
            ImageInput(
                FileBuilder.box("ftyp", Array("avif".utf8)) + FileBuilder.box("meta", [0, 0, 0, 0] + content) + more))
        return try HEIFItems(&window)
    }

    @Test("Items, their places and the primary one are found")
    func found() throws {
        let items = try Self.read(Self.primary + Self.items(3) + Self.locations(3))
        #expect(items.primary == 1 && items.items.count == 3)
        #expect(items.items[2]?.type == "av01" && items.items[2]?.extents == [0..<100])
    }

    @Test("Lists are limited before they grow")
    func limits() {
        func code(_ content: [UInt8]) -> ImagingError.Code? {
            failure { () throws(ImagingError) in try Self.read(content) }?.code
        }
        #expect(code(Self.primary + Self.items(4096)) == nil)
        #expect(code(Self.primary + Self.items(4097)) == .badChunk)
        #expect(code(Self.primary + Self.locations(5000)) == .badChunk)
        let property = FileBuilder.box("free", [])
        let properties = FileBuilder.box(
            "iprp", FileBuilder.box("ipco", [[UInt8]](repeating: property, count: 5000).flatMap(\.self)))
        #expect(code(Self.primary + Self.items(1) + properties) == .badChunk)
        let reference = FileBuilder.box("dimg", [0, 1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 131_070))
        #expect(code(Self.primary + Self.items(1) + FileBuilder.box("iref", [0, 0, 0, 0] + reference)) == .badChunk)
        #expect(code([UInt8](repeating: 0, count: 5 << 20)) == .badChunk)
        #expect(code(Self.items(1)) == .corrupt)
    }

    @Test("Items that share the file's bytes cannot multiply them, and none lies beyond the end")
    func extents() throws {
        let items = try Self.read(Self.primary + Self.items(3) + Self.locations(3))
        #expect(failure { () throws(ImagingError) in try items.checkExtents(count: 200) } == nil)
        #expect(failure { () throws(ImagingError) in try items.checkExtents(count: 99) }?.code == .truncated)
        // A grid of equal tiles, each of which refers to the same bytes, was refused.
        #expect(failure { () throws(ImagingError) in try items.checkExtents(count: 100) } == nil)
        let huge = HEIFItems.maxSharedBytes
        func reference(_ type: String, from: UInt8, to: [UInt8]) -> [UInt8] {
            FileBuilder.box(type, [0, from, 0, UInt8(to.count)] + to.flatMap { [0, $0] })
        }
        let tiles = FileBuilder.box("iref", [0, 0, 0, 0] + reference("dimg", from: 1, to: [2, 3]))
        let places = Self.locations(3, length: huge)
        let shared = try Self.read(Self.primary + Self.items(3) + tiles + places)
        // Layers of which one is shown may share all of their bytes.
        let layers = try Self.read(Self.primary + Self.items(3) + places)
        #expect(failure { () throws(ImagingError) in try layers.checkExtents(count: huge) } == nil)
        #expect(failure { () throws(ImagingError) in try shared.checkExtents(count: 2 * huge) } == nil)
        #expect(failure { () throws(ImagingError) in try shared.checkExtents(count: huge) }?.code == .badChunk)
    }

    @Test("A primary item that is a thumbnail or a plain copy leads to its picture")
    func followed() throws {
        func shown(_ reference: [UInt8], as type: String) throws -> Int {
            var content = Self.primary + Self.items(2) + FileBuilder.box("iref", [0, 0, 0, 0] + reference)
            let place = try #require(content.firstRange(of: Array("av01".utf8)))
            content.replaceSubrange(place, with: type.utf8)
            var items = try Self.read(content)
            items.followPrimary()
            return items.primary
        }
        let numbers: [UInt8] = [0, 1, 0, 1, 0, 2]
        #expect(try shown(FileBuilder.box("thmb", numbers), as: "hvc1") == 2)
        #expect(try shown(FileBuilder.box("dimg", numbers), as: "iden") == 2)
        #expect(try shown(FileBuilder.box("dimg", numbers), as: "grid") == 1)
        #expect(try shown(FileBuilder.box("thmb", [0, 1, 0, 1, 0, 9]), as: "hvc1") == 1)
    }

    @Test("Sound is no track of pictures")
    func sound() throws {
        func track(_ handler: String, samples: UInt8) -> [UInt8] {
            let sizes = FileBuilder.box("stbl", FileBuilder.box("stsz", [UInt8](repeating: 0, count: 11) + [samples]))
            let media = FileBuilder.box("hdlr", [UInt8](repeating: 0, count: 8) + Array(handler.utf8))
            return FileBuilder.box("trak", FileBuilder.box("mdia", media + FileBuilder.box("minf", sizes)))
        }
        let movie = FileBuilder.box("moov", track("pict", samples: 5) + track("soun", samples: 9))
        var window = ByteWindow(ImageInput(movie))
        #expect(try HEIFItems.tracks(&window).map(\.isSound) == [false, true])
        #expect(try HEIFItems.sequenceFrames(&window) == 5)
    }

    @Test("A sequence without a still picture is unsupported, and a file that ends before its items is truncated")
    func missing() {
        var window = ByteWindow(ImageInput(FileBuilder.box("ftyp", Array("avis".utf8)) + FileBuilder.box("moov", [])))
        #expect(failure { () throws(ImagingError) in try HEIFItems(&window) }?.code == .unsupported)
        // A sequence whose description names no still picture was called corrupt.
        let refusal = failure { () throws(ImagingError) in
            try Self.read(Self.items(1), more: FileBuilder.box("moov", []))
        }
        #expect(refusal?.code == .unsupported)
        var cut = ByteWindow(ImageInput(FileBuilder.box("ftyp", Array("avif".utf8))))
        #expect(failure { () throws(ImagingError) in try HEIFItems(&cut) }?.code == .truncated)
    }
}
