// SPDX-License-Identifier: MIT

internal import SluiceModel

/// How a mirror's files are named: `{collection}/{seq:05}-{slug}.{ext}`.
///
/// Whatever the fields hold, the name is a path of ``SafeName``s, and leads nowhere but below the folder. The extension
/// is no part of it: that says what the content is.
public struct NameTemplate: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case text(String)
        /// A field, and its width: of a number the least, with zeros before it, of a text the most.
        case field(NameField, Int?)
    }

    /// The most folders that a name may lead through.
    private static let deepest = 8

    /// The pieces of each part of the path; none for the default.
    private let parts: [[Piece]]

    /// The names that mirrors have by default: ``FileStem``s.
    public static let standard = NameTemplate()

    private init() { parts = [] }

    /// Reads a template.
    public init(_ text: String) throws(NameTemplateError) {
        let ending = ".{ext}"
        let stem = text.hasSuffix(ending) ? String(text.dropLast(ending.count)) : text
        var parts: [[Piece]] = []
        for part in stem.split(separator: "/", omittingEmptySubsequences: false) {
            guard !part.isEmpty, part != ".", part != ".." else {
                throw NameTemplateError(
                    "has a part that is no name; it leads below the mirror's folder, as in {feed}/{seq:05}")
            }
            parts.append(try Self.pieces(of: part))
        }
        guard parts.count <= Self.deepest else {
            throw NameTemplateError("leads through more than \(Self.deepest) folders")
        }
        self.parts = parts
    }

    /// The item's name, without an extension.
    func name(of item: Item) -> String {
        guard !parts.isEmpty else { return FileStem(for: item).description }
        let names = parts.enumerated().map { index, pieces in
            SafeName(pieces.map { Self.text($0, for: item) }.joined(), isFolder: index < parts.count - 1).text
        }
        return names.joined(separator: "/")
    }

    private static func text(_ piece: Piece, for item: Item) -> String {
        switch piece {
        case .text(let text): text
        case .field(let field, nil): field.text(for: item)
        case .field(let field, let width?) where field.isNumber:
            String(repeating: "0", count: max(0, width - field.text(for: item).utf8.count)) + field.text(for: item)
        case .field(let field, let width?): String(field.text(for: item).prefix(width))
        }
    }

    // MARK: Reading

    private static func pieces(of part: Substring) throws(NameTemplateError) -> [Piece] {
        var pieces: [Piece] = []
        var rest = part
        while let start = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            if start > rest.startIndex { pieces.append(.text(String(rest[..<start]))) }
            guard rest[start] == "{", let end = rest[start...].firstIndex(of: "}") else {
                throw NameTemplateError("has a brace without its other half")
            }
            pieces.append(try field(in: rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    private static func field(in text: Substring) throws(NameTemplateError) -> Piece {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard words[0] != "ext" else {
            throw NameTemplateError("has {ext}, which stands at the end alone, behind a dot")
        }
        guard let field = NameField(rawValue: words[0]) else {
            let all = NameField.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
            throw NameTemplateError("has {\(words[0])}; the fields are \(all) and .{ext} at the end")
        }
        guard words.count == 2 else { return .field(field, nil) }
        guard let width = Int(words[1]), (1...SafeName.limit).contains(width) else {
            throw NameTemplateError("has {\(text)}; behind the colon stands a width from 1 to \(SafeName.limit)")
        }
        return .field(field, width)
    }
}

/// What is wrong with a template of names, to follow the word "it".
public struct NameTemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String

    init(_ description: String) { self.description = description }
}
