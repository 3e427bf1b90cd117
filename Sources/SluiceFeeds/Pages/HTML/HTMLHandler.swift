// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The attributes of an element, by their names in lower case.
struct HTMLAttributes {
    /// The names and values in the order of the tag.
    private(set) var pairs: [(name: String, value: String)] = []

    /// Adds an attribute; of several with one name, the first counts.
    mutating func add(_ name: String, _ value: String) { pairs.append((name, value)) }

    var count: Int { pairs.count }

    /// The value without surrounding white space; `nil` if it is missing or empty.
    subscript(name: String) -> String? {
        guard let value = pairs.first(where: { $0.name == name })?.value.trimmed, !value.isEmpty else { return nil }
        return value
    }

    /// Whether the attribute is present, with any value.
    func has(_ name: String) -> Bool { pairs.contains { $0.name == name } }

    /// The values in the order of the tag.
    var values: [String] { pairs.map(\.value.trimmed) }

    /// The words of a value that is a list of words, in lower case.
    func words(_ name: String) -> [String] {
        self[name].map { $0.lowercased().split(whereSeparator: \.isWhitespace).prefix(32).map(String.init) } ?? []
    }
}

/// Receives the elements and texts of an HTML document in order.
protocol HTMLHandler: AnyObject {
    /// Whether texts at this position are of use.
    var wantsText: Bool { get }

    func startElement(_ name: String, _ attributes: HTMLAttributes)
    func endElement(_ name: String)
    func addText(_ text: String)
}
