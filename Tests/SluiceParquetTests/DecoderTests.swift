// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceParquet

@Suite("Snappy", .timeLimit(.minutes(10))) struct SnappyDecoderTests {
    private func text(_ block: [UInt8], size: Int) -> String? {
        SnappyDecoder.decompress(block[...], size: size).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Literals, and copies with offsets of one, two and four bytes")
    func elements() {
        #expect(text([0], size: 0)?.isEmpty == true)
        #expect(text([3, 0x08] + "abc".utf8, size: 3) == "abc")
        #expect(text([7, 0x08] + "abc".utf8 + [0x01, 3], size: 7) == "abcabca", "a copy may overlap its target")
        #expect(text([6, 0x08] + "abc".utf8 + [0x0A, 3, 0], size: 6) == "abcabc")
        #expect(text([6, 0x08] + "abc".utf8 + [0x0B, 3, 0, 0, 0], size: 6) == "abcabc")
        let long = [UInt8](repeating: 0x78, count: 300)
        #expect(SnappyDecoder.decompress(([0xAC, 2, 0xF4, 0x2B, 1] + long)[...], size: 300) == long)
    }

    @Test(
        "Invalid blocks are refused",
        arguments: [
            [], [4, 0x08, 97, 98, 99], [3, 0x08, 97, 98], [3, 0x08, 97, 98, 99, 0], [7, 0x08, 97, 98, 99, 0x01, 4],
            [7, 0x08, 97, 98, 99, 0x01, 0], [4, 0x01, 1], [3, 0xF4], [3, 0xF8, 255, 255, 255],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], [6, 0x08, 97, 98, 99, 0x0A, 3],
        ] as [[UInt8]])
    func invalid(block: [UInt8]) {
        for size in [0, 3, 4, 6, 7] { #expect(SnappyDecoder.decompress(block[...], size: size) == nil) }
    }
}

@Suite("LZ4 decoder", .timeLimit(.minutes(10))) struct LZ4DecoderTests {
    /// `ab`, and a copy of eight bytes that overlaps itself; then `c` alone.
    private let block: [UInt8] = [0x24, 0x61, 0x62, 2, 0, 0x10, 0x63]
    private let text = Array("abababababc".utf8)

    @Test("Decompresses literals and copies, also of long lengths")
    func blocks() {
        #expect(LZ4Decoder.decompress(block[...], size: 11) == text)
        let long = [0xF0, 255, 30] + [UInt8](repeating: 7, count: 300)
        #expect(LZ4Decoder.decompress(long[...], size: 300) == [UInt8](repeating: 7, count: 300))
        #expect(LZ4Decoder.decompress([0], size: 0) == [])
    }

    @Test(
        "Refuses blocks that are invalid",
        arguments: [
            [], [0x24, 0x61], [0x24, 0x61, 0x62, 3, 0, 0x10, 0x63], [0x24, 0x61, 0x62, 0, 0, 0x10, 0x63],
            [0x24, 0x61, 0x62, 2], [0x2F, 0x61, 0x62, 2, 0, 255], [0xF0, 255], [0x24, 0x61, 0x62, 2, 0],
            [0x24, 0x61, 0x62, 2, 0, 0x20, 0x63, 0x64],
        ] as [[UInt8]])
    func invalid(block: [UInt8]) {
        #expect(LZ4Decoder.decompress(block[...], size: 11) == nil)
        #expect(LZ4Decoder.decompressHadoop(block[...], size: 11) == nil)
    }

    @Test("Decompresses the parts and blocks of Hadoop's framing, and blocks without framing")
    func framing() {
        #expect(LZ4Decoder.decompressHadoop(block[...], size: 11) == text)
        let framed = [0, 0, 0, 11, 0, 0, 0, 7] + block
        #expect(LZ4Decoder.decompressHadoop(framed[...], size: 11) == text)
        let parts = framed + [0, 0, 0, 22, 0, 0, 0, 7] + block + [0, 0, 0, 7] + block
        #expect(LZ4Decoder.decompressHadoop(parts[...], size: 33) == text + text + text)
        #expect(LZ4Decoder.decompressHadoop(parts.dropLast(), size: 33) == nil)
        #expect(LZ4Decoder.decompressHadoop(parts[...], size: 34) == nil)
        let huge: [UInt8] = [255, 255, 255, 255, 0, 0, 0, 7] + block
        #expect(LZ4Decoder.decompressHadoop(huge[...], size: 11) == nil)
    }
}

@Suite("Delta decoder", .timeLimit(.minutes(10))) struct DeltaDecoderTests {
    private func decode(_ bytes: [UInt8], maxCount: Int = 100) throws(ParquetError) -> [Int] {
        var decoder = DeltaDecoder(bytes, at: 0)
        return try decoder.integers(maxCount: maxCount)
    }

    @Test("Decodes the examples of the format's definition")
    func examples() throws {
        // 1, 2, 3, 4, 5: the differences are equal, so they take no bits.
        #expect(try decode([0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0]) == [1, 2, 3, 4, 5])
        // 7, 5, 3, 1, 2, 3, 4, 5: the smallest difference is -2, the others take two bits.
        let packed: [UInt8] = [0xC0, 0x3F] + [UInt8](repeating: 0, count: 6)
        #expect(try decode([0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0] + packed) == [7, 5, 3, 1, 2, 3, 4, 5])
        #expect(try decode([0x80, 1, 4, 0, 0]) == [])
        #expect(try decode([0x80, 1, 4, 1, 1]) == [-1])
    }

    @Test("Decodes differences of 64 bits that overflow")
    func wide() throws {
        let smallest = [UInt8](repeating: 0xFF, count: 9) + [1]
        let first = [UInt8](repeating: 0xFF, count: 9) + [1]
        let part = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 31 * 8)
        // The first is the smallest integer, and so is the smallest difference.
        #expect(try decode([0x80, 1, 4, 2] + first + smallest + [64, 0, 0, 0] + part) == [.min, -1])
    }

    @Test(
        "Refuses sequences that are invalid",
        arguments: [
            [], [0x80, 1, 4, 5, 2], [0x80, 1, 4, 5, 2, 2, 0, 0], [0x80, 1, 0, 5, 2], [0, 4, 5, 2],
            [0x81, 1, 4, 5, 2, 2],
            [0x80, 1, 4, 5, 2, 2, 65, 0, 0, 0], [0x80, 1, 4, 5, 2, 2, 2, 0, 0, 0, 1],
            [0x80, 1, 4, 101, 2, 2, 0, 0, 0, 0],
        ] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        #expect(throws: ParquetError.self) { try decode(bytes) }
    }
}

@Suite("Runs and bit-packed groups", .timeLimit(.minutes(10))) struct HybridEncoderTests {
    private func encoded(_ values: [UInt32], width: Int) -> [UInt8] {
        var encoder = HybridEncoder(width: width)
        for value in values { encoder.append(value) }
        return encoder.finish()
    }

    @Test("The example of the format's documentation: 0 to 7 in three bits")
    func packed() { #expect(encoded(Array(0..<8), width: 3) == [3, 0b1000_1000, 0b1100_0110, 0b1111_1010]) }

    @Test("Eight equal values are a run, and the last group is filled up")
    func runs() {
        #expect(encoded([], width: 1).isEmpty)
        #expect(encoded([UInt32](repeating: 1, count: 8), width: 1) == [16, 1])
        #expect(encoded([UInt32](repeating: 300, count: 100), width: 9) == [0xC8, 1, 0x2C, 1])
        #expect(encoded([1, 0, 1], width: 1) == [3, 0b101])
        #expect(encoded([0] + [UInt32](repeating: 1, count: 17), width: 1) == [3, 0b1111_1110, 20, 1])
    }

    @Test("The width of the largest value")
    func widths() {
        #expect([0, 1, 2, 255, 256].map(HybridEncoder.width) == [0, 1, 2, 8, 9])
    }
}

@Suite("Pages with gzip", .timeLimit(.minutes(10))) struct GzipPageTests {
    private let abc: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 74, 6, 0, 194, 65, 36, 53, 3, 0, 0, 0]
    private let defg: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 73, 77, 75, 7, 0, 89, 142, 109, 59, 4, 0, 0, 0]

    @Test("A page may consist of several members, and must have the stated size")
    func members() throws {
        let decoder = PageDecoder()
        #expect(try decoder.decompress((abc + defg)[...], .gzip, size: 7) == Array("abcdefg".utf8))
        #expect(try decoder.decompress(abc[...], .gzip, size: 3) == Array("abc".utf8))
        for (bytes, size) in [(abc + defg, 6), (abc + defg, 8), (abc + [1, 2, 3], 4), (abc + defg.dropLast(9), 7)] {
            #expect(throws: ParquetError.self) { try decoder.decompress(bytes[...], .gzip, size: size) }
        }
    }
}
