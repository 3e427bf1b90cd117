// SPDX-License-Identifier: MIT

public import SluiceModel

/// What must be true of a photo: `width>=1000 && license~"CC"`.
///
/// The grammar is in `Documentation/lists.md`; ``init(_:)`` reads it.
public struct Filter: Sendable, Hashable {
    /// Conditions within conditions.
    indirect enum Condition: Sendable, Hashable {
        case all([Condition])
        case any([Condition])
        case not(Condition)
        case isStated(FilterField)
        case text(FilterField, TextTest, String)
        case number(FilterField, Order, Double)
    }

    /// How a text is compared.
    enum TextTest: Sendable, Hashable {
        case order(Order)
        /// It contains the other, whatever the case of the letters.
        case contains
    }

    /// The comparisons that an order allows; their opposites are said by ``Condition/not(_:)``.
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

    private let condition: Condition

    /// Reads a filter; throws with the place of what is wrong.
    public init(_ text: String) throws(FilterError) {
        var parser = FilterParser(text)
        condition = try parser.whole()
    }

    /// Whether it is true of a photo; a comparison with what the feed does not state is false.
    public func accepts(_ photo: Photo) -> Bool { condition.holds(for: photo) }
}

extension Filter.Condition {
    fileprivate func holds(for photo: Photo) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: photo) }
        case .any(let conditions): conditions.contains { $0.holds(for: photo) }
        case .not(let condition): !condition.holds(for: photo)
        case .isStated(let field): !field.texts(of: photo).isEmpty
        case .number(let field, let order, let number):
            field.number(of: photo).map { order.holds(Double($0), number) } ?? false
        case .text(let field, .order(let order), let text): field.texts(of: photo).contains { order.holds($0, text) }
        case .text(let field, .contains, let text):
            field.texts(of: photo).contains { $0.lowercased().contains(text.lowercased()) }
        }
    }
}

/// What is wrong with a filter, and where.
public struct FilterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place of the character that was not expected, from 1.
    public var column: Int
    /// What was expected there, or what is wrong there.
    public var problem: String

    /// `column 8: expected a number`.
    public var description: String { "column \(column): \(problem)" }
}
