// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The XMP sidecar of an original: the facts that its feed states, in RDF/XML as photo managers read it.
struct XMPSidecar {
    /// The maximum length of a text in bytes; longer ones are cut.
    private static let longest = 16 << 10

    private static let namespaces = [
        ("dc", "http://purl.org/dc/elements/1.1/"), ("xmp", "http://ns.adobe.com/xap/1.0/"),
        ("xmpRights", "http://ns.adobe.com/xap/1.0/rights/"), ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
        ("cc", "http://creativecommons.org/ns#"),
    ]

    private var text = ""

    /// The path of the sidecar of an original.
    static func path(of original: StoredFile) -> String { "\(original.path).xmp" }

    /// Composes the sidecar of a photo; `address` is that of its original.
    init(of photo: Photo, at address: String?) {
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about=""
            """
        for (prefix, name) in Self.namespaces { text += "\n xmlns:\(prefix)=\"\(name)\"" }
        text += ">\n"
        alternative("dc:title", photo.caption.flatMap(Self.firstLine))
        alternative("dc:description", photo.caption)
        list("dc:creator", "Seq", photo.author.map { [$0] } ?? [])
        list("dc:subject", "Bag", photo.tags.map { TagList(text: $0).tags } ?? [])
        element("dc:identifier", address)
        element("dc:source", photo.pageURL)
        if let date = photo.date, Self.years.contains(date) {
            let time = UTCTime(secondsSince1970: date).text
            element("photoshop:DateCreated", time)
            element("xmp:CreateDate", time)
        }
        element("photoshop:Credit", photo.attribution)
        writeRights(of: photo)
        text += "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"
    }

    /// The file's content.
    var bytes: [UInt8] { Array(text.utf8) }

    /// The times with years of four digits.
    private static let years = -62_135_596_800..<253_402_300_800

    /// Writes the rights as Creative Commons and IPTC recommend.
    private mutating func writeRights(of photo: Photo) {
        alternative("dc:rights", photo.attribution ?? photo.license)
        alternative("xmpRights:UsageTerms", photo.license)
        if photo.license != nil || photo.licenseURL != nil {
            let isPublicDomain = photo.licenseURL?.contains("creativecommons.org/publicdomain/") == true
            element("xmpRights:Marked", isPublicDomain ? "False" : "True")
        }
        element("xmpRights:WebStatement", photo.licenseURL)
        if let license = photo.licenseURL, Self.isReference(license) {
            text += "<cc:license rdf:resource=\"\(Self.escaped(license))\"/>\n"
        }
        element("cc:attributionName", photo.author)
        if let author = photo.authorURL, Self.isReference(author) {
            text += "<cc:attributionURL rdf:resource=\"\(Self.escaped(author))\"/>\n"
        }
    }

    /// The first line of a text that has one.
    private static func firstLine(_ text: String) -> String? {
        text.utf8.split { $0 == 10 || $0 == 13 }.first.flatMap { String(Substring($0)) }
    }

    private mutating func element(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        text += "<\(name)>\(Self.escaped(value))</\(name)>\n"
    }

    /// Writes a text in the default language.
    private mutating func alternative(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        text += "<\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(value))</rdf:li></rdf:Alt></\(name)>\n"
    }

    private mutating func list(_ name: String, _ kind: String, _ values: [String]) {
        let items = values.filter { !$0.isEmpty }.map { "<rdf:li>\(Self.escaped($0))</rdf:li>" }
        guard !items.isEmpty else { return }
        text += "<\(name)><rdf:\(kind)>\(items.joined())</rdf:\(kind)></\(name)>\n"
    }

    /// Whether a text can be the reference of a resource.
    private static func isReference(_ address: String) -> Bool {
        (address.hasPrefix("https://") || address.hasPrefix("http://"))
            && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"{}|\\^`".utf8.contains($0) }
    }

    /// Escapes a text for XML, without the characters that XML cannot represent.
    private static func escaped(_ value: String) -> String {
        var escaped = ""
        var length = 0
        for scalar in value.unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= longest else { break }
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // A parser would turn it into a newline.
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
