// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceParquet

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
