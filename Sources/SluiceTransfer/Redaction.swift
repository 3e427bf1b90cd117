// SPDX-License-Identifier: MIT

package import SluiceModel

/// Replaces secrets by `***` in texts of replies, which are stored and shown.
///
/// A server may repeat a secret in any spelling: with escapes of URLs, JSON or HTML, one inside the other, or in Base64
/// or hexadecimal digits.
package struct Redaction: Sendable {
    /// The minimum length of a word in bytes; a shorter one would also destroy ids, addresses and captions.
    package static let minimumLength = 6
    private static let mark = [UInt8]("***".utf8)

    /// The words in their plain form and in those encodings that change each byte, the longest first.
    private var patterns: [[UInt8]] = []
    /// Whether a spelling of a pattern may begin with a byte.
    private var isStart = [Bool](repeating: false, count: 256)
    private var known: Set<Secret> = []

    init() {}

    /// Whether there is nothing to replace.
    package var isEmpty: Bool { patterns.isEmpty }

    /// Adds the words of secrets.
    mutating func add(_ secrets: [Secret]) {
        for secret in secrets where known.insert(secret).inserted { add(words: secret.words) }
    }

    /// Adds words; those that are too short are ignored.
    mutating func add(words: [String]) {
        for word in words where word.utf8.count >= Self.minimumLength {
            let bytes = [UInt8](word.utf8)
            for pattern in [bytes] + Self.base64(bytes) + Self.hexadecimal(bytes) where !patterns.contains(pattern) {
                patterns.append(pattern)
            }
        }
        patterns.sort { $0.count > $1.count }
        for first in patterns.compactMap(\.first) { isStart[Int(first)] = true }
        if !patterns.isEmpty { for byte in "%\\&".utf8 { isStart[Int(byte)] = true } }
    }

    /// Returns the text without the words.
    package func redacted(_ text: String) -> String {
        if isEmpty { return text }
        return redacted([UInt8](text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Returns the bytes without the words; `nil` if they have none.
    package func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8]?
        var (index, copied) = (0, 0)
        while index < bytes.count {
            guard isStart[Int(bytes[index])], let end = end(at: index, in: bytes) else {
                index += 1
                continue
            }
            result = (result ?? []) + bytes[copied..<index] + Self.mark
            (index, copied) = (end, end)
        }
        return result.map { $0 + bytes[copied...] }
    }

    /// Returns the end of the word that begins at an index; `nil` if none does.
    private func end(at index: Int, in bytes: [UInt8]) -> Int? {
        for pattern in patterns {
            if let end = Self.end(of: pattern[...], in: bytes, at: index) { return end }
        }
        return nil
    }

    // MARK: Spellings

    /// Returns the end of a spelling of the pattern that begins at an index; `nil` if there is none.
    private static func end(of pattern: ArraySlice<UInt8>, in bytes: [UInt8], at index: Int) -> Int? {
        guard let byte = pattern.first else { return index }
        guard index < bytes.count else { return nil }
        // A byte that begins escapes may stand for itself, too.
        if let next = endOfEscape(of: byte, in: bytes, at: index),
            let end = Self.end(of: pattern.dropFirst(), in: bytes, at: next)
        {
            return end
        }
        return bytes[index] == byte ? end(of: pattern.dropFirst(), in: bytes, at: index + 1) : nil
    }

    private static func endOfEscape(of byte: UInt8, in bytes: [UInt8], at index: Int) -> Int? {
        switch bytes[index] {
        case UInt8(ascii: "%"): endOfPercentEscape(of: byte, in: bytes, at: index)
        case UInt8(ascii: "\\"): endOfBackslashEscape(of: byte, in: bytes, at: index)
        case UInt8(ascii: "&"): endOfReference(to: byte, in: bytes, at: index)
        default: nil
        }
    }

    /// `%2F`, and the escape of an escape: `%252F`.
    private static func endOfPercentEscape(of byte: UInt8, in bytes: [UInt8], at index: Int) -> Int? {
        var (index, end): (Int, Int?) = (index + 1, nil)
        while index + 1 < bytes.count {
            if value(of: bytes[index..<index + 2], radix: 16) == Int(byte) { end = index + 2 }
            // Only an escaped percent sign begins another escape.
            guard bytes[index] == UInt8(ascii: "2"), bytes[index + 1] == UInt8(ascii: "5") else { break }
            index += 2
        }
        return end
    }

    /// `\/`, `\u002F` and `\x2F`, also in a text that is itself a text in JSON: `\\/`.
    private static func endOfBackslashEscape(of byte: UInt8, in bytes: [UInt8], at index: Int) -> Int? {
        let start = bytes[index...].firstIndex { $0 != UInt8(ascii: "\\") } ?? bytes.count
        guard start < bytes.count else { return nil }
        for (letter, count) in [(UInt8(ascii: "u"), 4), (UInt8(ascii: "x"), 2)] where bytes[start] == letter {
            let end = start + 1 + count
            if end <= bytes.count, value(of: bytes[(start + 1)..<end], radix: 16) == Int(byte) { return end }
        }
        return bytes[start] == byte ? start + 1 : nil
    }

    /// `&#47;`, `&#x2F;`, `&sol;` and `&amp;#47;`.
    private static func endOfReference(to byte: UInt8, in bytes: [UInt8], at index: Int) -> Int? {
        var start = index + 1
        while bytes[start...].starts(with: "amp;".utf8) {
            let rest = start + 4
            // `&amp;` alone is an ampersand.
            guard rest < bytes.count, bytes[rest] == UInt8(ascii: "#") || bytes[rest...].starts(with: "amp;".utf8)
            else {
                break
            }
            start = rest
        }
        guard let end = bytes[start...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = bytes[start..<end]
        let number: Int?
        if name.starts(with: "#x".utf8) || name.starts(with: "#X".utf8) {
            number = value(of: name.dropFirst(2), radix: 16)
        } else if name.first == UInt8(ascii: "#") {
            number = value(of: name.dropFirst(), radix: 10)
        } else {
            let named = names.first { name.elementsEqual($0.name.utf8) }
            return named?.byte == byte ? end + 1 : nil
        }
        return number == Int(byte) ? end + 1 : nil
    }

    /// The names of characters that addresses, keys and passwords often have.
    private static let names: [(name: String, byte: UInt8)] = [
        ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27), ("sol", 0x2F), ("plus", 0x2B),
        ("equals", 0x3D), ("colon", 0x3A), ("period", 0x2E), ("lowbar", 0x5F), ("num", 0x23), ("percnt", 0x25),
    ]

    private static func value(of digits: ArraySlice<UInt8>, radix: Int) -> Int? {
        digits.isEmpty || digits.count > 6 ? nil : Int(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    // MARK: Encodings

    private static func hexadecimal(_ bytes: [UInt8]) -> [[UInt8]] {
        ["0123456789abcdef", "0123456789ABCDEF"].map { text in
            let digits = [UInt8](text.utf8)
            return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        }
    }

    /// Returns the characters of Base64 that the bytes alone determine, wherever they are in the encoded text.
    private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
        let letters = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return ["+/", "-_"].flatMap { last in
            let alphabet = letters + last.utf8
            return (0..<3).map { offset in
                let all = [UInt8](repeating: 0, count: offset) + bytes
                return ((offset * 8 + 5) / 6..<all.count * 8 / 6).map { position in
                    let bit = position * 6
                    let pair = UInt16(all[bit / 8]) << 8 | (bit / 8 + 1 < all.count ? UInt16(all[bit / 8 + 1]) : 0)
                    return alphabet[Int(pair >> UInt16(10 - bit % 8)) & 63]
                }
            }
        }
    }
}

// MARK: Values with texts

extension Redaction {
    /// Returns the value without the words in its texts and in the names of members.
    package func redacted(_ json: JSON) -> JSON {
        if isEmpty { return json }
        return switch json {
        case .null, .bool: json
        case .string(let text): .string(redacted(text))
        case .number(let text): redacted([UInt8](text.utf8)) == nil ? json : .string(redacted(text))
        case .array(let elements): .array(elements.map { redacted($0) })
        case .object(let members):
            .object(members.map { JSON.Member(name: redacted($0.name), value: redacted($0.value)) })
        }
    }

    /// Returns the failure without the words.
    package func redacted(_ failure: Failure) -> Failure {
        if isEmpty { return failure }
        var failure = failure
        failure.detail = redacted(failure.detail)
        failure.finalURL = failure.finalURL.map { redacted($0) }
        return failure
    }

    /// Removes the words from a response's address and headers; its body is data.
    func redact(_ response: inout Response) {
        if isEmpty { return }
        response.url = redacted(response.url)
        response.headers.replaceValues { redacted($0) }
    }
}
