// SPDX-License-Identifier: MIT

/// Turns text in UTF-16 with a byte order mark, as spreadsheets save lists, into UTF-8; other text stays as it is.
struct UTF16Text {
    /// Whether the lower byte comes first; `nil` until the first two bytes have arrived.
    private var isLittleEndian: Bool?
    private var isOther = false
    /// The bytes of an incomplete character.
    private var rest: [UInt8] = []

    /// Returns the text of the next bytes, some of which may have to wait for those after them.
    mutating func decode(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        guard !isOther else { return bytes }
        rest += bytes
        if isLittleEndian == nil {
            guard rest.count >= 2 || isLast else { return [] }
            switch rest.prefix(2) {
            case [0xFF, 0xFE]: isLittleEndian = true
            case [0xFE, 0xFF]: isLittleEndian = false
            default:
                isOther = true
                defer { rest = [] }
                return rest
            }
            rest.removeFirst(2)
        }
        let isLittle = isLittleEndian == true
        var units = stride(from: 0, to: rest.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(rest[index]), UInt16(rest[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        rest.removeFirst(2 * units.count)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

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
