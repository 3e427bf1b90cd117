// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One chunk of the gallery's data: a script that passes records to `sluice.chunk`.
///
/// It is a script because a page from `file://` can load no other data. Members have the manifest's names where the
/// manifest has them; unknown values are absent.
struct DataChunk {
    /// The longest facts of a camera that are shown, in bytes.
    private static let maximumEXIF = 8192

    let number: Int
    let tiles: [Tile]

    var bytes: [UInt8] {
        var bytes = Array("sluice.chunk(\(number),[\n".utf8)
        var writer = JSONWriter()
        for (index, tile) in tiles.enumerated() {
            if index > 0 { bytes += ",\n".utf8 }
            writer.removeAll()
            writer.object { record(tile, &$0) }
            bytes += writer.bytes
        }
        return bytes + "\n]);\n".utf8
    }

    private func record(_ tile: Tile, _ writer: inout JSONWriter) {
        let photo = tile.photo
        writer.member("seq", tile.seq)
        writer.member("id", photo.shownID.shown(upTo: 200))
        writer.member("state", tile.state.rawValue)
        writer.member("cause", tile.receipt?.failure?.cause.name)
        writer.member("detail", tile.receipt?.failure?.detail.shown(upTo: 500))
        writer.member("remedy", tile.remedy)
        writer.member("width", tile.size?.width)
        writer.member("height", tile.size?.height)
        writer.member("color", tile.color)
        for (field, text) in zip(Tile.fields, tile.texts) {
            switch field.property {
            case .text: writer.member(field.name, text)
            case .number: writer.member(field.name, field.number(of: photo))
            }
        }
        writer.member("usage", tile.receipt?.usage?.shown(upTo: 500))
        writer.member("url", tile.receipt?.url.flatMap(WebLink.init)?.address)
        files(tile, &writer)
    }

    private func files(_ tile: Tile, _ writer: inout JSONWriter) {
        if let original = tile.original {
            writer.member("file", relativeAddress(of: original.path))
            writer.member("bytes", original.bytes)
            writer.member("format", tile.receipt?.format)
        }
        writer.member("local", tile.localOriginal)
        if tile.original != nil || tile.localOriginal != nil, !tile.originalIsShown { writer.member("download", true) }
        if let exif = tile.receipt?.exif, exif.utf8.count <= Self.maximumEXIF { writer.member("exif", exif) }
        guard !tile.images.isEmpty else { return }
        writer.member("placeholder", tile.placeholder)
        writer.array("thumbs") { thumbs in
            for image in tile.images {
                thumbs.object { thumb in
                    thumb.member("file", image.address)
                    thumb.member("width", image.size?.width)
                    thumb.member("height", image.size?.height)
                }
            }
        }
    }
}

/// The searchable text of one block of the index: one line per entry.
///
/// A search through a million photos loads a hundred of these blocks instead of thousands of data chunks.
struct TextBlock {
    /// The number of bytes of each text that can be searched.
    private static let maxBytes = 2000
    let number: Int
    private var text: [UInt8] = []

    init(number: Int) {
        self.number = number
    }

    mutating func add(_ tile: Tile) {
        // The caption comes first even if it is missing, because the order of names depends on it.
        let other = tile.photo.userCaption.flatMap { _ in tile.feedCaption }
        let parts =
            [tile.caption ?? ""] + [other].compactMap(\.self) + Tile.searchable.compactMap { tile.texts[$0] }
            + [tile.photo.shownID]
        for (index, part) in parts.enumerated() {
            if index > 0 { text.append(UInt8(ascii: "\t")) }
            // Replace control characters, such as line breaks, by spaces.
            let bytes = part.utf8Span.span
            for index in 0..<min(bytes.count, Self.maxBytes) { text.append(max(bytes[index], 0x20)) }
        }
        text.append(UInt8(ascii: "\n"))
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(String(decoding: text, as: UTF8.self))
        return Array("sluice.text(\(number),".utf8) + writer.bytes + ");\n".utf8
    }
}

/// The perceptual hashes and the placeholders of one block of the index.
///
/// A hash has 16 hexadecimal digits, or hyphens for an entry without one. Spaces separate the placeholders.
/// The page loads them when the user asks for similar photos.
struct HashBlock {
    private static let digits = 16
    let number: Int
    private var text: [UInt8] = []
    private var placeholders: [UInt8] = []

    init(number: Int) { self.number = number }

    mutating func add(_ tile: Tile) {
        let hash = tile.receipt?.phash ?? ""
        let isValid = hash.utf8.count == Self.digits && UInt64(hash, radix: 16) != nil
        text += isValid ? Array(hash.utf8) : Array(repeating: UInt8(ascii: "-"), count: Self.digits)
        if text.count > Self.digits { placeholders.append(UInt8(ascii: " ")) }
        let placeholder = tile.placeholder ?? ""
        placeholders += placeholder.utf8.allSatisfy(Self.isBase64) ? Array(placeholder.utf8) : []
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    var bytes: [UInt8] {
        Array("sluice.hashes(\(number),\"".utf8) + text + Array("\",\"".utf8) + placeholders + Array("\");\n".utf8)
    }
}
