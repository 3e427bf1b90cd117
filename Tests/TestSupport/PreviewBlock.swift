// SPDX-License-Identifier: MIT

/// An EXIF block with a preview, as cameras write it; every number can be made a wrong one.
public struct PreviewBlock {
    /// The preview's bytes.
    public var preview: [UInt8]
    /// The photo's size as the block states it.
    public var photoSize: (width: Int, height: Int)
    /// The photo's orientation.
    public var orientation = 1
    /// The orientation in the preview's directory, if it has one.
    public var previewOrientation: Int?
    /// The preview's compression; 6 is JPEG.
    public var compression = 6
    /// The offset of the preview's directory.
    public var next = 68
    /// The offset of the preview, if it is not the right one.
    public var start: Int?
    /// The length of the preview, if it is not the right one.
    public var length: Int?
    /// The number of entries in the preview's directory, if it is not the right one.
    public var count: Int?
    /// The byte order.
    public var isBigEndian = true

    /// Describes the block of a photo.
    public init(_ preview: [UInt8], of photoSize: (width: Int, height: Int)) {
        (self.preview, self.photoSize) = (preview, photoSize)
    }

    /// The block, with directories at the offsets 8, 38 and 68.
    public var bytes: [UInt8] {
        var entries = [
            long(0x0103, compression), long(0x0201, start ?? 122), long(0x0202, length ?? preview.count),
        ]
        if let previewOrientation { entries.insert(long(0x0112, previewOrientation), at: 1) }
        let header: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        let orientation = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
        var block = header + number(8, 4) + number(2, 2) + orientation + long(0x8769, 38) + number(next, 4)
        block += number(2, 2) + long(0xA002, photoSize.width) + long(0xA003, photoSize.height) + number(0, 4)
        block += number(count ?? entries.count, 2) + entries.flatMap(\.self) + number(0, 4)
        return block + [UInt8](repeating: 0, count: 122 - block.count) + preview
    }

    /// Returns a JPEG with the block at its start.
    public func inserted(into jpeg: [UInt8]) -> [UInt8] {
        Self.segment(0xE1, Array("Exif\0\0".utf8) + bytes, into: jpeg)
    }

    /// Returns a JPEG with a segment at its start.
    public static func segment(_ marker: UInt8, _ content: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        let header = [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)]
        return Array(jpeg.prefix(2)) + header + content + Array(jpeg.dropFirst(2))
    }

    private func long(_ tag: Int, _ value: Int) -> [UInt8] {
        number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4)
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let low = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBigEndian ? low.reversed() : low
    }
}
