// SPDX-License-Identifier: MIT

internal import SluiceModel

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
        let parts = [tile.caption ?? ""] + Tile.searchable.compactMap { tile.texts[$0] } + [tile.photo.shownID]
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

/// The perceptual hashes of one block of the index: 16 hexadecimal digits per entry, or hyphens for one without a hash.
///
/// The page loads them when the user asks for similar photos.
struct HashBlock {
    private static let digits = 16
    let number: Int
    private var text: [UInt8] = []

    init(number: Int) { self.number = number }

    mutating func add(_ tile: Tile) {
        let hash = tile.receipt?.phash ?? ""
        let isValid = hash.utf8.count == Self.digits && UInt64(hash, radix: 16) != nil
        text += isValid ? Array(hash.utf8) : Array(repeating: UInt8(ascii: "-"), count: Self.digits)
    }

    var bytes: [UInt8] { Array("sluice.hashes(\(number),\"".utf8) + text + Array("\");\n".utf8) }
}
