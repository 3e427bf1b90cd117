// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Codecs") struct CodecTests {
    @Test("What is encoded comes back", arguments: [ImageFormat.jpeg, .png, .webp])
    func roundTrip(format: ImageFormat) throws {
        let picture = Pictures.landscape(40, 30)
        let decoded = try decode(Pictures.file(format, picture))
        #expect(decoded.distance(to: picture) <= (format == .png ? 0 : 24))
    }

    @Test("A progressive JPEG comes back, and so does one in full colour")
    func jpegKinds() throws {
        let picture = Pictures.landscape(40, 30)
        #expect(try decode(Pictures.file(.jpeg, picture, progressive: true)).distance(to: picture) <= 24)
        var encoder = PictureEncoder(.jpeg)
        encoder.quality = 100
        encoder.subsampling = .full
        #expect(try decode(encoder.encode(picture)).distance(to: picture) <= 3)
    }

    @Test("Grey stays grey where the format knows it")
    func grey() throws {
        let picture = Pictures.plain(9, 7, .grey, [77])
        #expect(try decode(Pictures.file(.jpeg, picture)) == picture)
        #expect(try decode(Pictures.file(.png, picture)) == picture)
    }

    @Test("Transparency is kept where the format knows it, and put on white elsewhere")
    func alpha() throws {
        let picture = Pictures.plain(16, 16, .rgba, [200, 100, 0, 51])
        #expect(try decode(Pictures.file(.png, picture)) == picture)
        #expect(try decode(Pictures.file(.webp, picture)).layout == .rgba)
        #expect(
            try decode(Pictures.file(.jpeg, picture)).distance(to: Pictures.plain(16, 16, .rgb, [244, 224, 204])) <= 2)
        var encoder = PictureEncoder(.png)
        encoder.keepsAlpha = false
        #expect(try decode(encoder.encode(picture)) == Pictures.plain(16, 16, .rgb, [244, 224, 204]))
    }

    @Test("The public encoder takes RGBA pixels")
    func pixels() throws {
        let file = try PictureEncoder(.png).encode([1, 2, 3, 255, 4, 5, 6, 128], width: 2, height: 1)
        #expect(try decode(file).bytes == [1, 2, 3, 255, 4, 5, 6, 128])
    }

    @Test("A side that a format cannot have is refused")
    func tooWide() {
        let strip = Pictures.plain(16384, 1, .rgb, [0, 0, 0])
        #expect(failure { () throws(ImagingError) in try PictureEncoder(.webp).encode(strip) }?.code == .tooManyPixels)
    }

    @Test("PNGs of palettes, few bits, 16 bits and interlaced rows are read")
    func pngKinds() throws {
        let palette = Files.chunk("PLTE", [10, 20, 30, 40, 50, 60]) + Files.chunk("tRNS", [255, 7])
        let indexed = Files.png(
            header: Files.header(width: 2, height: 1, depth: 1, colors: 3), before: palette, rows: [0, 0b0100_0000])
        #expect(try decode(indexed).bytes == [10, 20, 30, 255, 40, 50, 60, 7])
        let bits = Files.png(header: Files.header(width: 4, height: 1, depth: 2, colors: 0), rows: [0, 0b00_01_10_11])
        #expect(try decode(bits).bytes == [0, 85, 170, 255])
        let deep = Files.png(
            header: Files.header(width: 1, height: 1, depth: 16), rows: [0, 0x80, 0x7F, 0, 0x81, 0xFF, 0xFF])
        #expect(try decode(deep).bytes == [128, 1, 255])
        #expect(try decode(Interlaced.file).bytes == (0..<5).flatMap { y in (0..<5).map { UInt8(y * 10 + $0) } })
    }

    @Test("Of an animated WebP the first frame is taken, where it stands on its canvas")
    func animation() throws {
        let still = try Pictures.file(.webp, Pictures.plain(8, 6, .rgb, [200, 40, 40]))
        func frame(x: UInt8, y: UInt8) -> [UInt8] {
            let place: [UInt8] = [x / 2, 0, 0, y / 2, 0, 0, 7, 0, 0, 5, 0, 0, 100, 0, 0, 0]
            return Files.riffChunk("ANMF", place + still.dropFirst(12))
        }
        let animation = Files.extendedWebP(
            [UInt8](repeating: 0, count: 12), width: 20, height: 16, flags: 0x02,
            before: Files.riffChunk("ANIM", [0, 0, 0, 0, 0, 0]), after: frame(x: 4, y: 6) + frame(x: 0, y: 0))
        #expect(try ImageInfo(bytes: animation).frames == 2)
        let picture = try decode(animation)
        #expect(picture.width == 20 && picture.height == 16 && picture.layout == .rgba)
        #expect(picture.pixel(3, 6)[3] == 0 && picture.pixel(12, 6)[3] == 0 && picture.pixel(5, 5)[3] == 0)
        #expect(zip(picture.pixel(4, 6), [200, 40, 40, 255]).allSatisfy { abs($0 - $1) < 12 })
        #expect(picture.pixel(11, 11)[3] == 255 && picture.pixel(5, 12)[3] == 0)
        let over = Files.extendedWebP(
            [UInt8](repeating: 0, count: 12), width: 20, height: 16, flags: 0x02, after: frame(x: 14, y: 0))
        #expect(failure(of: over)?.code == .corrupt)
    }

    @Test("Inks without a profile show as the light that they leave")
    func inks() throws {
        let scaled = Raster(width: 1, height: 1, layout: .cmyk, bytes: [255, 128, 0, 255])
        #expect(scaled.withoutInks == Raster(width: 1, height: 1, layout: .rgb, bytes: [255, 128, 0]))
    }

    @Test("Each codec passes the doctor, and each library tells its version")
    func doctor() {
        #expect(CodecCheck.all().count == 3)
        for check in CodecCheck.all() { #expect(check.problem == nil, "\(check.format)") }
        for codec in CodecVersion.all { #expect(codec.version.split(separator: ".").count >= 2, "\(codec.name)") }
    }
}
