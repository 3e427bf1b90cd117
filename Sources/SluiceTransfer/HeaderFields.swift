// SPDX-License-Identifier: MIT

package import SluiceModel

/// The headers of a response; names are case-insensitive, and values are untrusted text.
public struct HeaderFields: Sendable, Hashable {
    private var fields: [Field] = []

    private struct Field: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// Creates an empty list.
    public init() {}

    /// The first value with this name.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name == name }?.value
    }

    /// All values with this name, in the response's order.
    public func all(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name == name }.map(\.value)
    }

    /// All headers whose lower-case name satisfies the predicate.
    func all(where isWanted: (String) -> Bool) -> [(name: String, value: String)] {
        fields.filter { isWanted($0.name) }.map { ($0.name, $0.value) }
    }

    /// Adds a header line; a line without a colon is ignored.
    ///
    /// It works on bytes rather than characters, which is faster.
    package mutating func add(line: String) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = line.utf8[line.utf8.index(after: colon)...]
        fields.append(Field(name: line[..<colon].lowercased(), value: trimmed(value)))
    }

    private func trimmed(_ text: Substring.UTF8View) -> String {
        let start = text.firstIndex { !$0.isSpace } ?? text.endIndex
        let end = text.lastIndex { !$0.isSpace }.map(text.index(after:)) ?? start
        return String(decoding: text[start..<end], as: UTF8.self)
    }

    /// Whether a byte is a space, a tab or a line break.
}

extension HeaderFields {
    /// The host's statements about the use of the body: rules for robots, AI preferences and text and data mining.
    package var usageStatements: [UsageTerms.Statement] {
        ["x-robots-tag", "content-usage", "tdm-reservation", "tdm-policy"].flatMap { name in
            all(name).map { UsageTerms.Statement(name, $0) }
        }
    }
}
