// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceParquet

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
