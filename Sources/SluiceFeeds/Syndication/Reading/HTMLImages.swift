// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Finds the images in HTML.
enum HTMLImages {
    /// Returns the unresolved addresses of the `img` elements, without tracking pixels.
    static func addresses(in html: String) -> [String] {
        var found: [String] = []
        var rest = html.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[rest.index(after: start)...]
            let name = rest.prefix { $0.isLetter }
            guard String(Substring(name)).lowercased() == "img" else { continue }
            rest = rest.dropFirst(name.count)
            let attributes = attributes(&rest)
            let isPixel = attributes["width"] == "1" || attributes["height"] == "1"
            if let source = attributes["src"], !source.isEmpty, !isPixel { found.append(source) }
        }
        return found
    }

    /// Parses a tag's attributes up to its end, and decodes entities in their values.
    private static func attributes(_ rest: inout Substring.UTF8View) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0.isSpace || $0 == UInt8(ascii: "/") }
            guard let first = rest.first, first != UInt8(ascii: ">") else { return attributes }
            let name = rest.prefix { !$0.isSpace && !"=>/".utf8.contains($0) }
            // Skip a stray `=` without a name.
            rest = rest.dropFirst(max(1, name.count)).drop(while: \.isSpace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: \.isSpace)
            attributes[String(Substring(name)).lowercased()] = plainText(fromHTML: value(&rest))
        }
    }

    private static func value(_ rest: inout Substring.UTF8View) -> String {
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let value = rest.prefix { !$0.isSpace && $0 != UInt8(ascii: ">") }
            rest = rest.dropFirst(value.count)
            return String(Substring(value))
        }
        let value = rest.dropFirst().prefix { $0 != quote }
        rest = rest.dropFirst(value.count + 2)
        // Browsers ignore line breaks in addresses.
        return String(decoding: value.filter { !(0x09...0x0D).contains($0) }, as: UTF8.self)
    }
}
