// SPDX-License-Identifier: MIT

/// Reads creator, rights and the permission to mine data from an XMP packet, which is RDF in XML.
///
/// This is not an XML parser. It finds the properties in the forms that all known writers use.
struct XMPPacket {
    private let packet: [UInt8]

    init(_ packet: [UInt8]) { self.packet = packet }

    var credit: Credit {
        let creators = items(of: "dc:creator")
        // Of several languages, the default comes first.
        return Credit(
            artist: creators.isEmpty ? nil : creators.joined(separator: "; "), copyright: items(of: "dc:rights").first)
    }

    /// The term of the PLUS vocabulary in IPTC's property Data Mining, for example `DMI-PROHIBITED-AIMLTRAINING`; `nil`
    /// if it is absent.
    var dataMining: String? {
        let name = "\(prefix(of: "http://ns.useplus.org/ldf/xmp/1.0/") ?? "plus"):DataMining"
        guard let start = range(of: name, in: packet[...])?.upperBound else { return nil }
        let rest = packet[start...].prefix(Self.maxTermLength).drop { Self.blanks.contains($0) }
        // An attribute, an element with a reference, or an element with a text.
        var value: ArraySlice<UInt8>
        let tag = rest.prefix { $0 != UInt8(ascii: ">") }
        if rest.first == UInt8(ascii: "=") {
            value = Self.quoted(rest)
        } else if let reference = range(of: "rdf:resource", in: tag)?.upperBound {
            value = Self.quoted(rest[reference...])
        } else {
            value = rest.dropFirst(tag.count + 1).prefix { $0 != UInt8(ascii: "<") }
        }
        if let slash = value.lastIndex(of: UInt8(ascii: "/")) { value = value[(slash + 1)...] }
        let term = value.filter { $0 > 0x20 && $0 < 0x7F }
        return term.isEmpty ? nil : String(decoding: term.prefix(Self.maxTermLength), as: UTF8.self)
    }

    /// Returns the texts of a property: those of its list, or its only one.
    func texts(of property: String, in namespace: String) -> [String] {
        guard let prefix = prefix(of: namespace) else { return [] }
        let name = "\(prefix):\(property)"
        let items = items(of: name)
        guard items.isEmpty, let start = range(of: name, in: packet[...])?.upperBound else { return items }
        let rest = packet[start...].drop { Self.blanks.contains($0) }
        let text: ArraySlice<UInt8>
        switch rest.first {
        case UInt8(ascii: "="): text = Self.quoted(rest)
        case UInt8(ascii: ">"): text = rest.dropFirst().prefix { $0 != UInt8(ascii: "<") }
        default: return []
        }
        return [String(decoding: text.filter { !Self.blanks.contains($0) }, as: UTF8.self)]
    }

    private static let maxTermLength = 400
    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    /// Returns the text between the next pair of quotes.
    private static func quoted(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = bytes.drop { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
        guard let quote = rest.first else { return [] }
        return rest.dropFirst().prefix { $0 != quote }
    }

    /// Returns the prefix of a namespace.
    private func prefix(of namespace: String) -> String? {
        guard let uri = range(of: namespace, in: packet[...])?.lowerBound else { return nil }
        // Before it are `xmlns:`, the prefix, an equals sign and a quote.
        let before = packet[..<uri].suffix(64)
        guard let start = before.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let prefix = before[(start + 1)...].prefix { ![0x20, 0x3D, 0x22, 0x27].contains($0) }
        return prefix.isEmpty ? nil : String(decoding: prefix, as: UTF8.self)
    }

    /// Returns the texts in an element's list.
    private func items(of element: String) -> [String] {
        guard let start = range(of: "<\(element)", in: packet[...])?.upperBound,
            let end = range(of: "</\(element)>", in: packet[start...])?.lowerBound
        else { return [] }
        var items: [String] = []
        var rest = packet[start..<end]
        while let item = range(of: "<rdf:li", in: rest), let open = rest[item.upperBound...].firstIndex(of: 0x3E),
            let close = range(of: "</rdf:li", in: rest[open...])
        {
            let text = Self.plain(String(decoding: rest[(open + 1)..<close.lowerBound], as: UTF8.self))
            if !text.isEmpty { items.append(text) }
            rest = rest[close.upperBound...]
        }
        return items
    }

    private func range(of text: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        bytes.firstRange(of: Array(text.utf8))
    }

    /// Replaces XML character references; unknown ones stay unchanged.
    private static func plain(_ text: String) -> String {
        var plain = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            plain += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix { $0 != ";" && $0 != "&" }
            if rest.dropFirst(name.count + 1).first == ";", let character = character(named: name) {
                plain.append(character)
                rest = rest.dropFirst(name.count + 2)
            } else {
                plain.append("&")
                rest = rest.dropFirst()
            }
        }
        return plain + rest
    }

    private static func character(named name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let isHexadecimal = name.hasPrefix("#x")
            guard name.hasPrefix("#"),
                let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
            else { return nil }
            return Unicode.Scalar(number).map(Character.init)
        }
    }
}
