// SPDX-License-Identifier: MIT

extension ImageHeader {
    /// Reads the chunks of a PNG up to its pixels, and finds metadata after them.
    static func png(_ window: inout ByteWindow) throws(ImagingError) -> ImageHeader {
        var header = ImageHeader(try imageHeader(&window))
        var colors = PNGColors()
        var metadata = PNGMetadata()
        var chunks = PNGChunks(offset: 33)
        while try chunks.nextName(in: &window) != "IDAT", let chunk = try chunks.next(in: &window) {
            switch chunk.name {
            case "tRNS": header.info.hasAlpha = true
            case "iCCP": header.info.hasProfile = true
            case "caBX": header.manifestRanges = [chunk.body]
            case let name where PNGColors.sizes[name] == chunk.body.count:
                colors.add(chunk.name, try window.bytes(chunk.body))
            case "acTL" where chunk.body.count >= 4:
                header.info.frames = max(1, try window.uint32(at: chunk.body.lowerBound))
                if chunk.body.count >= 8 { header.loops = try window.uint32(at: chunk.body.lowerBound + 4) }
            case "eXIf", "tEXt", "zTXt", "iTXt": try metadata.add(chunk, in: &window)
            default: break
            }
        }
        try metadata.addTrailing(chunks, in: window)
        try metadata.apply(to: &header, &window)
        header.overridingColors = colors.overridingColors
        header.fallbackColors = colors.fallbackColors
        header.dynamicRange = colors.dynamicRange
        header.notes += colors.notes
        return header
    }

    private static func imageHeader(_ window: inout ByteWindow) throws(ImagingError) -> ImageInfo {
        guard try window.uint32(at: 8) == 13, try window.name(at: 12) == "IHDR" else {
            throw ImagingError(.corrupt, "PNG does not start with its header")
        }
        _ = try window.bytes(at: 16, count: 17)
        var info = ImageInfo(format: .png, width: try window.uint32(at: 16), height: try window.uint32(at: 20))
        info.bitDepth = try window.uint8(at: 24)
        let colors = try window.uint8(at: 25)
        info.colorModel = colors & 2 == 0 ? .grey : .rgb
        info.hasAlpha = colors & 4 != 0
        info.isProgressive = try window.uint8(at: 28) == 1
        return info
    }
}

/// Iterates over the chunks of a PNG and checks each against the file before a library sees it.
struct PNGChunks {
    /// A chunk's name and the byte range of its content.
    struct Chunk {
        let name: String
        let body: Range<Int>
    }

    /// The maximum number of chunks besides the pixels, because libraries may keep a list of them.
    private static let maxChunks = 10_000
    /// The maximum size in bytes of any chunk other than the pixels.
    private static let maxBytes = 16 << 20

    /// The offset of the next chunk.
    private(set) var offset: Int
    private var number = 0

    init(offset: Int) { self.offset = offset }

    /// Returns the next chunk's name, even if the chunk is truncated; `nil` if the name is missing.
    func nextName(in window: inout ByteWindow) throws(ImagingError) -> String? {
        offset + 8 <= window.count ? try window.name(at: offset + 4) : nil
    }

    /// Returns the next chunk; `nil` at the end chunk.
    mutating func next(in window: inout ByteWindow) throws(ImagingError) -> Chunk? {
        guard offset + 12 <= window.count else { throw ImagingError(.truncated, "no PNG end chunk") }
        let length = try window.uint32(at: offset)
        let name = try window.name(at: offset + 4)
        if name != "IDAT" { try checkLimits(name, length) }
        guard length <= window.count - offset - 12 else { throw ImagingError(.truncated, "no PNG end chunk") }
        let body = offset + 8..<offset + 8 + length
        offset = body.upperBound + 4
        return name == "IEND" ? nil : Chunk(name: name, body: body)
    }

    private mutating func checkLimits(_ name: String, _ length: Int) throws(ImagingError) {
        number += 1
        guard length <= Self.maxBytes else { throw ImagingError(.badChunk, "\(printable(name)) of \(length) bytes") }
        guard number <= Self.maxChunks else { throw ImagingError(.badChunk, "more than \(Self.maxChunks) chunks") }
    }

    /// Returns the name if it consists of letters, because it comes from an untrusted file.
    private func printable(_ name: String) -> String {
        name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) } ? name : "chunk"
    }
}
