// SPDX-License-Identifier: MIT

extension PictureHeader {
    /// Walks the chunks of a WebP up to its pixels, and of an extended one to its end.
    static func webp(_ window: inout ByteWindow, salvages: Bool = false) throws(ImagingError) -> PictureHeader {
        let first = try window.name(at: 12)
        switch first {
        case "VP8 ": return PictureHeader(try lossy(&window, at: 20))
        case "VP8L":
            var header = PictureHeader(try lossless(&window, at: 20))
            header.isLossless = true
            return header
        case "VP8X": return try extended(&window, salvages: salvages)
        default: throw ImagingError(.corrupt, "WebP does not start with its picture")
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

    private static func extended(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> PictureHeader {
        let flags = try window.uint8(at: 20)
        let width = try window.littleEndian(at: 24, count: 3) + 1
        var header = PictureHeader(
            ImageInfo(format: .webp, width: width, height: try window.littleEndian(at: 27, count: 3) + 1))
        header.info.hasAlpha = flags & 0x10 != 0
        header.isAnimated = flags & 0x02 != 0
        // A frame may be either; what is looked into is its place alone.
        header.isLossless = header.isAnimated
        if header.isAnimated { header.info.frames = 0 }
        var chunks = WebPChunks(offset: 30)
        _ = try damage(isKept: salvages) { () throws(ImagingError) in
            while let chunk = try chunks.next(in: &window) { try header.take(chunk, &window) }
        }
        return header
    }

    private mutating func take(_ chunk: WebPChunks.Chunk, _ window: inout ByteWindow) throws(ImagingError) {
        switch chunk.name {
        case "ANMF": info.frames += 1
        case "VP8L": isLossless = true
        case "ICCP":
            profile = [chunk.body]
            info.hasProfile = true
        case "XMP ": creditPlaces.xmp = creditPlaces.xmp ?? chunk.body
        case "EXIF" where chunk.body.count <= EXIFBlock.mostBytes:
            let block = try window.bytes(at: chunk.body.lowerBound, count: chunk.body.count)
            // Some writers put JPEG's prefix in front of the block.
            readEXIF(block.starts(with: Array("Exif\0\0".utf8)) ? block.dropFirst(6) : block)
        default: break
        }
    }
}

/// The chunks of a WebP, one after the other.
struct WebPChunks {
    /// A chunk's name and where its content lies.
    struct Chunk {
        let name: String
        let body: Range<Int>
    }

    /// The most chunks, of which an animation has one for each frame.
    private static let mostChunks = 100_000

    private var offset: Int
    private var number = 0

    init(offset: Int) { self.offset = offset }

    /// How many bytes the file should have.
    static func claimedCount(_ window: inout ByteWindow) throws(ImagingError) -> Int {
        try window.littleEndian(at: 4, count: 4) + 8
    }

    /// The next chunk; `nil` at the end of the file.
    mutating func next(in window: inout ByteWindow) throws(ImagingError) -> Chunk? {
        let end = min(try Self.claimedCount(&window), window.count)
        guard offset + 8 <= end else { return nil }
        number += 1
        guard number <= Self.mostChunks else { throw ImagingError(.badChunk, "more than \(Self.mostChunks) chunks") }
        let length = try window.littleEndian(at: offset + 4, count: 4)
        guard length <= end - offset - 8 else {
            throw ImagingError(end == window.count ? .truncated : .corrupt, "WebP chunk of \(length) bytes")
        }
        let body = offset + 8..<offset + 8 + length
        let name = try window.name(at: offset)
        offset = body.upperBound + length & 1
        return Chunk(name: name, body: body)
    }
}
