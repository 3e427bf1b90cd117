// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Reads JPEG XL; `ForeignFileTests` compares its pixels with those of djxl.
@Suite("JPEG XL", .timeLimit(.minutes(5))) struct JXLTests {
    private static let hasLibrary = Codec.jxl.loader?.load() == true

    private func header(_ name: String) throws -> ImageHeader {
        try ImageHeader(of: ImageInput(ForeignFileTests.file("\(name).jxl")))
    }

    @Test(
        "The header has the facts that the library's own tool reports",
        arguments: [
            ("alpha", 8, "rgb", true, 1, false), ("grey-alpha", 8, "grey", true, 1, false),
            ("deep", 16, "rgb", false, 1, false), ("jpeg", 8, "rgb", false, 6, false),
            ("p3", 8, "rgb", false, 1, true), ("progressive", 8, "rgb", false, 1, false),
        ])
    func facts(name: String, depth: Int, model: String, hasAlpha: Bool, orientation: Int, hasProfile: Bool) throws {
        let info = try header(name).info
        #expect(info.format == .jxl && info.width == 60 && info.height == 44)
        #expect(info.bitDepth == depth && info.colorModel.rawValue == model && info.hasAlpha == hasAlpha)
        #expect(info.orientation == orientation && info.hasProfile == hasProfile)
    }

    @Test("A container's EXIF is read, and its orientation does not count")
    func exif() throws {
        func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(body.count + 8)] + Array(name.utf8) + body
        }
        // A directory with one entry, the orientation 6.
        let block: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let file =
            box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
            + box("Exif", [0, 0, 0, 0] + block) + box("jxlc", Self.dynamicRanges[0].file)
        let header = try ImageHeader(of: ImageInput(file))
        #expect(header.exif == block && header.info.orientation == 1)
        // JPEGs that were packed without loss are turned by the codestream.
        #expect(try self.header("jpeg").info.orientation == 6)
    }

    /// Two frames of 16x16 pixels, a red one and a blue one.
    private static let animation: [UInt8] = [
        0xFF, 0x0A, 0x43, 0x04, 0x03, 0x08, 0x28, 0x2E, 0x09, 0x08, 0x02, 0x92, 0x09, 0x00, 0x00, 0x94, 0x00, 0x4B,
        0x12, 0x09, 0x12, 0x18, 0x38, 0x04, 0x41, 0x48, 0x81, 0x05, 0x13, 0x63, 0xF0, 0x3C, 0x31, 0x4E, 0x9C, 0x18,
        0xE3, 0xC4, 0x18, 0xE7, 0x00, 0x0C, 0x8D, 0x5E, 0x32, 0x50, 0x68, 0x39, 0x14, 0x2A, 0x7F, 0x40, 0x05, 0x2F,
        0x08, 0x02, 0x92, 0x05, 0x00, 0xA0, 0x00, 0x4B, 0x12, 0x09, 0x12, 0x18, 0x38, 0x04, 0x41, 0x48, 0x81, 0x05,
        0x19, 0x63, 0xF0, 0x3C, 0x31, 0x66, 0x9C, 0x38, 0x71, 0x62, 0x8C, 0x73, 0x00, 0x86, 0x06, 0x94, 0xB3, 0x29,
        0x60, 0xF2, 0x71, 0x03, 0x32, 0x22, 0x2A, 0x7B, 0xF0, 0x7A, 0x21,
    ]

    @Test("Of an animation the first frame is used, with a note")
    func firstFrame() throws {
        let header = try ImageHeader(of: ImageInput(Self.animation))
        #expect(header.notes == ["only the first frame of the animation is used"])
        guard Self.hasLibrary else { return }
        #expect(try decode(Self.animation) == SampleImages.plain(16, 16, .rgb, [200, 0, 0]))
    }

    /// The self-test's picture of cjxl, with the colours of BT.2100.
    private static let dynamicRanges: [(name: String, file: [UInt8])] = [
        (
            "PQ",
            [
                0xFF, 0x0A, 0x43, 0x04, 0x10, 0x90, 0x47, 0x8F, 0x38, 0x1C, 0x00, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02,
                0x01,
                0x00, 0xB8, 0x00, 0x4B, 0x18, 0x93, 0x8E, 0x83, 0x83, 0x29, 0x11, 0xE3, 0x06, 0xC4, 0x23, 0x5D, 0x31,
                0x06,
                0x2F, 0x8D, 0x31, 0x78, 0xE9, 0x05, 0x02, 0x02, 0x90, 0x81, 0x3E, 0x1A, 0x00, 0x00, 0xE4, 0xD4, 0x10,
                0x00,
                0x40, 0x00, 0x40, 0x06, 0xA9, 0x95, 0xCE, 0xFB, 0x90, 0x46, 0x07, 0x78, 0x3C,
            ]
        ),
        (
            "HLG",
            [
                0xFF, 0x0A, 0x43, 0x04, 0x10, 0x90, 0x67, 0x20, 0xD0, 0x63, 0x00, 0x00, 0x00, 0x00, 0x08, 0x08, 0x02,
                0x01,
                0x00, 0xB8, 0x00, 0x4B, 0x18, 0x93, 0x8E, 0x83, 0x83, 0x29, 0x11, 0xE3, 0x06, 0xC4, 0x23, 0x5D, 0x31,
                0x06,
                0x2F, 0x8D, 0x31, 0x78, 0xE9, 0x05, 0x02, 0x02, 0x90, 0x81, 0x3E, 0x1A, 0x00, 0x00, 0xE4, 0xD4, 0x10,
                0x00,
                0x40, 0x00, 0x40, 0x06, 0xA9, 0x95, 0xCE, 0xFB, 0x90, 0x46, 0x07, 0x78, 0x3C,
            ]
        ),
    ]

    @Test("High dynamic range is reduced, with a note", arguments: dynamicRanges)
    func dynamicRange(name: String, file: [UInt8]) throws {
        let header = try ImageHeader(of: ImageInput(file))
        #expect(header.dynamicRange?.transfer.rawValue == name && header.info.bitDepth == 16)
        guard Self.hasLibrary else { return }
        let result = try Thumbnailer(.allowingAll).thumbnails(of: file)
        #expect(result.notes == ["high dynamic range (\(name)) reduced to sRGB"])
    }

    @Test("The library's profile is used, for colours that the header only names")
    func profile() throws {
        guard Self.hasLibrary else { return }
        let input = ImageInput(try ForeignFileTests.file("p3.jxl"))
        let profile = try #require(try ImageHeader(of: input).readProfile(input))
        #expect(profile.count > 128 && profile[36..<40].elementsEqual("acsp".utf8))
    }

    @Test("A container with a missing or cut part is truncated without the library")
    func truncation() throws {
        let file = try ForeignFileTests.file("progressive.jxl")
        var checkOnly = ThumbnailOptions.allowingAll
        checkOnly.sizes = []
        for count in [1, 11, 12, 40, file.count / 2, file.count - 1] {
            #expect(failure(of: Array(file.prefix(count)), checkOnly)?.code == .truncated, "\(count) bytes")
        }
    }

    @Test("A cut codestream is truncated, which the library finds", arguments: ["lossy", "alpha", "deep", "grey"])
    func cutCodestream(name: String) throws {
        guard Self.hasLibrary else { return }
        let file = try ForeignFileTests.file("\(name).jxl")
        for count in [60, file.count / 4, file.count - 1] {
            #expect(failure(of: Array(file.prefix(count)), .allowingAll)?.code == .truncated, "\(count) bytes")
        }
    }

    /// Writes the fields of a codestream's header, lowest bits first.
    private struct Fields {
        var bytes: [UInt8] = []
        private var position = 0

        mutating func add(_ value: Int, _ count: Int) {
            for index in 0..<count {
                if position % 8 == 0 { bytes.append(0) }
                bytes[position / 8] |= UInt8(value >> index & 1) << UInt8(position % 8)
                position += 1
            }
        }

        init(_ fields: [(value: Int, count: Int)]) {
            add(0x0AFF, 16)
            for field in fields { add(field.value, field.count) }
            for _ in 0..<16 { bytes.append(0) }
        }
    }

    private func header(_ fields: [(value: Int, count: Int)]) throws -> ImageHeader {
        try ImageHeader(of: ImageInput(Fields(fields).bytes))
    }

    @Test(
        "Sizes are stated in eights or in pixels, and widths by their proportion",
        arguments: [
            ([(1, 1), (4, 5), (0, 3), (9, 5)], 80, 40), ([(1, 1), (4, 5), (1, 3)], 40, 40),
            ([(1, 1), (4, 5), (2, 3)], 48, 40), ([(1, 1), (4, 5), (7, 3)], 80, 40),
            ([(0, 1), (0, 2), (99, 9), (4, 3)], 150, 100), ([(0, 1), (0, 2), (99, 9), (5, 3)], 177, 100),
            ([(0, 1), (1, 2), (4999, 13), (0, 3), (2, 2), (69_999, 18)], 70_000, 5000),
        ] as [([(Int, Int)], Int, Int)])
    func sizes(fields: [(Int, Int)], width: Int, height: Int) throws {
        let info = try header(fields.map { ($0.0, $0.1) } + [(1, 1)]).info
        #expect(info.width == width && info.height == height)
    }

    @Test("A large picture of one frame of coefficients takes little memory, and no other")
    func memory() throws {
        /// A picture of 24 megapixels with samples of some bits, whose first frame has a type and an encoding.
        func header(bits: Int, type: Int, encoding: Int) throws -> ImageHeader {
            // Size; not all by default, no orientation; samples; small buffers; no channels; XYB; sRGB.
            var fields = [(0, 1), (1, 2), (3999, 13), (0, 3), (1, 2), (5999, 13), (0, 1), (0, 1), (0, 1)]
            fields += bits == 8 ? [(0, 2)] : [(3, 2), (bits - 1, 6)]
            fields += [(1, 1), (0, 2), (1, 1), (1, 1), (0, 2), (1, 1)]
            let used = 16 + fields.reduce(0) { $0 + $1.1 }
            fields.append((0, (8 - used % 8) % 8))
            // The frame: not all by default; its type and encoding; no flags, not enlarged, two scales, one pass; the
            // whole canvas, replaced; the last.
            fields += [(0, 1), (type, 2), (encoding, 1), (0, 2), (0, 2), (0, 6), (0, 2), (0, 1), (0, 2), (1, 1)]
            return try self.header(fields.map { ($0.0, $0.1) })
        }
        let usual = ImageLimits().memory * 31 / 32
        #expect(try header(bits: 8, type: 0, encoding: 0).wholeImageBytes == 24_000_000 * 8)
        let deep = try header(bits: 16, type: 0, encoding: 0)
        #expect(deep.wholeImageBytes < usual && deep.info.bitDepth == 8)
        #expect(deep.notes == ["large, so reduced to 8 bits per sample"])
        #expect(try header(bits: 8, type: 0, encoding: 1).wholeImageBytes > usual)
        #expect(try header(bits: 8, type: 2, encoding: 0).wholeImageBytes > usual)
    }

    /// A bug: 8 bits of linear light made steps in the dark parts of `patches` of the conformance suite.
    @Test("Linear light, which the library also makes of XYB with a profile, has 16 bits")
    func linearLight() throws {
        func depth(isXYB: Bool, hasProfile: Bool, transfer: Int) throws -> Int {
            // Size; not all by default, no orientation; 8 bits; small buffers; no channels; colours not by default;
            // RGB, D65, the primaries of sRGB, no gamma, the curve, the intent.
            try header(
                [
                    (1, 1), (0, 5), (1, 3), (0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (0, 2), (isXYB ? 1 : 0, 1), (0, 1),
                    (hasProfile ? 1 : 0, 1), (0, 2), (1, 2), (1, 2), (0, 1), (2, 2), (transfer - 2, 4), (0, 2),
                ]
            ).info.bitDepth
        }
        #expect(try depth(isXYB: true, hasProfile: true, transfer: 13) == 16)
        #expect(try depth(isXYB: false, hasProfile: true, transfer: 13) == 8)
        #expect(try depth(isXYB: false, hasProfile: false, transfer: 8) == 16)
        #expect(try depth(isXYB: true, hasProfile: false, transfer: 13) == 8)
    }

    /// An 8x8 picture with one extra channel of a type.
    private func fields(extraChannel type: Int) -> [(value: Int, count: Int)] {
        // Size; not all by default, no orientation; 8 bits; small buffers; one channel, not by default; its type,
        // 8 bits, no shift, no name.
        [
            (1, 1), (0, 5), (1, 3), (0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (1, 2), (0, 1), (2, 2), (type - 2, 4),
            (0, 1), (0, 2), (0, 2), (0, 2), (1, 1), (1, 1),
        ]
    }

    @Test("CMYK is unsupported, other channels than transparency are ignored, and too many are refused")
    func channels() throws {
        let black = #expect(throws: ImagingError.self) { try header(fields(extraChannel: 4)) }
        #expect(black?.code == .unsupported)
        #expect(try !header(fields(extraChannel: 3)).info.hasAlpha)
        // The number of channels is 1 and 12 bits.
        let many = Array(fields(extraChannel: 3).prefix(8)) + [(3, 2), (4000, 12)]
        #expect(throws: ImagingError.self) { try header(many) }
    }
}
