// SPDX-License-Identifier: MIT

/// As much of a gzip writer as a bomb takes.
enum Deflate {
    /// Zeros in a gzip stream: 258 for each block, of 13 bits.
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
        // The last block, with the codes that every reader knows; a zero, and then "258 more of what was there before".
        put([1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0], into: &bytes)
        for _ in 0..<blocks { put([1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0], into: &bytes) }
        put([0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0], into: &bytes)
        return bytes
    }
}
