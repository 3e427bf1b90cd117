// SPDX-License-Identifier: MIT

@testable import SluiceImaging

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
