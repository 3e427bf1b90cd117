// SPDX-License-Identifier: MIT

extension ImageHeader {
    /// Reads the chunks of a WebP up to its pixels, or of an extended WebP up to its end.
    static func webp(_ window: inout ByteWindow, salvages: Bool = false) throws(ImagingError) -> ImageHeader {
        var header = try image(in: &window, salvages: salvages)
        let declared = try WebPChunks.declaredSize(&window)
        // The bytes may belong to the image, of which then others are wrong: its data have no checksum.
        let surplus = window.count - declared - declared & 1
        if surplus > 0 { header.notes.append("\(surplus) bytes after the end of the WebP") }
        return header
    }

    private static func image(in window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        let first = try window.name(at: 12)
        switch first {
        case "VP8 ": return ImageHeader(try lossy(&window, at: 20))
        case "VP8L":
            var header = ImageHeader(try lossless(&window, at: 20))
            header.setWholeImageBytes(isLossless: true)
            return header
        case "VP8X": return try extended(&window, salvages: salvages)
        default: throw ImagingError(.corrupt, "WebP does not start with its image")
        }
    }

    private static func lossy(_ window: inout ByteWindow, at offset: Int) throws(ImagingError) -> ImageInfo {
        guard Array(try window.bytes(at: offset + 3, count: 3)) == [0x9D, 0x01, 0x2A] else {
            throw ImagingError(.corrupt, "WebP without a key frame")
        }
        let width = try window.littleEndian(at: offset + 6, count: 2) & 0x3FFF
        return ImageInfo(
            format: .webp, width: width, height: try window.littleEndian(at: offset + 8, count: 2) & 0x3FFF)
    }

    private static func lossless(_ window: inout ByteWindow, at offset: Int) throws(ImagingError) -> ImageInfo {
        guard try window.uint8(at: offset) == 0x2F else { throw ImagingError(.corrupt, "WebP without its signature") }
        let bits = try window.littleEndian(at: offset + 1, count: 4)
        var info = ImageInfo(format: .webp, width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        info.hasAlpha = bits >> 28 & 1 == 1
        return info
    }

    private static func extended(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        let flags = try window.uint8(at: 20)
        let width = try window.littleEndian(at: 24, count: 3) + 1
        var header = ImageHeader(
            ImageInfo(format: .webp, width: width, height: try window.littleEndian(at: 27, count: 3) + 1))
        header.info.hasAlpha = flags & 0x10 != 0
        header.isAnimated = flags & 0x02 != 0
        // A frame may be lossless or lossy, and frames are not inspected. Assume lossless, which needs more memory.
        var isLossless = header.isAnimated
        if header.isAnimated { header.info.frames = 0 }
        var chunks = WebPChunks(offset: 30)
        _ = try captureDamage(if: salvages) { () throws(ImagingError) in
            while let chunk = try chunks.next(in: &window) {
                isLossless = isLossless || chunk.name == "VP8L"
                try header.add(chunk, &window)
            }
        }
        header.setWholeImageBytes(isLossless: isLossless)
        return header
    }

    /// Counts the per-pixel buffers that libwebp keeps besides its output.
    private mutating func setWholeImageBytes(isLossless: Bool) {
        wholeImageBytes = info.width * info.height * (isLossless ? 4 : info.hasAlpha ? 2 : 0)
    }

    private mutating func add(_ chunk: WebPChunks.Chunk, _ window: inout ByteWindow) throws(ImagingError) {
        switch chunk.name {
        case "ANMF": info.frames += 1
        case "ANIM" where chunk.body.count >= 6:
            loops = try window.littleEndian(at: chunk.body.lowerBound + 4, count: 2)
        case "ICCP":
            profileRanges = [chunk.body]
            info.hasProfile = true
        case "C2PA": manifestRanges = [chunk.body]
        case "XMP ": creditLocations.xmp = creditLocations.xmp ?? chunk.body
        case "EXIF" where chunk.body.count <= EXIFBlock.maxBytes:
            let block = try window.bytes(at: chunk.body.lowerBound, count: chunk.body.count)
            // Some writers put JPEG's prefix before the block.
            readEXIF(block.starts(with: Array("Exif\0\0".utf8)) ? block.dropFirst(6) : block)
        default: break
        }
    }
}

/// Iterates over the chunks of a WebP.
struct WebPChunks {
    /// A chunk's name and the byte range of its content.
    struct Chunk {
        let name: String
        let body: Range<Int>
    }

    /// The maximum number of chunks; an animation has one for each frame.
    private static let maxChunks = 100_000

    private var offset: Int
    private var number = 0

    init(offset: Int) { self.offset = offset }

    /// Returns the file size that the container declares.
    static func declaredSize(_ window: inout ByteWindow) throws(ImagingError) -> Int {
        try window.littleEndian(at: 4, count: 4) + 8
    }

    /// Returns the next chunk; `nil` at the end of the file.
    mutating func next(in window: inout ByteWindow) throws(ImagingError) -> Chunk? {
        let declared = try Self.declaredSize(&window)
        let end = min(declared, window.count)
        guard offset + 8 <= end else { return nil }
        number += 1
        guard number <= Self.maxChunks else { throw ImagingError(.badChunk, "more than \(Self.maxChunks) chunks") }
        let length = try window.littleEndian(at: offset + 4, count: 4)
        guard length <= end - offset - 8 else {
            throw ImagingError(declared > window.count ? .truncated : .corrupt, "WebP chunk of \(length) bytes")
        }
        let body = offset + 8..<offset + 8 + length
        let name = try window.name(at: offset)
        offset = body.upperBound + length & 1
        return Chunk(name: name, body: body)
    }
}
