// SPDX-License-Identifier: MIT

public import SluiceModel

/// A photo field that a filter can test.
enum FilterField: Sendable, Hashable {
    case id, url
    case fact(PhotoField)
    /// A column of a list that is no photo field.
    case column(String)

    /// The fields with their names in filters.
    static let all: [(name: String, field: FilterField)] =
        [("id", .id), ("url", .url)]
        + PhotoField.all.filter { $0.uses.contains(.filter) }.map { ($0.name, .fact($0)) }

    init?(named name: String) {
        guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
        self = found.field
    }

    /// The field's name in filters.
    var name: String {
        switch self {
        case .id: "id"
        case .url: "url"
        case .fact(let field): field.name
        case .column(let name): "\(Self.columns).\(name)"
        }
    }

    /// The name before the dot of a column's name.
    static let columns = PhotoField.field(\.columns).name

    /// Whether the field is compared as a number.
    var isNumber: Bool {
        if case .fact(let field) = self { field.isNumber } else { false }
    }

    /// Whether the field is compared with dates.
    var isDate: Bool {
        if case .fact(let field) = self { field.kind == .date } else { false }
    }

    /// The field's value as a number; `nil` if it is missing or not a number.
    func number(of photo: Photo) -> Double? {
        switch self {
        case .id, .url: nil
        case .fact(let field): field.number(of: photo).map(Double.init)
        case .column(let name): photo.column(named: name)?.text.flatMap(Double.init)
        }
    }

    /// The value of a column as an integer, which a double may not hold; `nil` for other fields and values.
    func integer(of photo: Photo) -> Int? {
        if case .column(let name) = self { photo.column(named: name)?.anyInteger } else { nil }
    }

    /// The field's values as text: none, one, or for `url` and `tags` several.
    func texts(of photo: Photo) -> [String] {
        switch self {
        case .id: [photo.id]
        case .url: photo.variants.map(\.url)
        case .fact(let field) where field.kind == .tags: field.text(of: photo).map { TagList(text: $0).tags } ?? []
        case .fact(let field): field.value(of: photo).map { [$0] } ?? []
        case .column(let name): photo.column(named: name)?.texts ?? []
        }
    }
}

extension Photo {
    /// The value of a column of the photo's list.
    func column(named name: String) -> JSON? { listedMembers.first { $0.name === name }?.value }

    /// The names of the columns of the photo's list.
    var columnNames: [String] { listedMembers.map(\.name) }

    /// The columns of the photo's list.
    var listedMembers: [JSON.Member] {
        guard let columns, case .object(let members)? = try? JSON(parsing: Array(columns.utf8)) else { return [] }
        return members
    }
}

extension JSON {
    /// The text, or those of the elements.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text), .number(let text): [text]
        case .bool(let flag): [flag ? "true" : "false"]
        case .array(let elements): elements.flatMap(\.texts)
        case .null, .object: []
        }
    }
}

/// A field of photos, by its name in filters, such as `license` or `columns.label`.
public struct PhotoValue: Sendable, Hashable {
    /// The name as the user wrote it.
    public let name: String
    private let field: FilterField

    /// Parses a name; the error has the column of the problem.
    public init(_ name: String) throws(InvalidText) {
        var parser = FilterParser(name)
        guard case .isPresent(let field) = try parser.parse() else {
            throw InvalidText("expected the name of a field alone", column: 1)
        }
        (self.name, self.field) = (name, field)
    }

    /// The column of lists that it names; `nil` for another field.
    package var column: String? { if case .column(let name) = field { name } else { nil } }

    /// The value of a photo as text, or several in lines; `nil` if it is missing.
    package func text(of photo: Photo) -> String? {
        let texts = field.texts(of: photo)
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }
}
