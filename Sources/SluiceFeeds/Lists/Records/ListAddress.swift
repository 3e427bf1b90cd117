// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Quick validation of the addresses in a list.
///
/// It is shallow because a list may have millions of addresses; the transfer validates each one fully.
enum ListAddress {
    /// Returns the problem of the address; `nil` if it looks valid.
    static func problem(with text: some BidirectionalCollection<UInt8>) -> String? {
        let scheme = schemeLength(of: text)
        guard scheme > 0, let host = text.dropFirst(scheme).first else {
            return "not an http:// or https:// address"
        }
        guard host > 0x20, host != UInt8(ascii: "/"), host != UInt8(ascii: "?"), host != UInt8(ascii: "#") else {
            return "the address has no host"
        }
        guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return "control character in the address (a list with columns needs a header)"
        }
        return nil
    }

    /// Returns the addresses in a cell or a line, which may have several between commas, semicolons, bars or white
    /// space.
    ///
    /// What follows a picture's address after such a character is another column.
    static func addresses(in text: String) -> [String] {
        guard begins(text.utf8) else { return [text] }
        let bytes = Array(text.utf8)
        let starts =
            [0] + bytes.indices.dropFirst().filter { isSeparator(bytes[$0 - 1]) && begins(bytes[$0...]) }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { start, end in
            let last = end == bytes.count ? end - 1 : bytes[..<end].lastIndex { !isSeparator($0) } ?? start
            let whole = bytes[start...last]
            if !isPicture(whole), let column = whole.firstIndex(where: ",;|\t".utf8.contains),
                isPicture(whole[..<column])
            {
                return String(decoding: whole[..<column], as: UTF8.self)
            }
            return String(decoding: whole, as: UTF8.self)
        }
    }

    /// Whether a text may have several addresses.
    ///
    /// It reads every address of a list, so it has no branch for a byte, and compares many bytes at a time.
    static func hasSeparator(_ text: borrowing Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for index in text.indices {
            let byte = text[index]
            found |=
                (byte <= 0x20 ? 1 : 0) | (byte == UInt8(ascii: ",") ? 1 : 0) | (byte == UInt8(ascii: ";") ? 1 : 0)
                | (byte == UInt8(ascii: "|") ? 1 : 0)
        }
        return found > 0
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"): true
        default: false
        }
    }

    private static func isPicture(_ bytes: ArraySlice<UInt8>) -> Bool {
        PictureName.isPicture(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether the text starts with `http://` or `https://`.
    static func begins(_ text: some BidirectionalCollection<UInt8>) -> Bool { schemeLength(of: text) > 0 }

    /// Returns the length of `http://` or `https://`, in either case; 0 if the text starts with neither.
    private static func schemeLength(of text: some BidirectionalCollection<UInt8>) -> Int {
        if begins(text, with: secure) { return secure.count }
        return begins(text, with: plain) ? plain.count : 0
    }

    private static func begins(_ text: some BidirectionalCollection<UInt8>, with scheme: [UInt8]) -> Bool {
        text.prefix(scheme.count).elementsEqual(scheme, by: equalsIgnoringCase)
    }

    /// Compares two bytes, ignoring the case of ASCII letters; `wanted` is lower-case.
    private static func equalsIgnoringCase(_ byte: UInt8, _ wanted: UInt8) -> Bool {
        byte == wanted || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(wanted) && byte | 0x20 == wanted
    }

    private static let secure = Array("https://".utf8)
    private static let plain = Array("http://".utf8)
}

/// Pictures of a document whose addresses follow one in it: `{"base": "https://a.test", "images": ["/lake.jpg"]}`.
enum RelativeAddresses {
    private static let bases: Set<String> = [
        "base", "baseurl", "base_url", "base-url", "baseuri", "base_uri", "prefix",
    ]

    /// Whether a member has the beginning of other addresses, by its name.
    static func isBase(_ name: String) -> Bool { bases.contains(name.lowercased()) }

    /// Returns the document with whole addresses, without their beginning; unchanged if it states none.
    static func resolved(_ json: JSON) -> JSON {
        guard case .object(let members) = json else { return json }
        let base = members.lazy.filter { isBase($0.name) }.compactMap(\.value.text).first {
            ListAddress.begins($0.utf8)
        }
        guard let base else { return json }
        return resolved(.object(members.filter { !isBase($0.name) }), base.hasSuffix("/") ? base : "\(base)/")
    }

    private static func resolved(_ json: JSON, _ base: String) -> JSON {
        switch json {
        case .string(let text):
            guard !ListAddress.begins(text.utf8), PictureName.isPicture(text), !text.contains(where: \.isWhitespace)
            else { return json }
            return .string(base + text.drop { $0 == "/" })
        case .array(let elements): return .array(elements.map { resolved($0, base) })
        case .object(let members):
            return .object(members.map { JSON.Member(name: $0.name, value: resolved($0.value, base)) })
        default: return json
        }
    }
}

/// The request headers that a record of a list states for its photo, as gallery-dl writes them.
enum RequestHeaders {
    /// The member of a record that holds an object of names and values.
    static let member = "_http_headers"

    private static let maxCount = 32
    private static let maxBytes = 8 << 10

    /// Names that belong to the connection, to the body, to parts of files or to proxies, and not to the photo.
    private static let refused: Set = [
        "connection", "content-encoding", "content-length", "content-type", "expect", "forwarded", "host",
        "http2-settings", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "keep-alive", "range", "te", "trailer", "transfer-encoding", "upgrade", "via",
    ]
    private static let refusedPrefixes = ["proxy-", "x-forwarded-"]
    /// Sluice asks for photos without compression anyway.
    private static let ignored: Set = ["accept-encoding"]

    /// Returns the headers of an object, each as `Name: value`; members that are `null` or empty are ignored.
    static func parse(_ json: JSON) throws(InvalidText) -> [String] {
        guard case .object(let members) = json else {
            if case .null = json { return [] }
            throw InvalidText("\(member) is not an object")
        }
        var headers: [String] = []
        for (name, value) in members.map({ ($0.name, $0.value) }) {
            let lower = name.lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(\.isToken) else {
                throw InvalidText("invalid name of a header: '\(name.prefix(80))'")
            }
            guard !refused.contains(lower), !refusedPrefixes.contains(where: lower.hasPrefix) else {
                throw InvalidText("a list cannot set the header '\(name.prefix(80))'")
            }
            if case .null = value { continue }
            guard let text = value.text else { throw InvalidText("the header '\(name)' is not a text") }
            // A line break would begin another header.
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw InvalidText("the header '\(name)' contains a control character")
            }
            if !text.trimmed.isEmpty, !ignored.contains(lower) { headers.append("\(name): \(text.trimmed)") }
        }
        guard headers.count <= maxCount, headers.reduce(0, { $0 + $1.utf8.count }) <= maxBytes else {
            throw InvalidText("more than \(maxCount) headers or \(maxBytes >> 10) KiB of them")
        }
        return headers
    }
}
