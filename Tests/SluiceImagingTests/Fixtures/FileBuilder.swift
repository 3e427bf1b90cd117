// SPDX-License-Identifier: MIT

@testable import SluiceImaging

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

/// Builds EXIF blocks with the directories that cameras write.
enum EXIFBlocks {
    typealias Entry = EXIFReader.Entry

    static func text(_ tag: Int, _ text: String) -> Entry {
        Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
    }

    static func short(_ tag: Int, _ value: UInt16, bigEndian: Bool) -> Entry {
        Entry(tag: tag, type: 3, count: 1, value: bigEndian ? value.bigEndianBytes : value.littleEndianBytes)
    }

    static func long(_ tag: Int, _ value: Int, bigEndian: Bool) -> Entry {
        Entry(
            tag: tag, type: 4, count: 1,
            value: bigEndian ? UInt32(value).bigEndianBytes : UInt32(value).littleEndianBytes)
    }

    /// Makes the block of a camera with a GPS receiver for a rotated photo.
    static func camera(bigEndian: Bool = true) -> [UInt8] {
        let main = [
            text(0x010F, "Kodak"), text(0x0110, "Brownie No. 2"), short(0x0112, 6, bigEndian: bigEndian),
            text(0x0132, "2024:05:06 07:08:09"), text(0x013B, "Ada Lovelace"), text(0x8298, "(c) Ada 2024"),
            text(0x02BC, "<x:xmpmeta>GPSLatitude 48.2</x:xmpmeta>"), text(0x83BB, "IPTC: Vienna"),
            short(0x0100, 4000, bigEndian: bigEndian),
        ]
        let exif = [
            text(0x9003, "2024:05:06 07:08:10"), short(0x8827, 400, bigEndian: bigEndian),
            text(0x927C, "maker's own notes of Vienna"), short(0xA002, 4000, bigEndian: bigEndian),
            text(0xA434, "Petzval 85mm"), text(0x9286, "ASCII\0\0\0A comment"),
        ]
        let gps = [
            text(0x0001, "N"), Entry(tag: 0x0002, type: 5, count: 3, value: [UInt8](repeating: 0x2A, count: 24)),
            text(0x001D, "2024:05:06"),
        ]
        return block(main: main, exif: exif, gps: gps, preview: "a small preview", bigEndian: bigEndian)
    }

    /// Makes a block of consecutive directories, with the preview's directory after the first.
    static func block(
        main: [Entry], exif: [Entry] = [], gps: [Entry] = [], preview: String = "", bigEndian: Bool = true
    ) -> [UInt8] {
        let previewEntries = [text(0x0103, "jpeg"), text(0x0201, preview)]
        let size = { (entries: [Entry]) in
            entries.reduce(6 + entries.count * 12) { $0 + ($1.value.count > 4 ? $1.value.count : 0) }
        }
        let pointers = main + [long(0x8769, 0, bigEndian: bigEndian), long(0x8825, 0, bigEndian: bigEndian)]
        let previewStart = 8 + size(pointers)
        let exifStart = previewStart + size(previewEntries)
        let gpsStart = exifStart + size(exif)
        let filled =
            main + [long(0x8769, exifStart, bigEndian: bigEndian), long(0x8825, gpsStart, bigEndian: bigEndian)]
        var out: [UInt8] = bigEndian ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] : [0x49, 0x49, 42, 0, 8, 0, 0, 0]
        out += directory(filled, at: 8, next: previewStart, bigEndian)
        out += directory(previewEntries, at: previewStart, next: 0, bigEndian)
        out += directory(exif, at: exifStart, next: 0, bigEndian)
        return out + directory(gps, at: gpsStart, next: 0, bigEndian)
    }

    private static func directory(_ entries: [Entry], at start: Int, next: Int, _ bigEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = UInt32(value).bigEndianBytes.suffix(count)
            return bigEndian ? Array(bytes) : bytes.reversed()
        }
        var table = number(entries.count, 2)
        var values: [UInt8] = []
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            table += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            if entry.value.count > 4 {
                table += number(start + 6 + entries.count * 12 + values.count, 4)
                values += entry.value
            } else {
                table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            }
        }
        return table + number(next, 4) + values
    }
}

/// Builds uncompressed TIFF files from tags and pixels.
enum TIFFBuilder {
    /// A page: its tags with values, and its pixels in one strip.
    struct Page {
        var width = 8
        var height = 8
        /// Tags with one or several values, besides those for size and strip; tags without values are left out.
        var tags: [Int: [Int]] = [:]
        var pixels: [UInt8]

        /// Creates a page of one colour.
        init(_ width: Int, _ height: Int, pixel: [UInt8], tags: [Int: [Int]] = [:]) {
            (self.width, self.height, self.tags) = (width, height, tags)
            pixels = (0..<width * height).flatMap { _ in pixel }
        }
    }

    static let rgb = [258: [8, 8, 8], 262: [2], 277: [3]]
    static let grey = [258: [8], 262: [1], 277: [1]]

    /// Makes a file in which directories follow their pixels.
    static func file(_ pages: Page...) -> [UInt8] {
        var file = Array("II*\0".utf8) + UInt32(0).littleEndianBytes
        var link = 4
        for page in pages {
            var tags = page.tags
            tags[256] = [page.width]
            tags[257] = [page.height]
            tags[273] = [file.count]
            tags[279] = tags[279] ?? [page.pixels.count]
            tags = tags.filter { !$0.value.isEmpty }
            file += page.pixels
            if file.count % 2 == 1 { file.append(0) }
            var directory: [UInt8] = []
            for (tag, values) in tags.sorted(by: { $0.key < $1.key }) {
                directory += UInt16(tag).littleEndianBytes + UInt16(4).littleEndianBytes
                directory += UInt32(values.count).littleEndianBytes
                directory += UInt32(values.count == 1 ? values[0] : file.count).littleEndianBytes
                if values.count > 1 { file += values.flatMap { UInt32($0).littleEndianBytes } }
            }
            file.replaceSubrange(link..<link + 4, with: UInt32(file.count).littleEndianBytes)
            file += UInt16(tags.count).littleEndianBytes + directory
            link = file.count
            file += UInt32(0).littleEndianBytes
        }
        return file
    }
}
