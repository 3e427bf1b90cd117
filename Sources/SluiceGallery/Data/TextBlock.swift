// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What a search looks at of the entries of a block of the index: one line of text for each.
///
/// Searching a million photos reads a hundred of these, and none of the thousands of chunks.
struct TextBlock {
    /// Nobody searches further in one caption.
    private static let longest = 2000
    let number: Int
    private var text: [UInt8] = []

    init(number: Int) {
        self.number = number
    }

    mutating func add(_ tile: Tile) {
        let photo = tile.photo
        let parts = [tile.caption, tile.author, tile.collection, photo.attribution, photo.id].compactMap(\.self)
        for (place, part) in parts.enumerated() {
            if place > 0 { text.append(UInt8(ascii: "\t")) }
            // What would look like another line is a space.
            for byte in part.utf8.prefix(Self.longest) { text.append(max(byte, 0x20)) }
        }
        text.append(UInt8(ascii: "\n"))
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(String(decoding: text, as: UTF8.self))
        return Array("sluice.text(\(number),".utf8) + writer.bytes + ");\n".utf8
    }
}
