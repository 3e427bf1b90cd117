// SPDX-License-Identifier: MIT

/// The encoding of texts from Western Europe that are not UTF-8, as browsers read them.
enum Windows1252 {
    /// The characters from 0x80 to 0x9F; the others are those of Unicode.
    private static let characters = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// Returns the text of bytes, all of which have a meaning.
    static func text(of bytes: some Sequence<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            scalars.append((0x80..<0xA0).contains(byte) ? characters[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(scalars)
    }
}
