// SPDX-License-Identifier: MIT

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
