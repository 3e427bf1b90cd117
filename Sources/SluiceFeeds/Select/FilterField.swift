// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A photo field that a filter can test.
enum FilterField: Sendable, Hashable {
    case id, url
    case fact(PhotoField)

    /// The fields with their names in filters.
    static let all: [(name: String, field: FilterField)] =
        [("id", .id), ("url", .url)]
        + PhotoField.all.filter { $0.uses.contains(.filter) }.map { ($0.name, .fact($0)) }

    /// Creates the field with this name.
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
        }
    }

    /// Whether the field is compared as a number.
    var isNumber: Bool {
        if case .fact(let field) = self { field.isNumber } else { false }
    }

    /// Whether the field is compared with dates.
    var isDate: Bool {
        if case .fact(let field) = self { field.kind == .date } else { false }
    }

    /// The field's value as a number; `nil` if it is missing or not a number.
    func number(of photo: Photo) -> Int? {
        if case .fact(let field) = self { field.number(of: photo) } else { nil }
    }

    /// The field's values as text: none, one, or for `url` the address of each variant.
    func texts(of photo: Photo) -> [String] {
        switch self {
        case .id: [photo.id]
        case .url: photo.variants.map(\.url)
        case .fact(let field): field.value(of: photo).map { [$0] } ?? []
        }
    }
}
