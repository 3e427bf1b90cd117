// SPDX-License-Identifier: MIT

public import SluiceModel

/// A condition on a photo's fields, such as `width>=1000 && license~"CC"`.
///
/// `Documentation/lists.md` describes the grammar.
public struct Filter: Sendable, Hashable {
    indirect enum Condition: Sendable, Hashable {
        case all([Condition])
        case any([Condition])
        case not(Condition)
        case isPresent(FilterField)
        case text(FilterField, TextTest, String)
        case number(FilterField, Order, Double)
        case integer(FilterField, Order, Int)
    }

    enum TextTest: Sendable, Hashable {
        case order(Order)
        /// Contains the given text, ignoring case.
        case contains
    }

    /// An ordering comparison; ``Condition/not(_:)`` expresses its opposite.
    enum Order: Sendable, Hashable {
        case equal, less, lessOrEqual, greater, greaterOrEqual

        func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
            switch self {
            case .equal: left == right
            case .less: left < right
            case .lessOrEqual: left <= right
            case .greater: left > right
            case .greaterOrEqual: left >= right
            }
        }
    }

    /// The condition as the user wrote it.
    public let text: String
    private let condition: Condition

    /// Parses a filter; the error has the column of the problem.
    public init(_ text: String) throws(InvalidText) {
        self.text = text
        var parser = FilterParser(text)
        condition = try parser.parse()
    }

    /// The columns of lists that the condition names.
    package var columns: [String] { condition.columns }

    /// Whether the photo satisfies the condition; a comparison with a missing field is false.
    public func accepts(_ photo: Photo) -> Bool { condition.holds(for: photo) }
}

extension Filter.Condition {
    fileprivate var columns: [String] {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.columns)
        case .not(let condition): condition.columns
        case .isPresent(.column(let name)), .text(.column(let name), _, _), .number(.column(let name), _, _),
            .integer(.column(let name), _, _):
            [name]
        case .isPresent, .text, .number, .integer: []
        }
    }

    fileprivate func holds(for photo: Photo) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: photo) }
        case .any(let conditions): conditions.contains { $0.holds(for: photo) }
        case .not(let condition): !condition.holds(for: photo)
        case .isPresent(let field): !field.texts(of: photo).isEmpty
        case .number(let field, let order, let number):
            field.number(of: photo).map { order.holds($0, number) } ?? false
        case .integer(let field, let order, let integer):
            field.integer(of: photo).map { order.holds($0, integer) }
                ?? field.number(of: photo).map { order.holds($0, Double(integer)) } ?? false
        case .text(let field, .order(let order), let text): field.texts(of: photo).contains { order.holds($0, text) }
        case .text(let field, .contains, let text):
            field.texts(of: photo).contains { $0.lowercased().contains(text.lowercased()) }
        }
    }
}
