// SPDX-License-Identifier: MIT

/// Builds image files byte by byte, including files that no encoder would write.
enum FileBuilder {
    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Makes a PNG chunk; `claiming` sets a false length.
    static func chunk(_ name: String, _ body: [UInt8], claiming length: UInt32? = nil) -> [UInt8] {
        let named = Array(name.utf8) + body
        return (length ?? UInt32(body.count)).bigEndianBytes + named + crc32(named).bigEndianBytes
    }

    /// Makes a PNG's header chunk.
    static func header(width: UInt32, height: UInt32, depth: UInt8 = 8, colors: UInt8 = 2, interlaced: Bool = false)
        -> [UInt8]
    {
        let body = width.bigEndianBytes + height.bigEndianBytes + [depth, colors, 0, 0, interlaced ? 1 : 0]
        return chunk("IHDR", body)
    }

    /// Makes a PNG of rows, each preceded by its filter byte, in stored zlib blocks.
    static func png(header: [UInt8], before: [UInt8] = [], rows: [UInt8]) -> [UInt8] {
        pngSignature + header + before + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
    }

    /// Inserts chunks after a PNG's header.
    static func png(_ file: [UInt8], inserting chunks: [UInt8]) -> [UInt8] {
        Array(file.prefix(33)) + chunks + file.dropFirst(33)
    }

    /// Wraps bytes in a zlib stream without compression.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(65535)
            let count = UInt16(block.count)
            out += [rest.isEmpty ? 1 : 0] + count.littleEndianBytes + (~count).littleEndianBytes + block
        } while !rest.isEmpty
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return out + (high << 16 | low).bigEndianBytes
    }

    /// Makes a WebP from chunks.
    static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + UInt32(chunks.count + 4).littleEndianBytes + Array("WEBP".utf8) + chunks
    }

    /// Makes a WebP chunk.
    static func riffChunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + UInt32(body.count).littleEndianBytes + body + (body.count % 2 == 1 ? [0] : [])
    }

    /// Makes the extended form of a plain WebP, with chunks before and after its image.
    static func extendedWebP(
        _ plain: [UInt8], width: Int, height: Int, flags: UInt8, before: [UInt8] = [], after: [UInt8] = []
    ) -> [UInt8] {
        let size = UInt32(width - 1).littleEndianBytes.prefix(3) + UInt32(height - 1).littleEndianBytes.prefix(3)
        // An image with alpha has the extended form already.
        let isExtended = plain.dropFirst(12).starts(with: Array("VP8X".utf8))
        let flags = isExtended ? flags | plain[20] : flags
        let chunks = plain.dropFirst(isExtended ? 30 : 12)
        return riff(riffChunk("VP8X", [flags, 0, 0, 0] + size) + before + chunks + after)
    }

    /// Makes a box of an ISO base media file.
    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        UInt32(content.count + 8).bigEndianBytes + Array(type.utf8) + content
    }

    /// Makes a JPEG segment.
    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + UInt16(body.count + 2).bigEndianBytes + body
    }

    /// Inserts segments after a JPEG's start marker.
    static func jpeg(_ file: [UInt8], inserting segments: [UInt8]) -> [UInt8] {
        Array(file.prefix(2)) + segments + file.dropFirst(2)
    }

    /// Makes a JPEG's frame header with arbitrary values.
    static func frame(width: UInt16, height: UInt16, marker: UInt8 = 0xC0, depth: UInt8 = 8) -> [UInt8] {
        segment(marker, [depth] + height.bigEndianBytes + width.bigEndianBytes + [1, 1, 0x11, 0])
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { littleEndianBytes.reversed() }
    var littleEndianBytes: [UInt8] { (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}
