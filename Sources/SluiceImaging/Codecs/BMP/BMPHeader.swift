// SPDX-License-Identifier: MIT

/// The header of a bitmap: its size, the meaning of its pixels and their place.
struct BMPHeader {
    /// The way in which pixels are stored.
    enum Storage: Equatable {
        /// Numbers of colours in a palette, of 1, 2, 4 or 8 bits.
        case palette
        /// Runs of such numbers, of 4 or 8 bits.
        case runs
        /// Channels in 16, 24 or 32 bits.
        case channels
    }

    /// The bits of a channel within a pixel.
    struct Mask {
        let bits: UInt32

        /// Extracts a channel and scales it to 8 bits.
        func value(of pixel: UInt32) -> UInt8 {
            guard bits != 0 else { return 0 }
            let shift = UInt32(bits.trailingZeroBitCount)
            let most = UInt64(bits >> shift)
            return UInt8((UInt64((pixel & bits) >> shift) * 255 + most / 2) / most)
        }
    }

    private static let fileHeaderBytes = 14
    /// The sizes of the headers of OS/2 1, Windows 3, and Windows 4 and 5, which have masks, alpha and colours.
    private static let oldBytes = 12, windowsBytes = 40, masksBytes = 52, alphaBytes = 56, profileBytes = 124
    private static let maxBytes = 1 << 16

    let width: Int
    let height: Int
    let isTopDown: Bool
    let bits: Int
    let storage: Storage
    /// Red, green, blue, and alpha, which has no bits if the bitmap has none.
    private(set) var masks: [Mask] = []
    /// The colours of the palette as RGB.
    private(set) var palette: [UInt8] = []
    /// The offset of the pixels in the file.
    let start: Int
    private(set) var profile: Range<Int>?

    var hasAlpha: Bool { masks.count == 4 && masks[3].bits != 0 }
    /// The bytes of a stored row, which end at a multiple of four.
    var rowBytes: Int { (width * bits + 31) / 32 * 4 }

    init(_ window: inout ByteWindow) throws(ImagingError) {
        start = try window.littleEndian(at: 10, count: 4)
        let size = try window.littleEndian(at: 14, count: 4)
        guard size >= Self.oldBytes, size <= Self.maxBytes else {
            throw ImagingError(.corrupt, "a BMP header of \(size) bytes")
        }
        guard start >= Self.fileHeaderBytes + size else {
            throw ImagingError(.corrupt, "the pixels begin in the BMP header")
        }
        let isOld = size == Self.oldBytes
        width = try window.littleEndian(at: 18, count: isOld ? 2 : 4)
        let signedHeight =
            try isOld
            ? window.littleEndian(at: 20, count: 2)
            : Int(Int32(truncatingIfNeeded: window.littleEndian(at: 22, count: 4)))
        (height, isTopDown) = (abs(signedHeight), signedHeight < 0)
        guard width > 0, width < 1 << 31, height > 0 else { throw ImagingError(.corrupt, "\(width)x\(height) pixels") }
        bits = try window.littleEndian(at: isOld ? 24 : 28, count: 2)
        let compression = try size >= 20 ? window.littleEndian(at: 30, count: 4) : 0
        storage = try Self.storage(bits: bits, compression, size: size)
        if storage == .channels {
            masks = try Self.masks(bits: bits, compression, size: size, &window)
        } else {
            let declared = try size >= 36 ? window.littleEndian(at: 46, count: 4) : 0
            let (end, colorBytes) = (Self.fileHeaderBytes + size, isOld ? 3 : 4)
            // Some writers state more colours than pixels can name, but then the file has them.
            guard declared <= 1 << bits || declared <= (start - end) / colorBytes else {
                throw ImagingError(.corrupt, "a palette of \(declared) colours")
            }
            // A file whose pixels seem to begin with its palette states a wrong place, but browsers read both there.
            let paletteEnd = start == end && declared > 0 ? window.count : start
            palette = try Self.palette(
                after: end, end: paletteEnd, count: declared > 0 ? declared : 1 << bits, colorBytes: colorBytes, &window
            )
        }
        if size >= Self.profileBytes { profile = try Self.profile(&window) }
    }

    private static func storage(bits: Int, _ compression: Int, size: Int) throws(ImagingError) -> Storage {
        // OS/2 2 has other meanings for these numbers.
        let isWindows = size == oldBytes || size == windowsBytes || size >= masksBytes && size != 64
        switch (compression, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8): return .palette
        case (0, 16), (0, 24), (0, 32): return .channels
        case (1, 8), (2, 4): return .runs
        case (3, 16), (3, 32), (6, 16), (6, 32):
            if isWindows { return .channels }
        default: break
        }
        throw ImagingError(.unsupported, "BMP with \(bits) bits and compression \(compression)")
    }

    private static func masks(
        bits: Int, _ compression: Int, size: Int, _ window: inout ByteWindow
    ) throws(ImagingError) -> [Mask] {
        guard compression != 0 else {
            let usual: [UInt32] = bits == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF0000, 0xFF00, 0xFF]
            return usual.map(Mask.init)
        }
        // Headers without masks have them directly after.
        let count = size >= alphaBytes || compression == 6 ? 4 : 3
        var masks: [Mask] = []
        for index in 0..<count {
            masks.append(Mask(bits: UInt32(try window.littleEndian(at: 54 + index * 4, count: 4))))
        }
        return masks
    }

    /// Reads the palette, which may lack colours that no pixel has.
    private static func palette(
        after offset: Int, end: Int, count: Int, colorBytes: Int, _ window: inout ByteWindow
    ) throws(ImagingError) -> [UInt8] {
        let present = end > offset ? (min(end, window.count) - offset) / colorBytes : 0
        var palette: [UInt8] = []
        for index in 0..<max(0, min(256, count, present)) {
            palette += try window.bytes(at: offset + index * colorBytes, count: 3).reversed()
        }
        return palette + [UInt8](repeating: 0, count: 256 * 3 - palette.count)
    }

    /// Reads the place of an embedded profile, which counts from the header; links to other files are ignored.
    private static func profile(_ window: inout ByteWindow) throws(ImagingError) -> Range<Int>? {
        guard try window.bytes(at: 70, count: 4).elementsEqual("DEBM".utf8) else { return nil }
        let start = fileHeaderBytes + (try window.littleEndian(at: 126, count: 4))
        let count = try window.littleEndian(at: 130, count: 4)
        return count > 0 && start <= window.count && count <= window.count - start ? start..<start + count : nil
    }
}
