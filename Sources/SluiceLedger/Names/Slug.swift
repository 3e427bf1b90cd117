// SPDX-License-Identifier: MIT

/// A part of a file name made from untrusted text: lower-case ASCII letters, digits and single hyphens.
struct Slug: Sendable, Hashable {
    /// The maximum length in bytes; with number and extension the name stays below every file system's limit.
    static let limit = 48

    /// The slug for a text without usable characters.
    static let fallback = Slug(unchecked: "photo")

    let text: String

    /// Creates a slug of as many whole words as fit; returns `nil` if no letter or digit has an ASCII form.
    init?(_ foreign: String) {
        var text = ""
        for word in Self.words(in: foreign) {
            if text.isEmpty {
                text = String(word.prefix(Self.limit))
            } else if text.utf8.count + 1 + word.utf8.count <= Self.limit {
                text += "-" + word
            } else {
                break
            }
        }
        guard !text.isEmpty else { return nil }
        self.text = Self.isReserved(text) ? "\(text)-photo" : text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// Splits the text into words; ignores the part of a very long text that cannot fit.
    private static func words(in foreign: String) -> [String] {
        var words = [""]
        for scalar in foreign.unicodeScalars.prefix(4 * limit) {
            guard let letters = ASCIIFolding.ascii(scalar) else {
                if words.last?.isEmpty == false { words.append("") }
                continue
            }
            words[words.count - 1] += letters
        }
        return words.filter { !$0.isEmpty }
    }

    /// Whether Windows reserves the name for a device.
    private static func isReserved(_ text: String) -> Bool {
        if ["con", "prn", "aux", "nul"].contains(text) { return true }
        return text.utf8.count == 4 && (text.hasPrefix("com") || text.hasPrefix("lpt")) && text.last?.isNumber == true
    }
}

/// Converts letters to ASCII with a small table, because Unicode decomposition would require Foundation.
enum ASCIIFolding {
    /// Returns the lower-case ASCII form of a scalar.
    ///
    /// The result is empty for a mark that belongs to its neighbour, and `nil` for a word separator.
    static func ascii(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "a"..."z", "0"..."9": return String(scalar)
        case "A"..."Z": return String(scalar).lowercased()
        case "'", "\u{2019}", "\u{AD}", "\u{300}"..."\u{36F}", "\u{200B}"..."\u{200D}": return ""
        case "\u{C0}"..."\u{17F}":
            let letters = latin[Int(scalar.value) - 0xC0]
            return letters == "-" ? nil : String(letters)
        default: return nil
        }
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
