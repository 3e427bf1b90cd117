// SPDX-License-Identifier: MIT

/// Encodes a picture of one colour as an uncompressed PNG.
struct TinyPNG {
    let width: Int
    let height: Int
    let color: (UInt8, UInt8, UInt8)

    var bytes: [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var head = big(UInt32(width))
        head += big(UInt32(height))
        head += [8, 2, 0, 0, 0]
        return signature + chunk("IHDR", head) + chunk("IDAT", stream) + chunk("IEND", [])
    }

    /// The rows in one stored block of a zlib stream, which holds up to 65,535 bytes.
    private var stream: [UInt8] {
        let pixel = [color.0, color.1, color.2]
        var row: [UInt8] = [0]
        for _ in 0..<width { row += pixel }
        var rows: [UInt8] = []
        for _ in 0..<height { rows += row }
        let count = UInt16(rows.count)
        var stream: [UInt8] = [0x78, 0x01, 0x01]
        for number in [count, ~count] { stream += [UInt8(number & 255), UInt8(number >> 8)] }
        return stream + rows + big(adler(rows))
    }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return big(UInt32(content.count)) + body + big(crc(body))
    }

    private func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
