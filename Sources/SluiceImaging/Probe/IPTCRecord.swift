// SPDX-License-Identifier: MIT

/// A look into what Photoshop puts beside a JPEG's picture, for the two facts of IPTC that thumbnails may keep.
///
/// Every length is held against what is there; where one leads out, reading ends with what was found.
struct IPTCRecord {
    private(set) var credit = Credit()

    /// Reads Photoshop's blocks, one of which holds IPTC's record.
    init(_ blocks: [UInt8]) {
        var rest = blocks[...]
        while rest.starts(with: Array("8BIM".utf8)), rest.count >= 12 {
            let id = rest.dropFirst(4).prefix(2).number(bigEndian: true)
            // The name's length counts neither itself nor the byte that makes both even.
            let nameBytes = (Int(rest[rest.startIndex + 6]) + 2) & ~1
            rest = rest.dropFirst(6 + nameBytes)
            guard rest.count >= 4 else { return }
            let count = Int(rest.prefix(4).number(bigEndian: true))
            rest = rest.dropFirst(4)
            if id == Self.recordID { read(rest.prefix(count)) }
            guard count <= rest.count else { return }
            rest = rest.dropFirst((count + 1) & ~1)
        }
    }

    private static let recordID: UInt32 = 0x0404

    private mutating func read(_ record: ArraySlice<UInt8>) {
        var rest = record
        var artists: [String] = []
        while rest.count >= 5, rest.first == 0x1C {
            let (part, fact) = (rest[rest.startIndex + 1], rest[rest.startIndex + 2])
            let count = Int(rest.dropFirst(3).prefix(2).number(bigEndian: true))
            rest = rest.dropFirst(5)
            // A length above 32767 would be that of a longer length, which no text needs.
            guard count <= min(rest.count, 0x7FFF) else { break }
            let text = Self.text(rest.prefix(count))
            if part == 2, fact == 80, !text.isEmpty { artists.append(text) }
            if part == 2, fact == 116, !text.isEmpty { credit.copyright = credit.copyright ?? text }
            rest = rest.dropFirst(count)
        }
        if !artists.isEmpty { credit.artist = artists.joined(separator: "; ") }
    }

    /// UTF-8 if it is, whatever the record says of itself; else Latin-1.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
