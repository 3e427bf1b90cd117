// SPDX-License-Identifier: MIT

/// Reads creator and rights from an XMP packet, which is RDF in XML.
///
/// This is not an XML parser. It finds `dc:creator` and `dc:rights` in the form that all known writers use.
struct XMPPacket {
    private let packet: [UInt8]

    init(_ packet: [UInt8]) { self.packet = packet }

    var credit: Credit {
        let creators = items(of: "dc:creator")
        // Of several languages, the default comes first.
        return Credit(
            artist: creators.isEmpty ? nil : creators.joined(separator: "; "), copyright: items(of: "dc:rights").first)
    }

    /// The EXIF orientation, 1 to 8, in the first `tiff:Orientation`; `nil` if it is absent or invalid.
    var orientation: Int? {
        var rest = packet[...]
        let name = Array("tiff:Orientation".utf8)
        while let start = rest.position(of: name[0]) {
            rest = rest.dropFirst(start)
            if rest.starts(with: name) {
                let value = rest.dropFirst(name.count)
                // An attribute or an element.
                let digit = value.starts(with: Array("=\"".utf8)) ? value.dropFirst(2).first : value.dropFirst().first
                let isStated = value.starts(with: Array("=\"".utf8)) || value.first == UInt8(ascii: ">")
                if isStated, let digit, (0x30...0x39).contains(digit) {
                    return (0x31...0x38).contains(digit) ? Int(digit) - 0x30 : nil
                }
            }
            rest = rest.dropFirst()
        }
        return nil
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
