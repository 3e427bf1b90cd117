// SPDX-License-Identifier: MIT

extension JSON {
    /// The maximum nesting depth; deeper texts are rejected as malicious.
    package static let depthLimit = 64

    /// Parses one JSON text strictly according to RFC 8259; a byte-order mark is skipped.
    package init(parsing bytes: [UInt8]) throws(InvalidText) {
        var parser = JSONParser(bytes: bytes)
        self = try parser.text()
    }

    /// Returns the location of the value at a path of names and `[indices]`, or of its innermost ancestor that exists.
    package static func location(of path: [String], in bytes: [UInt8]) -> (line: Int, column: Int) {
        var parser = JSONParser(bytes: bytes)
        parser.wanted = path
        _ = try? parser.text()
        return parser.place(of: parser.found)
    }
}

private struct JSONParser {
    let bytes: [UInt8]
    var at = 0
    /// The path of the value to locate, if any.
    var wanted: [String]?
    /// The offset of that value, or of its innermost ancestor found so far.
    private(set) var found = 0
    /// The number of path components that the ancestor matches.
    private var matched = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    }

    mutating func text() throws(InvalidText) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard at == bytes.count else { throw error("expected the end of the text") }
        return value
    }

    private mutating func value(depth: Int) throws(InvalidText) -> JSON {
        guard depth < JSON.depthLimit else { throw error("nested deeper than \(JSON.depthLimit)") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try number())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw error("expected a value")
        }
    }

    private mutating func object(depth: Int) throws(InvalidText) -> JSON {
        var members: [JSON.Member] = []
        at += 1
        if skip(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("expected a member's name in quotes") }
            let name = try string()
            guard skip(UInt8(ascii: ":")) else { throw error("expected ':'") }
            match(name, depth)
            members.append(JSON.Member(name: name, value: try value(depth: depth + 1)))
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw error("expected ',' or '}'") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(InvalidText) -> JSON {
        var elements: [JSON] = []
        at += 1
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            if wanted != nil { match("[\(elements.count)]", depth) }
            elements.append(try value(depth: depth + 1))
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw error("expected ',' or ']'") }
        return .array(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(InvalidText) -> JSON {
        guard bytes[at...].starts(with: word.description.utf8) else { throw error("expected a value") }
        at += word.utf8CodeUnitCount
        return value
    }

    private mutating func number() throws(InvalidText) -> String {
        let start = at
        if peek == UInt8(ascii: "-") { at += 1 }
        if peek == UInt8(ascii: "0") { at += 1 } else { try digits() }
        if peek == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            at += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func digits() throws(InvalidText) {
        let start = at
        while let byte = peek, byte.isDigit { at += 1 }
        guard at > start else { throw error("expected a digit") }
    }

    private mutating func string() throws(InvalidText) -> String {
        at += 1
        var start = at
        var text = ""
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                let end = try validated(start..<at)
                at += 1
                return text.isEmpty ? end : text + end
            case UInt8(ascii: "\\"):
                text += try validated(start..<at)
                text.unicodeScalars.append(try escape())
                start = at
            case 0x00..<0x20: throw error("unescaped control character in a string")
            default: at += 1
            }
        }
        throw error("unterminated string")
    }

    private func validated(_ range: Range<Int>) throws(InvalidText) -> String {
        guard let text = String(utf8: bytes.span.extracting(range)) else {
            throw error("a string is not valid UTF-8")
        }
        return text
    }

    private mutating func escape() throws(InvalidText) -> Unicode.Scalar {
        at += 1
        guard let byte = peek else { throw error("unterminated string") }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw error("unknown escape in a string")
        }
    }

    /// Parses a `\u` escape after its `u`; an unpaired surrogate, which some services send, becomes U+FFFD.
    private mutating func unicodeEscape() throws(InvalidText) -> Unicode.Scalar {
        let first = try hexQuad()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let afterFirst = at
        if (0xD800..<0xDC00).contains(first), peek == UInt8(ascii: "\\") {
            at += 1
            if peek == UInt8(ascii: "u") {
                at += 1
                let second = try hexQuad()
                if (0xDC00..<0xE000).contains(second) {
                    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
                }
            }
        }
        at = afterFirst
        return "\u{FFFD}"
    }

    private mutating func hexQuad() throws(InvalidText) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = byte.hexadecimalValue else {
                throw error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        return value
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// Skips white space, and then `byte` if it follows; returns whether it did.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard peek == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { at += 1 }
    }

    /// Records the current offset if a member or an element is the next component of the wanted path.
    private mutating func match(_ name: String, _ depth: Int) {
        guard let wanted, depth == matched, depth < wanted.count, wanted[depth] == name else { return }
        skipSpace()
        (matched, found) = (depth + 1, at)
    }

    private func error(_ problem: String) -> InvalidText { error(problem, at: at) }

    private func error(_ problem: String, at offset: Int) -> InvalidText {
        let place = place(of: offset)
        return InvalidText(problem, line: place.line, column: place.column)
    }

    func place(of offset: Int) -> (line: Int, column: Int) {
        let before = bytes[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return (line, offset - lineStart + 1)
    }
}

/// Finds the parts of a text that need no JSON escapes, eight bytes at a time.
enum PlainBytes {
    /// Returns the offset of the next byte that is, or starts, a scalar that may need an escape.
    static func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        var index = start
        while index + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard unsafe isPlain(word) || text[index..<index + 8].allSatisfy(isPlain) else { break }
            index += 8
        }
        return unsafe text[index...].firstIndex { !isPlain($0) } ?? text.count
    }

    /// Returns the scalar at an offset; `nil` at the end of the text.
    static func scalar(in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Unicode.Scalar? {
        var decoder = UTF8()
        var bytes = unsafe text[offset...].makeIterator()
        guard case .scalarValue(let scalar) = unsafe decoder.decode(&bytes) else { return nil }
        return scalar
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        // The escaped scalars above U+007F start with C2 or E2.
        case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), 0x7F, 0xC2, 0xE2: false
        default: true
        }
    }

    /// Whether all eight bytes are ASCII and need no escape; may return false for some plain words.
    private static func isPlain(_ word: UInt64) -> Bool {
        let low: UInt64 = 0x0101_0101_0101_0101
        let high = low << 7
        // In each difference, the high bit of a byte is set if the byte is less than the subtrahend.
        func isZero(_ word: UInt64) -> UInt64 { (word &- low) & ~word }
        let found =
            word | (word &- low &* 0x20) & ~word | isZero(word ^ low &* 0x22) | isZero(word ^ low &* 0x3C)
            | isZero(word ^ low &* 0x5C) | isZero(word ^ low &* 0x7F)
        return found & high == 0
    }
}
