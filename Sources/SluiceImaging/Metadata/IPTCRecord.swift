// SPDX-License-Identifier: MIT

/// Reads the texts in the IPTC record of a JPEG's Photoshop segment or of a TIFF.
///
/// Every length is checked against the remaining bytes; reading stops at the first invalid one and keeps the fields
/// found.
struct IPTCRecord {
    /// The texts of the second record by the numbers of their datasets.
    private(set) var texts: [UInt8: [String]] = [:]
    /// Whether the blocks have a record.
    private(set) var isPresent = false

    var credit: Credit {
        Credit(artist: texts[80].map { $0.joined(separator: "; ") }, copyright: texts[116]?.first)
    }

    /// Reads a record, or Photoshop's resource blocks, one of which holds it.
    init(_ blocks: [UInt8]) {
        var rest = blocks[...]
        if rest.first == 0x1C { read(rest) }
        while rest.starts(with: Array("8BIM".utf8)), rest.count >= 12 {
            let id = rest.dropFirst(4).prefix(2).number(bigEndian: true)
            // The length excludes itself, and the field is padded to an even size.
            let nameBytes = (Int(rest[rest.startIndex + 6]) + 2) & ~1
            rest = rest.dropFirst(6 + nameBytes)
            guard rest.count >= 4 else { return }
            let count = Int(rest.prefix(4).number(bigEndian: true))
            rest = rest.dropFirst(4)
            if id == Self.recordID {
                isPresent = true
                read(rest.prefix(count))
            }
            guard count <= rest.count else { return }
            rest = rest.dropFirst((count + 1) & ~1)
        }
    }

    private static let recordID: UInt32 = 0x0404

    /// A resource block with a record.
    static func block(_ record: [UInt8]) -> [UInt8] {
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: record.count >> $0) }
        let padding: [UInt8] = record.count.isMultiple(of: 2) ? [] : [0]
        // The identifier, and an empty name.
        return Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + length + record + padding
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while rest.count >= 5, rest.first == 0x1C {
            let (record, dataset) = (rest[rest.startIndex + 1], rest[rest.startIndex + 2])
            let count = Int(rest.dropFirst(3).prefix(2).number(bigEndian: true))
            rest = rest.dropFirst(5)
            // A length above 32767 announces an extended length, which no text needs.
            guard count <= min(rest.count, 0x7FFF) else { break }
            let text = Self.text(rest.prefix(count))
            if record == 2, !text.isEmpty { texts[dataset, default: []].append(text) }
            rest = rest.dropFirst(count)
        }
    }

    /// Decodes UTF-8 if the bytes are valid UTF-8, whatever the record declares; else Latin-1.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
