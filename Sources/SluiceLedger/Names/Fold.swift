// SPDX-License-Identifier: MIT

/// What ASCII has for a letter: a small table, because Unicode's own decomposition would need Foundation.
enum Fold {
    /// The lower-case letters or the digit that stand for a scalar; `""` for one that only marks its neighbour; `nil` for
    /// one that parts words.
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

    /// U+00C0 to U+017F: the accented letters of the languages that are written with Latin ones.
    private static let latin = """
        a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th ss \
        a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th y \
        a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g \
        g g g g h h h h i i i i i i i i i i ij ij j j k k k l l l l l l l \
        l l l n n n n n n n n n o o o o o o oe oe r r r r r r s s s s s s \
        s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s
        """.split(separator: " ")
}
