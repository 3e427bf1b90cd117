// SPDX-License-Identifier: MIT

/// Corrects the checksums of a PNG, which a fuzzer cannot guess; libpng stops at a wrong one.
///
/// Also makes chunks.
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

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + body
        return bigEndian(UInt32(body.count)) + named + bigEndian(checksum(of: named[...]))
    }

    /// Wraps bytes in a zlib stream without compression.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(65535)
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            out += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        let (low, high) = bytes.reduce((1, 0) as (UInt32, UInt32)) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65521
            return (low, (sums.1 + low) % 65521)
        }
        return out + bigEndian(high << 16 | low)
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - $0 * 8)) }
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
}
