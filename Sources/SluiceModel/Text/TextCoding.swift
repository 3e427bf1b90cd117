// SPDX-License-Identifier: MIT

extension [UInt8] {
    /// The bytes in hexadecimal digits, two for each.
    package var hexadecimal: String {
        unsafe String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                unsafe text[2 * index] = Self.digit(byte >> 4)
                unsafe text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension String {
    /// Returns the digits with zeros in front, if there are fewer than `count`.
    package func zeroPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - utf8.count)) + self
    }
}

extension String {
    /// Percent-encodes the text for a query parameter or a path component, except for the `kept` characters.
    package func percentEncoded(keeping kept: String = "") -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            byte.isDigit || byte.isLetter || "-._~".utf8.contains(byte) || kept.utf8.contains(byte)
        }
        guard !utf8.allSatisfy(isPlain) else { return self }
        return String(decoding: utf8.flatMap { isPlain($0) ? [$0] : $0.percentEncoded }, as: UTF8.self)
    }
}

extension UInt8 {
    /// The escape of the byte: `%C3`.
    package var percentEncoded: [UInt8] {
        func digit(_ value: UInt8) -> UInt8 {
            value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
        }
        return [UInt8(ascii: "%"), digit(self >> 4), digit(self & 15)]
    }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    package var hexadecimalValue: UInt8? {
        if isDigit { return self - UInt8(ascii: "0") }
        let letter = self | 0x20
        return (0x61...0x66).contains(letter) ? letter - UInt8(ascii: "a") + 10 : nil
    }

    /// Whether the byte is a digit.
    @inlinable package var isDigit: Bool { (0x30...0x39).contains(self) }
    /// Whether the byte is an ASCII letter.
    @inlinable package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    /// Whether the byte is ASCII white space.
    @inlinable package var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    /// Whether the byte is a hexadecimal digit in lower case.
    package var isLowercaseHexDigit: Bool { isDigit || (0x61...0x66).contains(self) }
    /// Whether the name of a header may contain the byte (RFC 9110, `token`).
    package var isToken: Bool { isDigit || isLetter || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}

extension Sequence<UInt8> {
    /// The bytes with percent escapes decoded; malformed escapes stay.
    package var percentDecoded: [UInt8] {
        let bytes = Array(self)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }
}

extension String {
    /// Creates a text from UTF-8; `nil` if the bytes are invalid.
    ///
    /// Use this for many short texts: `String(validating:as:)` is generic, and looks up types in every call.
    package init?(utf8 bytes: Span<UInt8>) {
        do {
            self.init(copying: try UTF8Span(validating: bytes))
        } catch {
            return nil
        }
    }
}

extension String {
    /// The parts between slashes, also empty ones.
    ///
    /// A slash before a combining mark is part of another character, but a slash to servers and file systems.
    package var pathComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The text after a prefix that it begins with, byte by byte; a character may begin in one and end in the other.
    package func dropping(prefix: String) -> String { String(Substring(utf8.dropFirst(prefix.utf8.count))) }
}

extension String {
    /// The text escaped for XML and HTML, between tags and in double quotes.
    ///
    /// Characters that XML cannot represent are left out.
    package var escapedForXML: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // A parser would turn it into a newline.
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// Loops over a span take a tenth of the instructions that those over `String.UTF8View` take.
extension Span where Element == UInt8 {
    /// Whether a predicate holds for all bytes.
    @inlinable
    package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices where !predicate(self[index]) { return false }
        return true
    }

    /// Whether one of the bytes has this value.
    @inlinable
    package func contains(_ byte: UInt8) -> Bool { !allSatisfy { $0 != byte } }

    /// Whether the bytes from `start` on begin with those of a text.
    @inlinable
    package func contains(_ text: StaticString, at start: Int) -> Bool {
        guard start + text.utf8CodeUnitCount <= count else { return false }
        for index in 0..<text.utf8CodeUnitCount where unsafe self[start + index] != text.utf8Start[index] {
            return false
        }
        return true
    }
}

extension String {
    /// The text without leading and trailing white space.
    package var trimmed: String { self[...].trimmed }
}

extension Substring {
    /// The text without leading and trailing white space.
    package var trimmed: String {
        // Most texts begin and end with a printable ASCII character, which no other character can make white space.
        if let first = utf8.first, let last = utf8.last, (0x21..<0x80).contains(first), (0x21..<0x80).contains(last) {
            return String(self)
        }
        let front = drop(while: \.isWhitespace)
        return String(front[..<(front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex)])
    }
}
