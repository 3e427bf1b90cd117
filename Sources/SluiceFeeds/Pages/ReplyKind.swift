// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What the reply of an address is, by its content type and its first bytes.
enum ReplyKind: Sendable, Hashable {
    case photo
    /// RSS or Atom; also what no other rule recognises.
    case syndication
    /// Records of an OAI-PMH repository, or a METS document.
    case oai
    /// A web page, or a listing of a folder.
    case webPage
    /// A site map, or an index of site maps.
    case siteMap
    /// A list of photos: a table, JSON Lines or a Parquet file, compressed or not.
    case list
    /// A manifest or collection of IIIF, or the description of one picture.
    case iiif
    case jsonFeed
    /// Another JSON object, of a service that only a recipe can read.
    case json
    /// `robots.txt`, which names the site maps of its origin.
    case robots
    /// A file of another kind, such as an archive or a video.
    case foreign(Failure)

    /// The beginning of a reply.
    struct Head {
        /// The media type in lower case, without parameters; empty if it is not stated.
        var type = ""
        /// The last component of the address's path.
        var name = ""
        var bytes: ArraySlice<UInt8> = []
        /// The name of the first element in lower case, without its prefix; empty if the bytes are no markup.
        var element = ""

        /// The bytes without a byte order mark and white space at their beginning.
        var text: ArraySlice<UInt8> { XMLCleaning.content(of: bytes) }
        var first: UInt8? { text.first }
        var isObject: Bool { first == UInt8(ascii: "{") }

        func contains(_ part: String) -> Bool {
            String(decoding: bytes, as: UTF8.self).replacing("\\/", with: "/").contains(part)
        }

        /// Whether a second object begins on a line after the first, as in JSON Lines.
        var hasSeveralObjects: Bool {
            let lines = text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
            return lines.count > 1 && lines[0].last { $0 != 0x20 } == UInt8(ascii: "}")
                && lines[1].first { $0 != 0x20 } == UInt8(ascii: "{")
        }
    }

    /// The first bytes of Parquet files, gzip and zstd.
    private static let listSignatures: [[UInt8]] = [Array("PAR1".utf8), [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD]]
    private static let listTypes: Set = [
        "text/csv", "text/tab-separated-values", "application/jsonl", "application/jsonlines",
        "application/x-jsonlines", "application/x-ndjson", "application/vnd.apache.parquet", "application/gzip",
        "application/x-gzip", "application/zstd",
    ]

    /// The elements with which a saved part of a page begins.
    private static let fragments: Set = [
        "a", "article", "br", "center", "div", "dl", "figure", "footer", "h1", "h2", "h3", "header", "hr", "img", "li",
        "main", "nav", "ol", "p", "picture", "pre", "script", "section", "span", "style", "table", "td", "tr", "ul",
    ]

    /// The rules in order; the first that matches decides.
    ///
    /// To recognise another kind, add a case and a rule.
    private static let rules: [(kind: ReplyKind, matches: @Sendable (Head) -> Bool)] = [
        (.photo, { $0.type.hasPrefix("image/") && $0.type != "image/svg+xml" }),
        (.syndication, { ["rss", "rdf", "feed"].contains($0.element) }),
        (.oai, { ["oai-pmh", "mets"].contains($0.element) }),
        (.siteMap, { ["urlset", "sitemapindex"].contains($0.element) }),
        (.webPage, { ["html", "!doctype html", "head", "body"].contains($0.element) }),
        (.webPage, { ["text/html", "application/xhtml+xml"].contains($0.type) }),
        (.webPage, { $0.type.isEmpty && fragments.contains($0.element) && !$0.text.starts(with: "<?xml".utf8) }),
        (.list, { head in listSignatures.contains { head.bytes.starts(with: $0) } }),
        (.iiif, { $0.isObject && $0.contains("iiif.io/api/presentation/") }),
        (.jsonFeed, { $0.isObject && $0.contains("jsonfeed.org/version/") }),
        (.list, { $0.element.isEmpty && listTypes.contains($0.type) }),
        (.list, { $0.first == UInt8(ascii: "[") || $0.isObject && $0.hasSeveralObjects }),
        (.json, { $0.isObject }),
        (.robots, { $0.name == "robots.txt" && $0.element.isEmpty }),
        (.list, { $0.type == "text/plain" && ListAddress.begins($0.text) }),
        (.webPage, { $0.type.isEmpty && ($0.name.hasSuffix(".html") || $0.name.hasSuffix(".htm")) }),
    ]

    /// Recognises a reply, or a saved file without a content type.
    init(type: String?, name: String, bytes: [UInt8]) {
        var head = Head(name: name.lowercased(), bytes: bytes.prefix(4 << 10))
        head.type = type?.lowercased().split(separator: ";").first.map { String($0).trimmed } ?? ""
        head.element = Self.firstElement(of: XMLCleaning.trimmed(Array(head.bytes)))
        let rule = Self.rules.first { $0.matches(head) }
        if rule == nil, head.element.isEmpty, let other = ForeignFile.failure(type: head.type, head.bytes) {
            self = .foreign(other)
            return
        }
        let kind = rule?.kind ?? .syndication
        self = kind == .json ? Self.kind(ofObject: bytes) : kind
    }

    /// Returns the kind of a JSON object whose beginning does not tell it.
    private static func kind(ofObject bytes: [UInt8]) -> ReplyKind {
        guard let json = try? JSON(parsing: Array(XMLCleaning.content(of: bytes[...]))) else { return .json }
        let document = IIIFDocument(json: json)
        let contexts = json["@context"].map { ($0.elements ?? [$0]).compactMap(\.text) } ?? []
        let isManifest = document.type == "Manifest" && (json["items"] ?? json["sequences"]) != nil
        if isManifest || IIIFImage.isInformation(json)
            || contexts.contains(where: { $0.contains("iiif.io/api/presentation/") })
        {
            return .iiif
        }
        return json["version"]?.text?.contains("jsonfeed.org/version/") == true ? .jsonFeed : .json
    }

    /// Whether a saved file is a JSON Feed or a IIIF resource, and not a list whose records mention one.
    static func isSavedFeed(_ start: [UInt8]) -> Bool {
        let head = Head(bytes: start[...])
        let names = ["\"@context\"", "\"version\""]
        return head.isObject && !head.hasSeveralObjects && names.contains(where: head.contains)
            && [.iiif, .jsonFeed].contains(ReplyKind(type: nil, name: "", bytes: start))
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
