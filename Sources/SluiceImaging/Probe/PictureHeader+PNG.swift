// SPDX-License-Identifier: MIT

extension PictureHeader {
    /// Walks the chunks of a PNG up to its pixels.
    static func png(_ window: inout ByteWindow) throws(ImagingError) -> PictureHeader {
        var header = PictureHeader(try imageHeader(&window))
        var chunks = PNGChunks(offset: 33)
        while try chunks.nextName(in: &window) != "IDAT", let chunk = try chunks.next(in: &window) {
            switch chunk.name {
            case "tRNS": header.info.hasAlpha = true
            case "iCCP": header.info.hasProfile = true
            case let name where PNGColors.sizes[name] == chunk.body.count:
                header.colors.take(chunk.name, try window.bytes(chunk.body))
            case "acTL" where chunk.body.count >= 4:
                header.info.frames = max(1, try window.uint32(at: chunk.body.lowerBound))
            case "eXIf" where chunk.body.count <= EXIFBlock.mostBytes:
                header.readEXIF(try window.bytes(at: chunk.body.lowerBound, count: chunk.body.count))
            case "iTXt":
                // Its keyword, and that it is neither packed nor in a language.
                if let text = try window.content(chunk.body, after: "XML:com.adobe.xmp\0\0\0\0\0") {
                    header.creditPlaces.xmp = text
                }
            default: break
            }
        }
        header.notes += header.colors.notes
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

/// The chunks of a PNG, one after the other, each held against the file before any library sees it.
struct PNGChunks {
    /// A chunk's name and where its content lies.
    struct Chunk {
        let name: String
        let body: Range<Int>
    }

    /// The most chunks beside the pixels; more is an attack on whoever keeps a list of them.
    private static let mostChunks = 10_000
    /// The most bytes that any chunk but the pixels' may claim.
    private static let mostBytes = 16 << 20

    private var offset: Int
    private var number = 0

    init(offset: Int) { self.offset = offset }

    /// What the next chunk is called, which may be cut short; `nil` if not even its name is there.
    func nextName(in window: inout ByteWindow) throws(ImagingError) -> String? {
        offset + 8 <= window.count ? try window.name(at: offset + 4) : nil
    }

    /// The next chunk; `nil` at the end chunk.
    mutating func next(in window: inout ByteWindow) throws(ImagingError) -> Chunk? {
        guard offset + 12 <= window.count else { throw ImagingError(.truncated, "no PNG end chunk") }
        let length = try window.uint32(at: offset)
        let name = try window.name(at: offset + 4)
        if name != "IDAT" { try judge(name, length) }
        guard length <= window.count - offset - 12 else { throw ImagingError(.truncated, "no PNG end chunk") }
        let body = offset + 8..<offset + 8 + length
        offset = body.upperBound + 4
        return name == "IEND" ? nil : Chunk(name: name, body: body)
    }

    private mutating func judge(_ name: String, _ length: Int) throws(ImagingError) {
        number += 1
        guard length <= Self.mostBytes else { throw ImagingError(.badChunk, "\(safe(name)) of \(length) bytes") }
        guard number <= Self.mostChunks else { throw ImagingError(.badChunk, "more than \(Self.mostChunks) chunks") }
    }

    /// The name if it is one, since it comes from a stranger.
    private func safe(_ name: String) -> String {
        name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) } ? name : "chunk"
    }
}
