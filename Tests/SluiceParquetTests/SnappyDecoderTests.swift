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
