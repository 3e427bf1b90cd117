// SPDX-License-Identifier: MIT

/// Iterates over the blocks of a GIF, checking each against the file before a library sees it.
///
/// A block's data follows it in pieces of at most 255 bytes. The pieces are skipped when the next block is read, so
/// that the start of a file suffices for its header.
struct GIFBlocks {
    enum Block {
        /// An image, whose descriptor of nine bytes starts at an offset, after the introducer.
        case image(descriptor: Int)
        /// How to show the next image.
        case control(GIFControl)
        /// How often the animation is played; 0 means for ever.
        case loops(Int)
        /// An extension that does not matter here.
        case other
    }

    /// The number of bytes of the signature and the screen's description.
    private static let screenBytes = 13
    /// The number of bytes of an image's descriptor.
    static let descriptorBytes = 9

    /// The byte range of the global colour table; empty in a file without this table.
    let globalColors: Range<Int>
    /// The offset of the next block, or of the data of the last one.
    private(set) var offset: Int
    private var hasPendingData = false

    init(_ window: inout ByteWindow) throws(ImagingError) {
        _ = try window.bytes(at: 0, count: Self.screenBytes)
        globalColors = Self.colors(at: Self.screenBytes, flags: try window.uint8(at: 10))
        _ = try window.bytes(globalColors)
        offset = globalColors.upperBound
    }

    /// Returns the byte range of the colour table that the flags of a screen or an image declare.
    static func colors(at offset: Int, flags: Int) -> Range<Int> {
        offset..<offset + (flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1))
    }

    /// Returns the next block; `nil` at the trailer.
    mutating func next(in window: inout ByteWindow) throws(ImagingError) -> Block? {
        if hasPendingData { try skipData(in: &window) }
        while offset < window.count {
            switch try window.uint8(at: offset) {
            // Some writers end blocks twice.
            case 0x00: offset += 1
            case 0x21: return try readExtension(in: &window)
            case 0x2C: return try readImage(in: &window)
            case 0x3B: return nil
            case let other: throw ImagingError(.corrupt, "GIF with an unknown block (\(other))")
            }
        }
        throw ImagingError(.truncated, "no GIF trailer")
    }

    private mutating func readExtension(in window: inout ByteWindow) throws(ImagingError) -> Block {
        let start = try window.bytes(at: offset, count: 3)
        let (label, length) = (start[start.startIndex + 1], start[start.startIndex + 2])
        offset += 2
        hasPendingData = true
        switch (label, length) {
        case (0xF9, 4): return .control(GIFControl(Array(try window.bytes(at: offset + 1, count: 4))))
        case (0xFF, 11): return try readLoops(in: &window) ?? .other
        default: return .other
        }
    }

    /// Reads the extension in which nearly all programs store how often an animation repeats.
    private func readLoops(in window: inout ByteWindow) throws(ImagingError) -> Block? {
        guard try window.content(offset + 1..<offset + 12, after: "NETSCAPE2.0") != nil, offset + 16 <= window.count
        else { return nil }
        guard try window.bytes(at: offset + 12, count: 2).elementsEqual([3, 1]) else { return nil }
        let repetitions = try window.littleEndian(at: offset + 14, count: 2)
        return .loops(repetitions == 0 ? 0 : repetitions + 1)
    }

    private mutating func readImage(in window: inout ByteWindow) throws(ImagingError) -> Block {
        let descriptor = offset + 1
        _ = try window.bytes(at: descriptor, count: Self.descriptorBytes)
        let colors = Self.colors(at: descriptor + Self.descriptorBytes, flags: try window.uint8(at: descriptor + 8))
        // The data starts with the number of bits of its codes.
        offset = colors.upperBound + 1
        hasPendingData = true
        return .image(descriptor: descriptor)
    }

    /// Moves from a block to the end of its data.
    mutating func skipData(in window: inout ByteWindow) throws(ImagingError) {
        while offset < window.count {
            let length = try window.uint8(at: offset)
            offset += 1 + length
            if length == 0 {
                hasPendingData = false
                return
            }
        }
        throw ImagingError(.truncated, "no GIF trailer")
    }
}

/// How to show an image of a GIF.
struct GIFControl {
    /// The transparent colour; `nil` in an opaque image.
    var transparentColor: UInt8?
    var disposal = AnimationFrame.Disposal.keep
    var milliseconds = 0

    /// The control of an image that has none.
    init() {}

    /// Reads the four bytes of an extension.
    init(_ bytes: [UInt8]) {
        transparentColor = bytes[0] & 1 == 1 ? bytes[3] : nil
        disposal =
            switch bytes[0] >> 2 & 7 {
            case 2: .clear
            case 3: .restore
            default: .keep
            }
        milliseconds = Int(bytes[1...2].number(bigEndian: false)) * 10
    }
}
