// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The pictures in the style of an element, such as `background-image: url('lake.jpg')`.
enum StyleImages {
    private static let properties: Set<String> = ["background", "background-image"]
    /// The maximum length of a style in bytes; a longer one is ignored.
    private static let maxLength = 4 << 10
    /// The maximum number of addresses; the rest is ignored.
    private static let maxAddresses = 8

    /// Returns the addresses that end like pictures.
    static func addresses(in style: String) -> [String] {
        guard style.utf8.count <= maxLength else { return [] }
        var (addresses, rest): ([String], Substring) = ([], style[...])
        while addresses.count < maxAddresses, let colon = rest.firstIndex(of: ":") {
            let name = String(rest[..<colon]).trimmed.lowercased()
            let value = value(at: rest[rest.index(after: colon)...])
            rest = rest[value.endIndex...].dropFirst()
            if properties.contains(name) { addresses += urls(in: value).filter(PictureName.isPicture) }
        }
        return Array(addresses.prefix(maxAddresses))
    }

    /// Returns a declaration's value: the text before the first semicolon outside of parentheses.
    private static func value(at text: Substring) -> Substring {
        var depth = 0
        return text.prefix { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return character != ";" || depth > 0
        }
    }

    private static func urls(in value: Substring) -> [String] {
        var (urls, rest): ([String], Substring) = ([], value)
        while let start = rest.firstRange(of: "url(") {
            let inside = rest[start.upperBound...].prefix { $0 != ")" }
            rest = rest[inside.endIndex...]
            let address = String(inside).trimmed
            let isQuoted = address.count > 1 && address.first == address.last && "\"'".contains(address.prefix(1))
            urls.append(isQuoted ? String(address.dropFirst().dropLast()).trimmed : address)
        }
        return urls
    }
}
