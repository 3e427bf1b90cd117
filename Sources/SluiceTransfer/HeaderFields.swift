// SPDX-License-Identifier: MIT

/// A reply's headers: names without regard to case, values as text from a stranger.
public struct HeaderFields: Sendable, Hashable {
    private var fields: [Field] = []

    private struct Field: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// Makes an empty list.
    public init() {}

    /// The first value of that name.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name == name }?.value
    }

    /// Every value of that name, in the reply's order.
    public func all(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name == name }.map(\.value)
    }

    /// Every header whose name, in small letters, is wanted.
    func all(where isWanted: (String) -> Bool) -> [(name: String, value: String)] {
        fields.filter { isWanted($0.name) }.map { ($0.name, $0.value) }
    }

    /// Takes up one header line; a line without a colon is passed over.
    ///
    /// It is read byte by byte: there are a dozen to each reply, and what characters they make is nobody's question.
    mutating func add(line: String) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = line.utf8[line.utf8.index(after: colon)...]
        fields.append(Field(name: line[..<colon].lowercased(), value: trimmed(value)))
    }

    private func trimmed(_ text: Substring.UTF8View) -> String {
        let start = text.firstIndex { !Self.isBlank($0) } ?? text.endIndex
        let end = text.lastIndex { !Self.isBlank($0) }.map(text.index(after:)) ?? start
        return String(decoding: text[start..<end], as: UTF8.self)
    }

    /// Whether a byte is a space, a tab, or ends a line.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
