// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// What the reply of an address is, by its content type and its first bytes.
enum ReplyKind: Sendable, Hashable {
    /// A photo itself.
    case photo
    /// RSS or Atom; also what no other rule recognises.
    case syndication
    /// A web page, or a listing of a folder.
    case webPage
    /// A site map, or an index of site maps.
    case siteMap
    /// `robots.txt`, which names the site maps of its origin.
    case robots

    /// The beginning of a reply.
    struct Head {
        /// The media type in lower case, without parameters; empty if it is not stated.
        var type = ""
        /// The last component of the address's path.
        var name = ""
        /// The first bytes, decompressed.
        var bytes: ArraySlice<UInt8> = []
        /// The name of the first element in lower case, without its prefix; empty if the bytes are no markup.
        var element = ""
    }

    /// The rules in order; the first that matches decides.
    ///
    /// To recognise another kind, add a case and a rule.
    private static let rules: [(kind: ReplyKind, matches: @Sendable (Head) -> Bool)] = [
        (.photo, { $0.type.hasPrefix("image/") && $0.type != "image/svg+xml" }),
        (.syndication, { ["rss", "rdf", "feed"].contains($0.element) }),
        (.siteMap, { ["urlset", "sitemapindex"].contains($0.element) }),
        (.webPage, { ["html", "!doctype html", "head", "body"].contains($0.element) }),
        (.webPage, { ["text/html", "application/xhtml+xml"].contains($0.type) }),
        (.robots, { $0.name == "robots.txt" && $0.element.isEmpty }),
        (.webPage, { $0.type.isEmpty && ($0.name.hasSuffix(".html") || $0.name.hasSuffix(".htm")) }),
    ]

    /// Recognises a reply, or a saved file without a content type.
    init(type: String?, name: String, bytes: [UInt8]) {
        var head = Head(name: name.lowercased(), bytes: bytes.prefix(4 << 10))
        head.type = type?.lowercased().split(separator: ";").first.map { String($0).trimmed } ?? ""
        head.element = Self.firstElement(of: XMLCleaning.trimmed(Array(head.bytes)))
        self = Self.rules.first { $0.matches(head) }?.kind ?? .syndication
    }

    /// Returns the name of the first element, after comments and declarations.
    private static func firstElement(of bytes: ArraySlice<UInt8>) -> String {
        var rest = String(decoding: bytes, as: UTF8.self).lowercased()[...]
        while true {
            rest = rest.drop(while: \.isWhitespace)
            if rest.hasPrefix("<!--"), let end = rest.firstRange(of: "-->") {
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<?"), let end = rest.firstRange(of: "?>") {
                rest = rest[end.upperBound...]
            } else {
                break
            }
        }
        guard rest.first == "<" else { return "" }
        rest = rest.dropFirst()
        if rest.hasPrefix("!doctype") {
            let words = rest.prefix { $0 != ">" && $0 != "[" }.split(whereSeparator: \.isWhitespace)
            return words.prefix(2).joined(separator: " ")
        }
        let name = rest.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        return String(name.split(separator: ":").last ?? "")
    }
}
