// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Repairs documents that are almost XML, because feeds are often assembled by hand.
enum XMLCleaning {
    /// Returns the document without white space and byte order marks before its first tag.
    ///
    /// XML forbids them before `<?xml`; a template engine often adds a blank line there.
    static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let rest = content(of: bytes[...])
        // A document in UTF-16 has its mark and zeros.
        return rest.first == UInt8(ascii: "<") ? rest : bytes[...]
    }

    /// Returns the bytes without white space and byte order marks at their beginning.
    static func content(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let first = rest.first {
            if rest.starts(with: byteOrderMark) {
                rest = rest.dropFirst(byteOrderMark.count)
            } else if isSpace(first) {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return rest
    }

    /// Returns the document in UTF-8 without its declaration, control characters, and entities that XML does not have;
    /// `nil` if that does not change it.
    ///
    /// Bytes that are not UTF-8 are read as Windows-1252, as browsers do.
    static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        if rest.starts(with: "<?xml".utf8), let end = rest.firstRange(of: "?>".utf8) { rest = rest[end.upperBound...] }
        let isUTF8 = String(validating: rest, as: UTF8.self) != nil
        var result: [UInt8] = []
        result.reserveCapacity(rest.count)
        var isInCDATA = false
        while let byte = rest.first {
            if isInCDATA ? rest.starts(with: "]]>".utf8) : rest.starts(with: "<![CDATA[".utf8) { isInCDATA.toggle() }
            if byte == UInt8(ascii: "&"), !isInCDATA {
                let (text, length) = reference(in: rest)
                result += text.utf8
                rest = rest.dropFirst(length)
                continue
            }
            rest = rest.dropFirst()
            if byte >= 0x80, !isUTF8 {
                result += Windows1252.text(of: CollectionOfOne(byte)).utf8
            } else if byte >= 0x20 || isSpace(byte) {
                result.append(byte)
            }
        }
        return result.elementsEqual(bytes) ? nil : result
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Returns a reference that XML understands for the one at the beginning, and the length of that one.
    private static func reference(in bytes: ArraySlice<UInt8>) -> (text: String, length: Int) {
        let name = bytes.dropFirst().prefix(32).prefix { $0 != UInt8(ascii: ";") }
        let text = String(decoding: name, as: UTF8.self)
        guard bytes.dropFirst(name.count + 1).first == UInt8(ascii: ";"), !text.isEmpty,
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "#") || $0.isDigit || $0.isLetter })
        else { return ("&amp;", 1) }
        if ["amp", "lt", "gt", "quot", "apos"].contains(text) { return ("&\(text);", name.count + 2) }
        guard let scalar = htmlEntity(text[...]), scalar.value >= 0x20 || [9, 10, 13].contains(scalar.value) else {
            return ("&amp;", 1)
        }
        return ("&#\(scalar.value);", name.count + 2)
    }
}
