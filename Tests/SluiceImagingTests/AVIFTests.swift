// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("AVIF", .timeLimit(.minutes(10))) struct AVIFTests {
    private static func info(_ name: String) throws -> ImageInfo {
        try ImageInfo(bytes: ForeignFileTests.file("\(name).avif"))
    }

    /// Returns a file with bytes replaced after the first occurrence of a text.
    private static func file(_ name: String, after text: String, skipping count: Int, _ bytes: [UInt8]) throws
        -> [UInt8]
    {
        var file = try ForeignFileTests.file("\(name).avif")
        let found = try #require(file.firstRange(of: Array(text.utf8)))
        let start = found.upperBound + count
        file.replaceSubrange(start..<start + bytes.count, with: bytes)
        return file
    }

    @Test("The header tells depth, transparency, grey and the number of frames")
    func headers() throws {
        #expect(try Self.info("chroma-420").bitDepth == 8 && Self.info("ten-bits").bitDepth == 10)
        #expect(try Self.info("twelve-bits").bitDepth == 12)
        #expect(try Self.info("alpha").hasAlpha && !Self.info("grey").hasAlpha)
        #expect(try Self.info("grey").colorModel == .grey && Self.info("alpha").colorModel == .rgb)
        let grid = try Self.info("grid")
        #expect(grid.width == 256 && grid.height == 192)
        let result = try Thumbnailer().thumbnails(of: ForeignFileTests.file("animated.avif"))
        #expect(result.info.frames == 3 && result.notes == ["only the first of 3 frames is used"])
    }

    @Test("A grid whose tiles are in another order than their numbers is unsupported")
    func orderOfTiles() throws {
        // Debian's libavif ignores the order, so the thumbnail had the tiles in the wrong places.
        let turned = try Self.file("grid", after: "dimg", skipping: 4, [0, 3, 0, 2])
        #expect(failure(of: turned)?.code == .unsupported)
    }

    /// libavif 0.11 ignores their transparency, so that a hidden colour, often black, was shown without it.
    @Test("A grid of transparent tiles is unsupported before libavif 1.0")
    func transparentTiles() throws {
        let file = try ForeignFileTests.file("grid.avif")
        let plain = try ImageHeader(of: ImageInput(file))
        #expect(plain.notes.isEmpty)
        let tile = try HEIFItems.tile(of: file)
        let transparent = AVIFParts(file).adding(alphaOf: tile)
        if AVIFLibrary.readsAlphaOfTiles {
            #expect(try ImageHeader(of: ImageInput(transparent)).info.hasAlpha)
        } else {
            #expect(failure(of: transparent)?.code == .unsupported)
        }
    }

    @Test("Rotation and mirroring are those of the picture's properties")
    func orientation() throws {
        #expect(try Self.info("turned").orientation == 5)
        let result = try Thumbnailer().thumbnails(of: ForeignFileTests.file("turned.avif"))
        #expect(result.thumbnails[0].width == 16 && result.thumbnails[0].height == 24)
        // Quarter turns to the left, and the axis of the mirror.
        for (turns, axis, expected) in [(0, 0, 4), (0, 1, 2), (1, 1, 7), (2, 0, 2), (2, 1, 4), (3, 0, 7), (3, 1, 5)] {
            var file = try Self.file("turned", after: "irot", skipping: 0, [UInt8(turns)])
            let mirror = try #require(file.firstRange(of: Array("imir".utf8)))
            file[mirror.upperBound] = UInt8(axis)
            #expect(try ImageInfo(bytes: file).orientation == expected, "\(turns) \(axis)")
        }
    }

    @Test("A declared size is checked before memory is taken, and is the size of the result")
    func sizes() throws {
        let huge = try Self.file("grey", after: "ispe", skipping: 4, [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        #expect(failure(of: huge)?.description == "too-many-pixels: 65535x65535 (limit 100000000)")
        let largest = try Self.file("grey", after: "ispe", skipping: 4, [UInt8](repeating: 0xFF, count: 8))
        #expect(failure(of: largest)?.code == .tooManyPixels)
        let other = try Self.file("grey", after: "ispe", skipping: 4, [0, 0, 0, 60, 0, 0, 0, 43])
        #expect(try decode(other).width == 60)
        let empty = try Self.file("grey", after: "ispe", skipping: 4, [0, 0, 0, 0])
        #expect(failure(of: empty)?.code == .corrupt)
    }

    @Test("The decoded planes count as memory")
    func memory() throws {
        let file = try Self.file("grey", after: "ispe", skipping: 4, [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10])
        var options = ThumbnailOptions()
        options.limits.memory = 64 << 20
        #expect(failure(of: file, options)?.code == .decodeLimit)
    }

    /// dav1d 1.0 does not compare the end of a tile's symbols with that of its data, and the picture is visibly wrong.
    @Test("Changed data that only libaom refuses are damage", arguments: ["chroma-420", "ten-bits", "alpha", "grid"])
    func changedData(name: String) throws {
        try AVIFLibrary.load()
        try #require(AVIFLibrary.hasCheckingDecoder, "libavif has no libaom")
        let file = try ForeignFileTests.file("\(name).avif")
        let start = try #require(file.firstRange(of: Array("mdat".utf8))).upperBound
        var salvaging = ThumbnailOptions()
        salvaging.salvages = true
        var (refused, unnoticed) = (0, 0)
        for place in stride(from: start, to: file.count, by: max(1, (file.count - start) / 60)) {
            var changed = file
            changed[place] ^= 0x10
            guard let strict = Self.refusal(of: changed, checks: true) else { continue }
            refused += 1
            #expect(failure(of: changed)?.code == strict.code)
            guard Self.refusal(of: changed, checks: false) == nil else { continue }
            unnoticed += 1
            #expect(try Thumbnailer(salvaging).thumbnails(of: changed).damage?.code == .corrupt)
        }
        #expect(refused > 20 && unnoticed > 0, "\(refused), \(unnoticed)")
    }

    /// Returns why one of libavif's decoders refuses the picture.
    private static func refusal(of file: [UInt8], checks: Bool) -> ImagingError? {
        do throws(ImagingError) {
            let info = try ImageInfo(bytes: file)
            try AVIFReader(info, checks: checks).decode(file, info)
            return nil
        } catch {
            return error
        }
    }

    @Test("Without memory for libaom, dav1d decodes the same pixels, with a note")
    func littleMemory() throws {
        let file = try ForeignFileTests.file("grid.avif")
        let usual = try Thumbnailer().open(ImageInput(file))
        #expect(usual.usesCheckingDecoder && usual.checkingBytes == 256 * 192 * 13)
        var options = ThumbnailOptions()
        options.limits.memory = usual.memory - 1
        let small = try Thumbnailer(options).open(ImageInput(file))
        #expect(!small.usesCheckingDecoder && small.memory == usual.memory - usual.checkingBytes)
        let result = try Thumbnailer(options).thumbnails(of: file)
        #expect(result.notes == ["dav1d decoded, which finds less damage than libaom"])
        #expect(try result.thumbnails == Thumbnailer().thumbnails(of: file).thumbnails)
    }

    @Test("A file of another brand that AVIF readers can read is AVIF, and any other is not")
    func brands() {
        let start: [UInt8] = [0, 0, 0, 24] + Array("ftypmif1".utf8) + [0, 0, 0, 0]
        #expect(ImageFormat(sniffing: start + Array("miafavif".utf8)) == .avif)
        #expect(ImageFormat(sniffing: start + Array("miafheic".utf8)) == .heic)
        #expect(ImageFormat(sniffing: start + Array("miaf".utf8)) == .heic)
    }
}

extension HEIFItems {
    /// Returns the number of the first tile of a grid.
    fileprivate static func tile(of file: [UInt8]) throws -> UInt16 {
        var window = ByteWindow(ImageInput(file))
        let items = try HEIFItems(&window)
        return UInt16(try #require(items.targets(of: "dimg", from: items.primary).first))
    }
}

@Suite("Writing AVIF", .timeLimit(.minutes(10))) struct AVIFWritingTests {
    @Test("Colours, grey and transparency survive", arguments: [PixelLayout.rgb, .rgba, .grey, .greyAlpha])
    func layouts(layout: PixelLayout) throws {
        let image = SampleImages.make(64, 48, layout) { x, y in
            let color = layout.channels > 2 ? [UInt8(x * 4), UInt8(y * 5), UInt8(255 - x * 3)] : [UInt8(x * 2 + y * 2)]
            return color + (layout.hasAlpha ? [UInt8(x < 32 ? 255 : 100 + y * 3)] : [])
        }
        var encoder = ImageEncoder(.avif)
        encoder.quality = 95
        let decoded = try decode(encoder.encode(image))
        #expect(decoded.layout == (layout == .greyAlpha ? .rgba : layout))
        #expect(decoded.distance(to: image.expanded(to: decoded.layout)) <= 16)
    }

    @Test("A higher quality is closer to the image and takes more bytes")
    func qualities() throws {
        let made = try [20, 50, 80, 95].map { quality in
            var encoder = ImageEncoder(.avif)
            encoder.quality = quality
            return try encoder.encode(EncodingOptionTests.busy)
        }
        #expect(made.map(\.count) == made.map(\.count).sorted() && made[0].count * 2 < made[3].count)
        let errors = try made.map { file in
            try zip(decode(file).bytes, EncodingOptionTests.busy.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        #expect(errors == errors.sorted(by: >))
    }

    @Test("Quantizers fall with the quality, from the coarsest to lossless")
    func quantizers() {
        let all = (1...100).map { AVIFQuality.quantizer(forQuality: $0) }
        #expect(all == all.sorted(by: >) && all[0] == 63 && all[79] == 22 && all[99] == 0)
    }

    @Test("A lower speed gives another file, and each speed the same one again")
    func speeds() throws {
        let files = try [10, 10, 2].map { speed in
            try EncodingOptionTests.result {
                $0.format = .avif
                $0.speed = speed
            }.thumbnails[0].bytes
        }
        #expect(files[0] == files[1] && files[0] != files[2])
    }

    @Test("The orientation turns the pixels, because readers of AVIF ignore EXIF's", arguments: 1...8)
    func orientation(number: Int) throws {
        let image = SampleImages.quarters(48, 32)
        var encoder = ImageEncoder(.avif)
        (encoder.orientation, encoder.quality, encoder.subsampling) = (number, 95, .full)
        let file = try encoder.encode(image)
        #expect(try ImageInfo(bytes: file).orientation == 1)
        #expect(try decode(file).distance(to: image.upright(from: number)) <= 60)
    }
}
