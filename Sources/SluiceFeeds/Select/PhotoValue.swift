// SPDX-License-Identifier: MIT

public import SluiceModel

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
