// SPDX-License-Identifier: MIT

/// A part of a file name made from untrusted text: lower-case ASCII letters, digits and single hyphens.
struct Slug: Sendable, Hashable {
    /// The maximum length in bytes; with number and extension the name stays below every file system's limit.
    static let limit = 48

    /// The slug for a text without usable characters.
    static let fallback = Slug(words: Array("photo".utf8))

    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Creates a slug of as many whole words as fit; returns `nil` if no letter or digit has an ASCII form.
    init?(_ foreign: String) {
        var words = SlugWords()
        var scalars = foreign.unicodeScalars.makeIterator()
        // The part of a very long text that cannot fit is ignored.
        for _ in 0..<4 * Self.limit {
            guard let scalar = scalars.next(),
                ASCIIFolding.append(scalar, to: &words.letters) || words.endWord()
            else { break }
        }
        guard let bytes = words.bytes() else { return nil }
        self.init(words: bytes)
    }

    private init(words: [UInt8]) { bytes = Self.isReserved(words) ? words + "-photo".utf8 : words }

    /// Whether Windows reserves the name for a device.
    private static func isReserved(_ words: [UInt8]) -> Bool {
        switch words.count {
        case 3: ["con", "prn", "aux", "nul"].contains { words.elementsEqual($0.utf8) }
        case 4: (words.starts(with: "com".utf8) || words.starts(with: "lpt".utf8)) && words[3] <= UInt8(ascii: "9")
        default: false
        }
    }
}

/// The words of a slug.
///
/// Each photo has a slug, and there may be millions of photos, so all words share one buffer.
private struct SlugWords {
    /// The letters of the current word, after all words before it and their hyphens.
    var letters: [UInt8] = []
    /// The end of the last word that fits.
    private var end = 0
    /// The start of the current word.
    private var start = 0

    init() { letters.reserveCapacity(2 * Slug.limit) }

    /// Ends the current word; returns whether further words may fit.
    mutating func endWord() -> Bool {
        guard letters.count > start else { return true }
        // The first word is cut instead.
        guard letters.count <= Slug.limit || start == 0 else { return false }
        end = min(letters.count, Slug.limit)
        letters.append(UInt8(ascii: "-"))
        start = letters.count
        return true
    }

    /// Ends the last word; returns all words that fit, or `nil` if there are none.
    mutating func bytes() -> [UInt8]? {
        _ = endWord()
        letters.removeLast(letters.count - end)
        return end == 0 ? nil : letters
    }
}

/// Converts letters to ASCII with a small table, because Unicode decomposition would require Foundation.
enum ASCIIFolding {
    /// Appends the lower-case ASCII form of a scalar; returns false for a word separator.
    ///
    /// A mark that belongs to its neighbour has an empty form.
    static func append(_ scalar: Unicode.Scalar, to letters: inout [UInt8]) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9": letters.append(UInt8(ascii: scalar))
        case "A"..."Z": letters.append(UInt8(ascii: scalar) | 0x20)
        case "'", "\u{2019}", "\u{AD}", "\u{300}"..."\u{36F}", "\u{200B}"..."\u{200D}": break
        case "\u{C0}"..."\u{17F}":
            let form = latin[Int(scalar.value) - 0xC0].utf8
            guard form.first != UInt8(ascii: "-") else { return false }
            letters += form
        default: return false
        }
        return true
    }

    /// The replacements for U+00C0 to U+017F: the accented Latin letters.
    private static let latin = """
        a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th ss \
        a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th y \
        a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g \
        g g g g h h h h i i i i i i i i i i ij ij j j k k k l l l l l l l \
        l l l n n n n n n n n n o o o o o o oe oe r r r r r r s s s s s s \
        s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s
        """.split(separator: " ")
}
