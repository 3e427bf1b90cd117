// SPDX-License-Identifier: MIT

/// Corrects the checksums of a PNG, which a fuzzer cannot guess; libpng stops at a wrong one.
enum PNGChecksums {
    /// Returns the file with the correct checksum after each complete chunk.
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var start = 8
        while start + 12 <= bytes.count {
            let length = Int(bytes[start..<start + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
            guard length <= bytes.count - start - 12 else { break }
            let end = start + 8 + length
            let checksum = checksum(of: bytes[start + 4..<end])
            for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - index * 8)) }
            start = end + 4
        }
        return bytes
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
}
