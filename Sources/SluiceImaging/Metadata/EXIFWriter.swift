// SPDX-License-Identifier: MIT

/// Builds an EXIF block in the byte order of its entries.
struct EXIFWriter {
    let isBigEndian: Bool

    /// Returns a block with these directories, leaving out empty ones; empty if all are.
    func block(main: [EXIFReader.Entry], exif: [EXIFReader.Entry], gps: [EXIFReader.Entry]) -> [UInt8] {
        var main = main
        guard !main.isEmpty || !exif.isEmpty || !gps.isEmpty else { return [] }
        let pointers = (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1)
        let exifStart = Self.headerBytes + Self.size(main) + pointers * 12
        if !exif.isEmpty { main.append(pointer(EXIFBlock.exifDirectoryTag, to: exifStart)) }
        let gpsStart = exifStart + (exif.isEmpty ? 0 : Self.size(exif))
        if !gps.isEmpty { main.append(pointer(EXIFBlock.gpsDirectoryTag, to: gpsStart)) }
        var block: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        block += number(Self.headerBytes, 4)
        for directory in [main, exif, gps] where !directory.isEmpty { append(directory, to: &block) }
        return block
    }

    private static let headerBytes = 8

    /// Returns the size in bytes of a directory with its values.
    private static func size(_ entries: [EXIFReader.Entry]) -> Int {
        entries.reduce(2 + 4 + entries.count * 12) {
            $0 + ($1.value.count > 4 ? $1.value.count + $1.value.count % 2 : 0)
        }
    }

    private func append(_ entries: [EXIFReader.Entry], to block: inout [UInt8]) {
        var values: [UInt8] = []
        let valuesStart = block.count + 2 + entries.count * 12 + 4
        block += number(entries.count, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            block += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            if entry.value.count <= 4 {
                block += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                block += number(valuesStart + values.count, 4)
                values += entry.value + (entry.value.count % 2 == 1 ? [0] : [])
            }
        }
        block += number(0, 4) + values
    }

    private func pointer(_ tag: Int, to offset: Int) -> EXIFReader.Entry {
        EXIFReader.Entry(tag: tag, type: 4, count: 1, value: number(offset, 4))
    }

    /// Encodes a number in the block's byte order.
    func number(_ value: Int, _ count: Int) -> [UInt8] {
        let low = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBigEndian ? low.reversed() : low
    }
}
