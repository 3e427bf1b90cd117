// SPDX-License-Identifier: MIT

/// Writes XMP into the container of a WebP.
struct WebPEmbedding {
    private struct Chunk {
        let name: [UInt8]
        var content: [UInt8]
    }

    private static let xmpFlag: UInt8 = 0x04
    private static let alphaFlag: UInt8 = 0x10
    private static let (xmp, extended) = (Array("XMP ".utf8), Array("VP8X".utf8))

    private var chunks: [Chunk] = []

    /// Returns the file with the metadata; `nil` if it stays as it is.
    static func embed(_ metadata: EmbeddedMetadata, in file: [UInt8]) -> [UInt8]? {
        guard var container = WebPEmbedding(file), container.extend() else { return nil }
        let index = container.chunks.firstIndex { $0.name == xmp }
        guard let packet = metadata.packet(replacing: index.map { container.chunks[$0].content }) else { return nil }
        let chunk = Chunk(name: xmp, content: packet)
        if let index { container.chunks[index] = chunk } else { container.chunks.append(chunk) }
        container.chunks[0].content[0] |= xmpFlag
        return container.file
    }

    /// Reads the chunks of a file that has nothing before and after them.
    private init?(_ file: [UInt8]) {
        guard file.count >= 12, file.starts(with: Array("RIFF".utf8)),
            Int(file[4..<8].number(bigEndian: false)) == file.count - 8
        else { return nil }
        var rest = file.dropFirst(12)
        while rest.count >= 8 {
            let name = Array(rest.prefix(4))
            let length = Int(rest.dropFirst(4).prefix(4).number(bigEndian: false))
            rest = rest.dropFirst(8)
            guard length <= rest.count, name != Array("C2PA".utf8) else { return nil }
            chunks.append(Chunk(name: name, content: Array(rest.prefix(length))))
            rest = rest.dropFirst(length + length % 2)
        }
        guard rest.isEmpty, !chunks.isEmpty else { return nil }
    }

    /// Adds the chunk of an extended file, which metadata needs; returns false if the image is not understood.
    private mutating func extend() -> Bool {
        guard chunks[0].name != Self.extended else { return chunks[0].content.count >= 10 }
        guard let (width, height, hasAlpha) = Self.size(of: chunks[0]) else { return false }
        var content: [UInt8] = [hasAlpha ? Self.alphaFlag : 0, 0, 0, 0]
        for side in [width - 1, height - 1] { content += [0, 8, 16].map { UInt8(truncatingIfNeeded: side >> $0) } }
        chunks.insert(Chunk(name: Self.extended, content: content), at: 0)
        return true
    }

    /// The size of a simple file's image, and whether it is transparent.
    private static func size(of chunk: Chunk) -> (width: Int, height: Int, hasAlpha: Bool)? {
        let bytes = chunk.content
        switch String(decoding: chunk.name, as: UTF8.self) {
        case "VP8 ":
            guard bytes.count >= 10, bytes[3..<6].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            let width = Int(bytes[6..<8].number(bigEndian: false)) & 0x3FFF
            let height = Int(bytes[8..<10].number(bigEndian: false)) & 0x3FFF
            return width > 0 && height > 0 ? (width, height, false) : nil
        case "VP8L":
            guard bytes.count >= 5, bytes[0] == 0x2F else { return nil }
            let bits = Int(bytes[1..<5].number(bigEndian: false))
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1, bits >> 28 & 1 == 1)
        default: return nil
        }
    }

    private var file: [UInt8] {
        var body = Array("WEBP".utf8)
        for chunk in chunks {
            body += chunk.name + Self.littleEndian(chunk.content.count) + chunk.content
            if !chunk.content.count.isMultiple(of: 2) { body.append(0) }
        }
        return Array("RIFF".utf8) + Self.littleEndian(body.count) + body
    }

    private static func littleEndian(_ number: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
