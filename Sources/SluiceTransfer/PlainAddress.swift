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
        var text = text
        guard let parts = text.withUTF8({ unsafe Self.parts(of: $0) }) else { return nil }
        scheme = parts.isSecure ? "https" : "http"
        port = parts.port ?? (parts.isSecure ? 443 : 80)
        let bytes = text.utf8
        let hostStart = bytes.index(bytes.startIndex, offsetBy: parts.host.lowerBound)
        host = String(text[hostStart..<bytes.index(hostStart, offsetBy: parts.host.count)])
        path = String(text[bytes.index(bytes.startIndex, offsetBy: parts.path)...])
    }

    /// Whether the host is a lower-case name in ASCII that nothing takes for a number.
    static func isName(_ host: String) -> Bool {
        var host = host
        return host.withUTF8 { unsafe endOfName($0[...]) == $0.count }
    }

    private static func parts(of bytes: UnsafeBufferPointer<UInt8>)
        -> (isSecure: Bool, host: Range<Int>, port: Int?, path: Int)?
    {
        guard bytes.count <= maxBytes, unsafe bytes.starts(with: "http".utf8) else { return nil }
        let isSecure = unsafe bytes.count > 4 && bytes[4] == UInt8(ascii: "s")
        let start = isSecure ? 8 : 7
        guard unsafe bytes[(isSecure ? 5 : 4)...].starts(with: "://".utf8),
            let end = unsafe endOfName(bytes[start...]) ?? endOfNumber(bytes[start...]), end - start <= maxHostBytes
        else { return nil }
        var port: Int?
        var at = end
        if unsafe at < bytes.count && bytes[at] == UInt8(ascii: ":") {
            let digits = unsafe bytes[(at + 1)...].prefix { $0.isDigit }
            guard unsafe (1...5).contains(digits.count), unsafe digits.first != UInt8(ascii: "0") else { return nil }
            let number = unsafe digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            guard number <= 0xFFFF else { return nil }
            port = number
            at = unsafe digits.endIndex
        }
        guard unsafe isPlainPath(bytes[at...]) else { return nil }
        return (isSecure, start..<end, port, at)
    }

    /// Where the name at the begin of these bytes ends; `nil` if it may be a number or is not in its usual form.
    private static func endOfName(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let dot = UInt8(ascii: ".")
        var label = unsafe bytes.startIndex
        var at = label
        while unsafe at < bytes.endIndex {
            let byte = unsafe bytes[at]
            if byte == dot {
                guard at > label else { return nil }
                label = at + 1
            } else if !(byte.isDigit || byte.isLetter && byte & 0x20 != 0 || byte == UInt8(ascii: "-")) {
                break
            }
            at += 1
        }
        // Numbers end with a label of digits, also in hexadecimal form.
        guard at > label, unsafe bytes[label].isLetter else { return nil }
        return at
    }

    /// Where the IPv4 address at the begin of these bytes ends; `nil` if it is in another form than `192.0.2.1`.
    private static func endOfNumber(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var rest = unsafe bytes
        for part in 0..<4 {
            if unsafe part > 0 && rest.popFirst() != UInt8(ascii: ".") { return nil }
            let digits = unsafe rest.prefix { $0.isDigit }
            guard unsafe (1...3).contains(digits.count), unsafe digits.count == 1 || digits.first != UInt8(ascii: "0"),
                unsafe digits.reduce(0, { $0 * 10 + Int($1 - UInt8(ascii: "0")) }) <= 255
            else { return nil }
            unsafe rest = rest[digits.endIndex...]
        }
        return unsafe rest.startIndex
    }

    /// Whether a path with its query is sent as it is: no escapes, no dot segments, and no empty query.
    private static func isPlainPath(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard unsafe bytes.first == UInt8(ascii: "/"), unsafe bytes.last != UInt8(ascii: "?") else { return false }
        var previous: UInt8 = 0
        return unsafe bytes.allSatisfy { byte in
            defer { previous = byte }
            return isPlain[Int(byte)] && !(byte == UInt8(ascii: ".") && previous == UInt8(ascii: "/"))
        }
    }

    /// The bytes that paths and queries of plain addresses consist of.
    private static let isPlain: [Bool] = (0...255).map { (byte: UInt8) in
        byte.isDigit || byte.isLetter || "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
    }
}
