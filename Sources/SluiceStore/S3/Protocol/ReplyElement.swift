// SPDX-License-Identifier: MIT

/// An element of a service's reply: its name, its text and its children.
///
/// It is a parser for the plain XML of object stores. Attributes are ignored, and document types are refused.
struct ReplyElement: Sendable {
    private static let maxDepth = 16

    var name: String
    var text = ""
    var children: [ReplyElement] = []

    /// The text of the first child with this name.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    /// All children with this name.
    func all(_ name: String) -> [ReplyElement] { children.filter { $0.name == name } }

    /// Parses a document; `nil` if it is malformed or longer than `limit` bytes.
    init?(parsing bytes: [UInt8], limit: Int) {
        guard bytes.count <= limit else { return nil }
        var open: [ReplyElement] = []
        var root: ReplyElement?
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            guard let text = Self.decoded(rest[..<start]) else { return nil }
            if let last = open.indices.last { open[last].text += text }
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = Self.position(of: "-->", in: rest) else { return nil }
                rest = rest[(end + 3)...]
                continue
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")), rest.first != UInt8(ascii: "!") else { return nil }
            let tag = rest[..<end]
            rest = rest[(end + 1)...]
            if tag.first == UInt8(ascii: "?") { continue }
            if tag.first == UInt8(ascii: "/") {
                guard let element = open.popLast(), element.name == Self.name(of: tag.dropFirst()) else { return nil }
                guard Self.close(element, in: &open, root: &root) else { return nil }
                continue
            }
            let element = ReplyElement(name: Self.name(of: tag))
            guard !element.name.isEmpty, open.count < Self.maxDepth else { return nil }
            if tag.last != UInt8(ascii: "/") {
                open.append(element)
            } else if !Self.close(element, in: &open, root: &root) {
                return nil
            }
        }
        guard open.isEmpty, let root else { return nil }
        self = root
    }

    private init(name: String) { self.name = name }

    /// Adds an element to its parent; `false` if it is a second root.
    private static func close(_ element: ReplyElement, in open: inout [ReplyElement], root: inout ReplyElement?) -> Bool
    {
        if let parent = open.indices.last {
            open[parent].children.append(element)
            return true
        }
        guard root == nil else { return false }
        root = element
        return true
    }

    private static func name(of tag: ArraySlice<UInt8>) -> String {
        let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        return String(decoding: name, as: UTF8.self)
    }

    private static func position(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let text = Array(text.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: text) }
    }

    /// Decodes references such as `&amp;` and `&#13;`; `nil` if one is unknown.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var parts = String(decoding: bytes, as: UTF8.self).split(separator: "&", omittingEmptySubsequences: false)[...]
        var text = String(parts.removeFirst())
        for part in parts {
            guard let end = part.firstIndex(of: ";"), let scalar = scalar(of: part[..<end]) else { return nil }
            text.unicodeScalars.append(scalar)
            text += part[part.index(after: end)...]
        }
        return text
    }

    private static func scalar(of reference: Substring) -> Unicode.Scalar? {
        let named: [Substring: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let scalar = named[reference] { return scalar }
        guard reference.hasPrefix("#") else { return nil }
        let number = reference.dropFirst()
        let value = number.hasPrefix("x") ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
        return value.flatMap(Unicode.Scalar.init)
    }
}
