// SPDX-License-Identifier: MIT

/// Functions for the credentials in an address, `user:password`.
///
/// Send them only to the address's host, and never show or store them.
package enum Userinfo {
    /// Splits an address into the address without credentials and the credentials; the text may be malformed.
    package static func split(_ url: String) -> (url: String, userinfo: String?) {
        // Fast path: almost no address has credentials, and there may be millions of them.
        guard url.utf8Span.span.contains(UInt8(ascii: "@")), let authority = authority(of: url),
            let at = url.utf8[authority].lastIndex(of: UInt8(ascii: "@"))
        else { return (url, nil) }
        let rest = url[url.utf8.index(after: at)...]
        return ("\(url[..<authority.lowerBound])\(rest)", String(url[authority.lowerBound..<at]))
    }

    /// Returns the address without credentials.
    static func removed(from url: String?) -> String? { url.map { split($0).url } }

    /// Returns a text for users without the credentials of the addresses in it.
    package static func removed(fromText text: String) -> String {
        guard text.utf8Span.span.contains(UInt8(ascii: "@")) else { return text }
        var result = ""
        var rest = text[...]
        while let mark = rest.firstRange(of: "://") {
            let after = rest[mark.upperBound...]
            let end = after.firstIndex { "/?#".contains($0) || $0.isWhitespace } ?? after.endIndex
            let start = after[..<end].lastIndex(of: "@").map(after.index(after:)) ?? mark.upperBound
            result += rest[..<mark.upperBound] + after[start..<end]
            rest = after[end...]
        }
        return result + rest
    }

    /// Returns the address with credentials.
    static func join(_ url: String, _ userinfo: String) -> String {
        guard let start = authority(of: url)?.lowerBound else { return url }
        return "\(url[..<start])\(userinfo)@\(url[start...])"
    }

    /// Returns the range of the authority (credentials, host and port); as in libcurl, a backslash does not end it.
    private static func authority(of url: String) -> Range<String.Index>? {
        guard let colon = schemeEnd(of: url) else { return nil }
        // A local path may also contain `://`; a scheme consists of letters only. A source may have a prefix before the
        // scheme: `iiif:https://...`.
        let scheme = url[..<colon.lowerBound].utf8
        guard
            scheme.allSatisfy({
                $0 == UInt8(ascii: ":") || $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
            })
        else { return nil }
        let start = colon.upperBound
        let end = url.utf8[start...].firstIndex { "/?#".utf8.contains($0) }
        return start..<(end ?? url.endIndex)
    }

    /// Returns the range of the first `://`.
    ///
    /// It compares bytes, because millions of addresses are searched, and searching strings takes many times as long.
    private static func schemeEnd(of url: String) -> Range<String.Index>? {
        var rest = url.utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[colon...].dropFirst()
            if rest.starts(with: "//".utf8) { return colon..<rest.index(rest.startIndex, offsetBy: 2) }
        }
        return nil
    }
}
