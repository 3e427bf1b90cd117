// SPDX-License-Identifier: MIT

package import SluiceModel

/// A template for file names: `{collection}/{seq:05}-{slug}.{ext}`.
///
/// Each part of the resulting path is a ``SafeName``, so the path never leads outside the folder. The extension is not
/// part of the name, because it depends on the content.
package struct NameTemplate: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case text(String)
        /// A field with a width: the minimum for a number, padded with zeros, and the maximum for a text.
        case field(NameField, Int?)
    }

    /// The pieces of each path component; empty for the default template.
    private let parts: [[Piece]]

    /// The default template, which produces ``FileStem``s.
    package static let standard = NameTemplate()

    private init() { parts = [] }

    package init(_ text: String) throws(InvalidText) {
        let ending = ".{ext}"
        let stem = Self.separatingFolders(in: text.hasSuffix(ending) ? String(text.dropLast(ending.count)) : text)
        var parts: [[Piece]] = []
        for part in stem.split(separator: "/", omittingEmptySubsequences: false) {
            guard !part.isEmpty, part != ".", part != ".." else {
                throw InvalidText(
                    "a path component is empty, '.' or '..'; use relative paths such as {feed}/{seq:05}")
            }
            parts.append(try Self.pieces(of: part))
        }
        guard parts.count <= SafeName.maxDepth else {
            throw InvalidText("it has more than \(SafeName.maxDepth) path components")
        }
        self.parts = parts
    }

    /// Returns the item's name, without an extension.
    func name(of item: Item) -> String {
        guard !parts.isEmpty else { return FileStem(for: item).description }
        let names = parts.enumerated().map { index, pieces in
            SafeName(pieces.map { Self.text($0, for: item) }.joined(), isFolder: index < parts.count - 1).text
        }
        return names.joined(separator: "/")
    }

    /// Returns the names to try in order: the template's name, and with a short hash and the position appended.
    func candidates(for item: Item) -> some Sequence<String> {
        let name = name(of: item)
        let photo = item.photo
        return (0...2).lazy.map { attempt in
            guard attempt > 0 else { return name }
            let hash = Fingerprint(of: [item.feed, photo.collection ?? "", photo.id]).short
            return attempt == 1 ? "\(name)-\(hash)" : "\(name)-\(hash)-\(item.seq)"
        }
    }

    private static func text(_ piece: Piece, for item: Item) -> String {
        switch piece {
        case .text(let text): text
        case .field(let field, nil): field.text(for: item)
        case .field(let field, let width?) where field.isNumber:
            field.text(for: item).zeroPadded(to: width)
        case .field(let field, let width?): String(field.text(for: item).prefix(width))
        }
    }

    // MARK: Parsing

    /// Writes a date with folders, `{date:%Y/%m}`, as `{date:%Y}/{date:%m}`.
    private static func separatingFolders(in text: String) -> String {
        let pieces = text.split(separator: "{", omittingEmptySubsequences: false)
        return pieces.enumerated().map { index, piece in
            guard index > 0, let end = piece.firstIndex(of: "}"), let colon = piece[..<end].firstIndex(of: ":") else {
                return String(piece)
            }
            return piece[..<end].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                .joined(separator: "}/{\(piece[...colon])") + piece[end...]
        }.joined(separator: "{")
    }

    private static func pieces(of part: Substring) throws(InvalidText) -> [Piece] {
        var pieces: [Piece] = []
        var rest = part
        while let start = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            if start > rest.startIndex { pieces.append(.text(String(rest[..<start]))) }
            guard rest[start] == "{", let end = rest[start...].firstIndex(of: "}") else {
                throw InvalidText("unbalanced brace")
            }
            pieces.append(try field(in: rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    private static func field(in text: Substring) throws(InvalidText) -> Piece {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard words[0] != "ext" else {
            throw InvalidText("{ext} is only allowed at the end, after a dot")
        }
        guard let field = NameField(named: words[0]) else {
            let all = NameField.all.map { "{\($0.name)}" }.joined(separator: " ")
            throw InvalidText(
                "unknown field {\(words[0])}; the fields are \(all), {columns.NAME} for a column of a list, and .{ext} at the end"
            )
        }
        guard words.count == 2 else { return .field(field, nil) }
        if case .date(let fact, _) = field {
            guard UTCTime(secondsSince1970: 0).text(as: words[1]) != nil else {
                throw InvalidText("invalid date in {\(text)}; use %Y %m %d %H %M %S, as in {date:%Y-%m}")
            }
            return .field(.date(fact, words[1]), nil)
        }
        guard let width = Int(words[1]), (1...SafeName.limit).contains(width) else {
            throw InvalidText(
                "invalid width in {\(text)}; expected a number from 1 to \(SafeName.limit) after the colon")
        }
        return .field(field, width)
    }
}
