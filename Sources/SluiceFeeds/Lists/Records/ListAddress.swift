// SPDX-License-Identifier: MIT

/// The first look at an address in a list: quick, because there may be millions; whoever fetches it looks closer.
enum ListAddress {
    /// What is wrong with it; `nil` if it can be tried.
    static func problem(with text: some BidirectionalCollection<UInt8>) -> String? {
        let scheme = schemeLength(of: text)
        guard scheme > 0, let host = text.dropFirst(scheme).first else {
            return "not an address that begins with http:// or https://"
        }
        guard host > 0x20, host != UInt8(ascii: "/"), host != UInt8(ascii: "?"), host != UInt8(ascii: "#") else {
            return "the address has no host"
        }
        guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return "a control character in the address (columns need a header)"
        }
        return nil
    }

    /// Whether the text begins as an address does.
    static func begins(_ text: some BidirectionalCollection<UInt8>) -> Bool { schemeLength(of: text) > 0 }

    /// The length of `http://` or `https://` in any case; 0 where there is neither.
    private static func schemeLength(of text: some BidirectionalCollection<UInt8>) -> Int {
        if begins(text, with: secure) { return secure.count }
        return begins(text, with: plain) ? plain.count : 0
    }

    private static func begins(_ text: some BidirectionalCollection<UInt8>, with scheme: [UInt8]) -> Bool {
        text.prefix(scheme.count).elementsEqual(scheme, by: isSame)
    }

    /// Whether two bytes are one but for their case; what is no letter has none here either.
    private static func isSame(_ byte: UInt8, _ wanted: UInt8) -> Bool {
        byte == wanted || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(wanted) && byte | 0x20 == wanted
    }

    private static let secure = Array("https://".utf8)
    private static let plain = Array("http://".utf8)
}
