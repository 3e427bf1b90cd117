// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceParquet

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
