// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The parts of an address in the form that most addresses have, which libcurl prints as it reads it.
///
/// Only `http` and `https`, lower-case names that nothing takes for a number, IPv4 addresses and ports in their usual
/// form, and paths and queries of characters without a second meaning are plain; so no two readers can disagree about
/// them. All others are left to libcurl, which takes far longer.
struct PlainAddress {
    let scheme: String
    let host: String
    let port: Int
    /// The path and the query.
    let path: String

    private static let maxBytes = 4096
    private static let maxHostBytes = 253

    /// Parses a plain address; `nil` for any other text.
    init?(_ text: String) {
        let bytes = text.utf8Span.span
        let isSecure = bytes.contains("https://", at: 0)
        guard bytes.count <= Self.maxBytes, isSecure || bytes.contains("http://", at: 0) else { return nil }
        let start = isSecure ? 8 : 7
        guard let end = Self.endOfName(bytes, from: start) ?? Self.endOfNumber(bytes, from: start),
            end - start <= Self.maxHostBytes, end < bytes.count
        else { return nil }
        var pathStart = end
        if bytes[end] == UInt8(ascii: ":") {
            guard let number = Self.number(bytes, from: end + 1, digits: 5), (1...0xFFFF).contains(number.value) else {
                return nil
            }
            (port, pathStart) = (number.value, number.end)
        } else {
            port = isSecure ? 443 : 80
        }
        guard Self.isPlainPath(bytes, from: pathStart) else { return nil }
        scheme = isSecure ? "https" : "http"
        let hostStart = text.utf8.index(text.startIndex, offsetBy: start)
        let rest = text.utf8.index(hostStart, offsetBy: pathStart - start)
        host = String(text[hostStart..<text.utf8.index(hostStart, offsetBy: end - start)])
        path = String(text[rest...])
    }

    /// Whether the host is a lower-case name in ASCII that nothing takes for a number.
    static func isName(_ host: String) -> Bool {
        let bytes = host.utf8Span.span
        return endOfName(bytes, from: 0) == bytes.count
    }

    /// Where the name that begins at `start` ends; `nil` if it may be a number or is not in its usual form.
    private static func endOfName(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int? {
        var (label, at) = (start, start)
        loop: while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "."):
                guard at > label else { return nil }
                label = at + 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            default: break loop
            }
            at += 1
        }
        // Numbers end with a label of digits, also in hexadecimal form.
        return at > label && bytes[label].isLetter ? at : nil
    }

    /// Where the IPv4 address that begins at `start` ends; `nil` if it is in another form than `192.0.2.1`.
    private static func endOfNumber(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int? {
        var at = start
        for part in 0..<4 {
            if part > 0 {
                guard at < bytes.count, bytes[at] == UInt8(ascii: ".") else { return nil }
                at += 1
            }
            guard let number = number(bytes, from: at, digits: 3), number.value <= 255 else { return nil }
            at = number.end
        }
        return at
    }

    /// The decimal number that begins at `start`, and where it ends; `nil` if it has more digits, or a zero in front.
    private static func number(
        _ bytes: borrowing Span<UInt8>, from start: Int, digits: Int
    ) -> (value: Int, end: Int)? {
        var (value, at) = (0, start)
        while at < bytes.count, bytes[at].isDigit {
            guard at - start < digits, at == start || value > 0 else { return nil }
            value = value * 10 + Int(bytes[at] - UInt8(ascii: "0"))
            at += 1
        }
        return at > start ? (value, at) : nil
    }

    /// Whether a path with its query is sent as it is: no escapes, no dot segments, and no empty query.
    private static func isPlainPath(_ bytes: borrowing Span<UInt8>, from start: Int) -> Bool {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "/"), bytes[bytes.count - 1] != UInt8(ascii: "?") else {
            return false
        }
        for index in start..<bytes.count {
            let byte = bytes[index]
            guard isPlain(byte), !(byte == UInt8(ascii: ".") && bytes[index - 1] == UInt8(ascii: "/")) else {
                return false
            }
        }
        return true
    }

    /// Whether paths and queries of plain addresses may contain the byte: all of ASCII but controls, blanks, double
    /// quotes, backquotes, backslashes and the other characters that addresses encode.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x24, 0x26...0x3B, 0x3D, 0x3F...0x5A, 0x5F, 0x61...0x7A, 0x7E: true
        default: false
        }
    }
}
