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
    package func all(where isWanted: (String) -> Bool) -> [(name: String, value: String)] {
        fields.filter { isWanted($0.name) }.map { ($0.name, $0.value) }
    }

    /// Whether a header's lower-case name satisfies the predicate.
    func hasName(where isWanted: (String) -> Bool) -> Bool { fields.contains { isWanted($0.name) } }

    /// Whether the body is compressed.
    package var isEncoded: Bool { self["content-encoding"].map { $0.lowercased() != "identity" } ?? false }

    /// Replaces the values; the names stay.
    mutating func replaceValues(_ replace: (String) -> String) {
        for index in fields.indices { fields[index].value = replace(fields[index].value) }
    }

    /// Adds a header line; a line without a colon is ignored.
    package mutating func add(line: String) {
        var line = line
        line.withUTF8 { unsafe add(line: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a header line of a C library's buffer.
    mutating func add(line: UnsafeRawBufferPointer) {
        guard let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = unsafe String(decoding: line[..<colon], as: UTF8.self)
        let value = unsafe line[(colon + 1)...]
        let start = unsafe value.firstIndex { !$0.isSpace } ?? value.endIndex
        let end = unsafe value.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? start
        unsafe fields.append(
            Field(name: name.lowercased(), value: String(decoding: value[start..<end], as: UTF8.self)))
    }
}

extension HeaderFields {
    /// The host's statements about the use of the body: rules for robots, AI preferences and text and data mining.
    package var usageStatements: [UsageTerms.Statement] {
        let names = ["x-robots-tag", "content-usage", "tdm-reservation", "tdm-policy"]
        guard hasName(where: names.contains) else { return [] }
        return names.flatMap { name in all(name).map { UsageTerms.Statement(name, $0) } }
    }
}
