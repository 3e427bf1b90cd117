// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A field of a name template.
enum NameField: Sendable, Hashable {
    case seq, id, name, slug, feed, page
    case fact(PhotoField)
    /// A date in a form of ``UTCTime/text(as:)``.
    case date(PhotoField, String)
    /// A column of a list.
    case column(String)

    /// The fields with their names, besides the columns of lists.
    static let all: [(name: String, field: NameField)] =
        [("seq", .seq), ("id", .id), ("name", .name), ("slug", .slug), ("feed", .feed), ("page", .page)]
        + PhotoField.all.filter { $0.uses.contains(.fileName) }.map {
            ($0.name, $0.kind == .date ? .date($0, dateForm) : .fact($0))
        }

    /// The text for a missing fact.
    static let missing = "none"

    /// The form of a date without another one.
    private static let dateForm = "%Y-%m-%d"

    init?(named name: String) {
        let words = name.split(separator: ".", maxSplits: 1).map(String.init)
        if words.count == 2, words[0] == PhotoField.field(\.columns).name {
            self = .column(words[1])
            return
        }
        guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
        self = found.field
    }

    /// Whether a width pads with zeros; for a text it limits the length instead.
    var isNumber: Bool {
        switch self {
        case .seq, .page: true
        case .fact(let field): field.isNumber
        case .id, .name, .slug, .feed, .date, .column: false
        }
    }

    /// Returns the field's text for an item.
    func text(for item: Item) -> String {
        let photo = item.photo
        let text: String? =
            switch self {
            case .seq: String(item.seq)
            case .id: photo.id
            case .name: photo.variants.first.flatMap { Self.fileName(in: $0.url) }
            case .slug: FileStem.slug(of: photo).text
            case .feed: item.feed
            case .page: String(item.page)
            case .fact(let field): field.value(of: photo)
            case .date(let field, let form):
                field.number(of: photo).flatMap { UTCTime(secondsSince1970: $0).text(as: form) }
            case .column(let name): photo.columns.flatMap { try? JSON(parsing: Array($0.utf8)) }?[name]?.text
            }
        return text.flatMap { $0.isEmpty ? nil : $0 } ?? Self.missing
    }

    /// Returns the last component of an address's path without an extension: `IMG_0042` of `…/IMG_0042.JPG?w=1080`.
    private static func fileName(in url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        let name = decoded(last)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].count <= 6 else { return name }
        return String(name[..<dot])
    }

    /// Decodes percent escapes; invalid ones stay unchanged.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
