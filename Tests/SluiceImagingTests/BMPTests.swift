// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("BMP and QOI", .timeLimit(.minutes(5))) struct BMPTests {
    /// Makes a bitmap of 2x2 pixels with a Windows header of some size.
    private static func file(
        _ pixels: [UInt8], bits: Int, compression: UInt32 = 0, masks: [UInt32] = [], headerBytes: Int = 40,
        height: Int32 = 2
    ) -> [UInt8] {
        var header = [UInt32(headerBytes), 2, UInt32(bitPattern: height), UInt32(bits << 16 | 1), compression]
            .flatMap(\.littleEndianBytes)
        header += [UInt8](repeating: 0, count: 20)
        header += masks.flatMap(\.littleEndianBytes)
        header += [UInt8](repeating: 0, count: max(0, headerBytes - header.count))
        let start = UInt32(14 + header.count)
        return Array("BM".utf8) + (start + UInt32(pixels.count)).littleEndianBytes + [0, 0, 0, 0]
            + start.littleEndianBytes + header + pixels
    }

    @Test("Rows go from bottom to top, or from top to bottom if the height is negative")
    func direction() throws {
        let pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]
        let expected: [UInt8] = [9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4]
        #expect(try decode(Self.file(pixels, bits: 24)).bytes == expected)
        let reversed = try decode(Self.file(pixels, bits: 24, height: -2))
        #expect(reversed.bytes == Array(expected[6...] + expected[..<6]))
    }

    @Test("A bitmap of OS/2 may have a hot spot in the fields that Windows reserves")
    func hotSpot() throws {
        func file(_ hotSpot: [UInt8]) -> [UInt8] {
            Array("BM".utf8) + [26, 0, 0, 0] + hotSpot + [
                26, 0, 0, 0, 12, 0, 0, 0, 1, 0, 1, 0, 1, 0, 24, 0, 3, 2, 1, 0,
            ]
        }
        for hotSpot in [[0, 0, 0, 0], [21, 0, 16, 0]] as [[UInt8]] {
            #expect(ImageFormat(sniffing: file(hotSpot)) == .bmp)
            #expect(try decode(file(hotSpot)).bytes == [1, 2, 3])
        }
    }

    @Test("Channels of 16 bits have 5 bits each, or those of the masks")
    func masks() throws {
        let pixels: [UInt8] = [0x00, 0x7C, 0xE0, 0x03, 0x1F, 0x00, 0xFF, 0x7F]
        #expect(
            try decode(Self.file(pixels, bits: 16, height: -2)).bytes == [
                255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255,
            ])
        let wide: [UInt8] = [0x00, 0xF8, 0xE0, 0x07, 0x1F, 0x00, 0xFF, 0xFF]
        let file = Self.file(wide, bits: 16, compression: 3, masks: [0xF800, 0x07E0, 0x001F], height: -2)
        #expect(try decode(file).bytes == [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255])
    }

    @Test("Only newer headers have alpha, and alpha that is empty everywhere counts, too")
    func alpha() throws {
        let masks: [UInt32] = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
        let pixels: [UInt8] = [3, 2, 1, 128, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0]
        let file = Self.file(pixels, bits: 32, compression: 3, masks: masks, headerBytes: 108, height: -2)
        #expect(try decode(file).bytes == [1, 2, 3, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        let empty = [UInt8](repeating: 0, count: 16)
        let invisible = Self.file(empty, bits: 32, compression: 3, masks: masks, headerBytes: 108)
        #expect(try decode(invisible).bytes == empty)
        #expect(try decode(Self.file(pixels, bits: 32)).layout == .rgb)
    }

    @Test("Bitmaps of other programs' compressions are unsupported, and impossible ones corrupt")
    func refused() throws {
        let text = failure(of: Self.file([1, 2, 3, 4], bits: 24, compression: 4))
        #expect(text?.code == .unsupported && text?.detail == "BMP with 24 bits and compression 4")
        #expect(failure(of: Self.file([], bits: 24, height: 0))?.code == .corrupt)
        #expect(failure(of: Self.file([1, 2, 3], bits: 24))?.code == .truncated)
        #expect(failure(of: Self.file([1, 2, 3], bits: 24, height: .min))?.code == .tooManyPixels)
    }

    /// Such files were done, although all other decoders refuse them.
    @Test("A header that reaches into the pixels, and a palette that is not in the file, are corrupt")
    func impossiblePlaces() throws {
        var file = Self.file([1, 2, 3, 0], bits: 24)
        file[15] = 0xDE
        #expect(failure(of: file)?.detail == "the pixels begin in the BMP header")
        // Two colours are stated, and the file has none, which is fine; 131,072 are not.
        var few = Self.file([UInt8](repeating: 0, count: 8), bits: 1)
        few[46] = 2
        #expect(failure(of: few) == nil)
        few[48] = 2
        #expect(failure(of: few)?.detail == "a palette of 131074 colours")
    }

    /// `mmap_error.bmp` of Pillow was black; browsers show it so.
    @Test("A palette is read even if the pixels are said to begin with it")
    func palettePlace() throws {
        var file = Self.file([1, 0, 0, 0, 2, 0, 0, 0], bits: 8)
        file[46] = 3
        // The first pixel has the third colour, which the file lacks at first.
        #expect(try decode(file).bytes[0..<3] == [0, 0, 0])
        file += [9, 8, 7, 0]
        #expect(try decode(file).bytes[0..<3] == [7, 8, 9])
    }

    @Test("Pixels that runs leave out or state outside of the bitmap, and bytes after the pixels, are notes")
    func notes() throws {
        func notes(_ pixels: [UInt8], bits: Int, compression: UInt32 = 0) throws -> [String] {
            let file = Self.file(pixels, bits: bits, compression: compression)
            return try Thumbnailer().thumbnails(of: file).notes
        }
        let runs: [[UInt8]: [String]] = [
            [2, 1, 0, 0, 2, 2, 0, 1]: [],
            [2, 1, 0, 0, 2, 2, 0, 0]: [],
            [2, 1, 0, 0, 0, 1]: ["pixels that the runs leave out: 2 of 4"],
            [3, 1, 0, 0, 2, 2, 0, 1]: ["pixels of the runs outside of the bitmap: 1"],
        ]
        for (codes, expected) in runs {
            #expect(try notes(codes, bits: 8, compression: 1) == expected, "\(codes)")
        }
        let pixels = [UInt8](repeating: 9, count: 16)
        #expect(try notes(pixels + [0, 0, 0], bits: 24).isEmpty)
        #expect(try notes(pixels + [0, 0, 0, 0], bits: 24) == ["4 bytes after the pixels of the BMP"])
    }

    @Test("Each code of QOI has its pixels")
    func codes() throws {
        var file: [UInt8] = Array("qoif".utf8) + [0, 0, 0, 7, 0, 0, 0, 1, 4, 0]
        // A pixel, two repetitions, a small difference, a larger one, an earlier pixel, and one with alpha.
        let earlier: UInt8 = 9
        file += [0xFE, 10, 20, 30, 0xC1, 0x79, 0xA8, 0x9A, 0xFF, 1, 2, 3, 4, earlier]
        file += QOIDecoder.ending
        let pixels: [[UInt8]] = [
            [10, 20, 30, 255], [10, 20, 30, 255], [10, 20, 30, 255], [11, 20, 29, 255], [20, 28, 39, 255],
            [1, 2, 3, 4], [10, 20, 30, 255],
        ]
        #expect(try decode(file).bytes == pixels.flatMap { $0 })
        #expect(failure(of: Array(file.dropLast()))?.code == .truncated)
        // The last code is missing, there is one more, or the last run is longer than the picture.
        let end = file.count - QOIDecoder.ending.count
        for codes in [[], [earlier, earlier], [0xC1]] as [[UInt8]] {
            let other = file[..<(end - 1)] + codes + QOIDecoder.ending
            #expect(failure(of: Array(other))?.code == .corrupt, "\(codes)")
        }
        file[12] = 5
        #expect(failure(of: file)?.code == .corrupt)
    }
}
