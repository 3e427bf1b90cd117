// SPDX-License-Identifier: MIT

package import SluiceModel

/// The XMP of a photo for a sidecar or a picture: the facts that its feed states, in RDF/XML as photo managers read it.
package struct PhotoXMP: Sendable {
    private struct Element {
        let name: String
        let text: String
    }

    /// The maximum length of a text in bytes; longer ones are cut.
    private static let longest = 16 << 10

    private static let namespaces = [
        ("dc", "http://purl.org/dc/elements/1.1/"), ("xmp", "http://ns.adobe.com/xap/1.0/"),
        ("xmpRights", "http://ns.adobe.com/xap/1.0/rights/"), ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
        ("cc", "http://creativecommons.org/ns#"),
    ]

    private var elements: [Element] = []

    static func path(of original: StoredFile) -> String { "\(original.path).xmp" }

    /// Composes the XMP of a photo; `address` is that of its original.
    package init(of photo: Photo, at address: String?) {
        let photo = photo.curated
        alternative("dc:title", Self.title(of: photo))
        alternative("dc:description", photo.caption)
        list("dc:creator", "Seq", photo.author.map { [$0] } ?? [])
        list("dc:subject", "Bag", photo.tags.map { TagList(text: $0).tags } ?? [])
        element("xmp:Rating", photo.rating.map(String.init))
        element("dc:identifier", address)
        element("dc:source", photo.pageURL)
        element("photoshop:DateCreated", photo.statedTime)
        element("xmp:CreateDate", photo.statedTime)
        element("photoshop:Credit", photo.attribution)
        writeRights(of: photo)
        writePlace(of: photo)
    }

    var sidecar: [UInt8] { Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(document)".utf8) }

    /// The packet for a picture that has this packet or none: its own properties stay, and the missing ones are added.
    ///
    /// `nil` if nothing can be added.
    package func packet(addedTo old: [UInt8]?) -> [UInt8]? {
        guard let old else {
            guard !elements.isEmpty else { return nil }
            let start = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
            return Array("\(start)\(document)<?xpacket end=\"w\"?>".utf8)
        }
        let missing = elements.filter { element in
            ["<\(element.name)", " \(element.name)=", "\n\(element.name)="].allSatisfy {
                old.firstRange(of: Array($0.utf8)) == nil
            }
        }
        let end = Array("</rdf:RDF>".utf8)
        guard !missing.isEmpty, let tail = old.reversed().firstRange(of: end.reversed()) else { return nil }
        let place = tail.upperBound.base
        return old[..<place] + Array(Self.description(of: missing, about: Self.subject(of: old)).utf8) + old[place...]
    }

    private var document: String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        \(Self.description(of: elements, about: ""))</rdf:RDF>
        </x:xmpmeta>

        """
    }

    /// Writes elements with all namespaces.
    private static func description(of elements: [Element], about subject: String) -> String {
        var text = "<rdf:Description rdf:about=\"\(subject)\""
        for (prefix, name) in namespaces { text += "\n xmlns:\(prefix)=\"\(name)\"" }
        return text + ">\n" + elements.map(\.text).joined() + "</rdf:Description>\n"
    }

    /// The subject of a packet, which all its descriptions share.
    private static func subject(of packet: [UInt8]) -> String {
        guard let start = packet.firstRange(of: Array("rdf:about=\"".utf8))?.upperBound else { return "" }
        return String(decoding: packet[start...].prefix { $0 != UInt8(ascii: "\"") && $0 != 0x3C }, as: UTF8.self)
    }

    /// The title of a photo: the first line of its caption.
    package static func title(of photo: Photo) -> String? {
        photo.caption?.utf8.split { $0 == 10 || $0 == 13 }.first.flatMap { String(Substring($0)) }
    }

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
            elements.append(
                Element(name: "cc:license", text: "<cc:license rdf:resource=\"\(Self.escaped(license))\"/>\n"))
        }
        element("cc:attributionName", photo.author)
        if let author = photo.authorURL, Self.isReference(author) {
            elements.append(
                Element(
                    name: "cc:attributionURL",
                    text: "<cc:attributionURL rdf:resource=\"\(Self.escaped(author))\"/>\n"))
        }
    }

    /// Writes degrees with their minutes, as EXIF's part of XMP wants them: `48,51.5022N`.
    private mutating func writePlace(of photo: Photo) {
        let degrees = photo.place.map { $0.split(separator: ",").compactMap { Double($0) } } ?? []
        guard degrees.count == 2 else { return }
        for (name, value, sides) in [("Latitude", degrees[0], "NS"), ("Longitude", degrees[1], "EW")] {
            // Six decimals of a degree are four of a minute.
            let parts = Int(rounding: min(abs(value), 180) * 600_000).quotientAndRemainder(dividingBy: 600_000)
            let minutes = parts.remainder.quotientAndRemainder(dividingBy: 10_000)
            let fraction = String(minutes.remainder).zeroPadded(to: 4)
            let text =
                "\(parts.quotient),\(minutes.quotient).\(fraction)\((value < 0 ? sides.last : sides.first) ?? "N")"
            let property = "exif:GPS\(name)"
            elements.append(
                Element(
                    name: property,
                    text: "<\(property) xmlns:exif=\"http://ns.adobe.com/exif/1.0/\">\(text)</\(property)>\n"))
        }
    }

    private mutating func element(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        add(name, Self.escaped(value))
    }

    /// Writes a text in the default language.
    private mutating func alternative(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        add(name, "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(value))</rdf:li></rdf:Alt>")
    }

    private mutating func list(_ name: String, _ kind: String, _ values: [String]) {
        let items = values.filter { !$0.isEmpty }.map { "<rdf:li>\(Self.escaped($0))</rdf:li>" }
        guard !items.isEmpty else { return }
        add(name, "<rdf:\(kind)>\(items.joined())</rdf:\(kind)>")
    }

    private mutating func add(_ name: String, _ content: String) {
        elements.append(Element(name: name, text: "<\(name)>\(content)</\(name)>\n"))
    }

    /// Whether a text can be the reference of a resource.
    private static func isReference(_ address: String) -> Bool {
        (address.hasPrefix("https://") || address.hasPrefix("http://"))
            && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"{}|\\^`".utf8.contains($0) }
    }

    /// Cuts a text that is too long, and escapes it.
    private static func escaped(_ value: String) -> String {
        var length = 0
        let scalars = value.unicodeScalars.prefix { scalar in
            length += UTF8.width(scalar)
            return length <= longest
        }
        return String(scalars).escapedForXML
    }
}
