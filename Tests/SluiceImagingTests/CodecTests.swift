// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Codecs", .timeLimit(.minutes(10))) struct CodecTests {
    @Test("Decoding an encoded image gives back the image", arguments: ImageFormat.encodable)
    func roundTrip(format: ImageFormat) throws {
        let image = SampleImages.landscape(40, 30)
        let decoded = try decode(SampleImages.file(format, image))
        #expect(decoded.distance(to: image) <= (format == .png ? 0 : 24))
    }

    @Test("Progressive JPEGs and JPEGs without subsampling decode correctly")
    func jpegKinds() throws {
        let image = SampleImages.landscape(40, 30)
        #expect(try decode(SampleImages.file(.jpeg, image, progressive: true)).distance(to: image) <= 24)
        var encoder = ImageEncoder(.jpeg)
        encoder.quality = 100
        encoder.subsampling = .full
        #expect(try decode(encoder.encode(image)).distance(to: image) <= 3)
    }

    @Test("Grey images stay grey in formats that support it")
    func grey() throws {
        let image = SampleImages.plain(9, 7, .grey, [77])
        #expect(try decode(SampleImages.file(.jpeg, image)) == image)
        #expect(try decode(SampleImages.file(.png, image)) == image)
    }

    @Test("Transparency is kept where the format supports it and drawn on white elsewhere")
    func alpha() throws {
        let image = SampleImages.plain(16, 16, .rgba, [200, 100, 0, 51])
        #expect(try decode(SampleImages.file(.png, image)) == image)
        #expect(try decode(SampleImages.file(.webp, image)).layout == .rgba)
        #expect(
            try decode(SampleImages.file(.jpeg, image)).distance(to: SampleImages.plain(16, 16, .rgb, [244, 224, 204]))
                <= 2)
        var encoder = ImageEncoder(.png)
        encoder.keepsAlpha = false
        #expect(try decode(encoder.encode(image)) == SampleImages.plain(16, 16, .rgb, [244, 224, 204]))
    }

    @Test("The public encoder accepts RGBA pixels")
    func pixels() throws {
        let file = try ImageEncoder(.png).encode([1, 2, 3, 255, 4, 5, 6, 128], width: 2, height: 1)
        #expect(try decode(file).bytes == [1, 2, 3, 255, 4, 5, 6, 128])
    }

    @Test("An image that is too wide for a format is rejected")
    func tooWide() {
        let strip = SampleImages.plain(16384, 1, .rgb, [0, 0, 0])
        #expect(failure { () throws(ImagingError) in try ImageEncoder(.webp).encode(strip) }?.code == .tooManyPixels)
    }

    @Test("PNGs with palettes, few bits, 16 bits or interlacing decode correctly")
    func pngKinds() throws {
        let palette = FileBuilder.chunk("PLTE", [10, 20, 30, 40, 50, 60]) + FileBuilder.chunk("tRNS", [255, 7])
        let indexed = FileBuilder.png(
            header: FileBuilder.header(width: 2, height: 1, depth: 1, colors: 3), before: palette,
            rows: [0, 0b0100_0000])
        #expect(try decode(indexed).bytes == [10, 20, 30, 255, 40, 50, 60, 7])
        let bits = FileBuilder.png(
            header: FileBuilder.header(width: 4, height: 1, depth: 2, colors: 0), rows: [0, 0b00_01_10_11])
        #expect(try decode(bits).bytes == [0, 85, 170, 255])
        let deep = FileBuilder.png(
            header: FileBuilder.header(width: 1, height: 1, depth: 16), rows: [0, 0x80, 0x7F, 0, 0x81, 0xFF, 0xFF])
        #expect(try decode(deep).bytes == [128, 1, 255])
        #expect(try decode(InterlacedPNG.file).bytes == (0..<5).flatMap { y in (0..<5).map { UInt8(y * 10 + $0) } })
    }

    @Test("The first frame of an animated WebP is decoded at its position on the canvas")
    func animation() throws {
        let still = try SampleImages.file(.webp, SampleImages.plain(8, 6, .rgb, [200, 40, 40]))
        func frame(x: UInt8, y: UInt8) -> [UInt8] {
            let place: [UInt8] = [x / 2, 0, 0, y / 2, 0, 0, 7, 0, 0, 5, 0, 0, 100, 0, 0, 0]
            return FileBuilder.riffChunk("ANMF", place + still.dropFirst(12))
        }
        let animation = FileBuilder.extendedWebP(
            [UInt8](repeating: 0, count: 12), width: 20, height: 16, flags: 0x02,
            before: FileBuilder.riffChunk("ANIM", [0, 0, 0, 0, 0, 0]), after: frame(x: 4, y: 6) + frame(x: 0, y: 0))
        #expect(try ImageInfo(bytes: animation).frames == 2)
        let image = try decode(animation)
        #expect(image.width == 20 && image.height == 16 && image.layout == .rgba)
        #expect(image.pixel(3, 6)[3] == 0 && image.pixel(12, 6)[3] == 0 && image.pixel(5, 5)[3] == 0)
        #expect(zip(image.pixel(4, 6), [200, 40, 40, 255]).allSatisfy { abs($0 - $1) < 12 })
        #expect(image.pixel(11, 11)[3] == 255 && image.pixel(5, 12)[3] == 0)
        let over = FileBuilder.extendedWebP(
            [UInt8](repeating: 0, count: 12), width: 20, height: 16, flags: 0x02, after: frame(x: 14, y: 0))
        #expect(failure(of: over)?.code == .corrupt)
    }

    @Test("CMYK without a profile converts to RGB")
    func inks() throws {
        let scaled = Raster(width: 1, height: 1, layout: .cmyk, bytes: [255, 128, 0, 255])
        #expect(scaled.cmykAsRGB == Raster(width: 1, height: 1, layout: .rgb, bytes: [255, 128, 0]))
    }

    @Test("Every codec passes its self-test and every library reports its version")
    func doctor() {
        #expect(CodecCheck.runAll().count == 10 + ImageFormat.rawPhotos.count)
        for check in CodecCheck.runAll() { #expect(check.problem == nil, "\(check.format)") }
        for codec in CodecVersion.loaded { #expect(codec.version.split(separator: ".").count >= 2, "\(codec.name)") }
    }
}

@Suite("The list of codecs", .timeLimit(.minutes(10))) struct CodecListTests {
    @Test("Every format has its own name, media type and file name extensions")
    func distinct() {
        let codecs = Codecs.all
        #expect(Set(codecs.map(\.format)).count == codecs.count)
        #expect(Set(codecs.map(\.title)).count == codecs.count)
        #expect(Set(codecs.map(\.mediaType)).count == codecs.count)
        let fileExtensions = codecs.flatMap(\.fileExtensions)
        #expect(Set(fileExtensions).count == fileExtensions.count)
        for codec in codecs {
            let types = codec.decoder == nil ? ["image/", "video/", "application/pdf"] : ["image/"]
            #expect(types.contains { codec.mediaType.hasPrefix($0) }, "\(codec.format)")
            #expect(!codec.fileExtensions.isEmpty && !codec.signatures.isEmpty, "\(codec.format)")
            #expect(codec.fileExtensions.allSatisfy { $0 == $0.lowercased() && !$0.contains(".") }, "\(codec.format)")
            #expect(ImageFormat(rawValue: codec.format.name) == codec.format)
            for fileExtension in codec.fileExtensions {
                #expect(ImageFormat(fileExtension: fileExtension) == codec.format)
            }
        }
        #expect(ImageFormat(rawValue: "auto") == nil)
    }

    @Test("Every file that Sluice writes is detected as its format", arguments: ImageFormat.encodable)
    func detected(format: ImageFormat) throws {
        let file = try ImageEncoder(format).encode(Codec.testPicture)
        #expect(ImageFormat(sniffing: file) == format)
        #expect(ImageFormat(sniffing: Array(file.prefix(ImageSignature.maxBytes))) == format)
    }

    @Test("Every format that Sluice writes has a fixture, so that the tests of metadata cover it")
    func fixtures() {
        #expect(FormatFixture.all.map(\.format) == ImageFormat.encodable)
    }

    @Test("A format without a decoder is unsupported, and the message names it")
    func refused() {
        for format in ImageFormat.allCases where !format.isDecodable {
            #expect(throws: ImagingError(.unsupported, "Sluice cannot read \(format.title)")) {
                try Codecs.decoder(for: format)
            }
        }
    }

    @Test("Thumbnails have every format that Sluice can write")
    func thumbnails() throws {
        #expect(ThumbnailOptions.Format.allCases == ImageFormat.encodable.map { .fixed($0) } + [.auto])
        for choice in ThumbnailOptions.Format.allCases {
            #expect(ThumbnailOptions.Format(rawValue: choice.rawValue) == choice)
            #expect(Mirror(reflecting: choice).children.isEmpty && "\(choice)" == choice.rawValue)
        }
        #expect(ThumbnailOptions.Format(rawValue: "bmp") == nil)
    }

    @Test("The self-test covers every codec, also one that cannot write")
    func selfTest() throws {
        #expect(CodecCheck.runAll().map(\.format) == ImageFormat.decodable)
        for codec in Codecs.all where codec.decoder != nil {
            #expect(codec.encoder != nil || codec.makeTestFile != nil, "\(codec.format) has nothing to decode")
        }
        var readOnly = Codec.png
        readOnly.encoder = nil
        let file = try ImageEncoder(.png).encode(Codec.testPicture)
        readOnly.makeTestFile = { file }
        #expect(CodecCheck(readOnly).problem == nil)
        #expect(!CodecCheck(readOnly).canEncode)
        let white = try ImageEncoder(.png).encode(
            Raster(width: 16, height: 16, layout: .rgb, bytes: [UInt8](repeating: 255, count: 768)))
        readOnly.makeTestFile = { white }
        #expect(CodecCheck(readOnly).problem?.contains("colours differ") == true)
    }
}
