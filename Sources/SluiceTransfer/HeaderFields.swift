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
        fields.first { $0.name == name.lowercased() }?.value
    }

    /// Every value of that name, in the reply's order.
    public func all(_ name: String) -> [String] {
        fields.filter { $0.name == name.lowercased() }.map(\.value)
    }

    /// Every header whose name, in small letters, is wanted.
    func all(where isWanted: (String) -> Bool) -> [(name: String, value: String)] {
        fields.filter { isWanted($0.name) }.map { ($0.name, $0.value) }
    }

    /// Takes up one header line; a line without a colon is passed over.
    mutating func add(line: some StringProtocol) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...]
        fields.append(Field(name: line[..<colon].lowercased(), value: String(trimmed(value))))
    }

    private func trimmed(_ text: some StringProtocol) -> some StringProtocol {
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? start
        return text[start..<end]
    }
}
