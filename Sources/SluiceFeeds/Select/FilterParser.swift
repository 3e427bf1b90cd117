// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Parses a filter by recursive descent.
///
///     any       = all { "||" all }
///     all       = one { "&&" one }
///     one       = "!" one | "(" any ")" | field [ operator value ]
///     field     = name | "columns." ( name | "quoted" )
///     operator  = "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~"
///     value     = number | word | "quoted" | 'quoted'
struct FilterParser {
    /// The maximum nesting of conditions.
    private static let maxDepth = 64
    /// The operators, longest first, so that no operator matches the start of another.
    private static let operators = ["==", "!=", "<=", ">=", "!~", "=", "<", ">", "~"]

    private let text: [Character]
    private var index = 0

    init(_ text: String) {
        self.text = Array(text)
    }

    mutating func parse() throws(InvalidText) -> Filter.Condition {
        let condition = try any(depth: 0)
        skipSpace()
        guard index == text.count else { throw error("expected &&, || or the end") }
        return condition
    }

    private mutating func any(depth: Int) throws(InvalidText) -> Filter.Condition {
        var conditions = [try all(depth: depth)]
        while take("||") { conditions.append(try all(depth: depth)) }
        return conditions.count == 1 ? conditions[0] : .any(conditions)
    }

    private mutating func all(depth: Int) throws(InvalidText) -> Filter.Condition {
        var conditions = [try one(depth: depth)]
        while take("&&") { conditions.append(try one(depth: depth)) }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private mutating func one(depth: Int) throws(InvalidText) -> Filter.Condition {
        guard depth < Self.maxDepth else { throw error("nested more than \(Self.maxDepth) levels deep") }
        if take("!") { return .not(try one(depth: depth + 1)) }
        guard take("(") else { return try comparison() }
        let condition = try any(depth: depth + 1)
        guard take(")") else { throw error("expected )") }
        return condition
    }

    private mutating func comparison() throws(InvalidText) -> Filter.Condition {
        let field = try field()
        skipSpace()
        let operatorIndex = index
        guard let sign = Self.operators.first(where: { take($0) }) else { return .isPresent(field) }
        let isText = sign.hasSuffix("~")
        if isText, field.isNumber {
            throw error("cannot use ~ with \(field.name), which is a number", at: operatorIndex)
        }
        let condition: Filter.Condition
        if field.isNumber {
            condition = .number(field, Self.order(of: sign), try number(for: field))
        } else if case .column = field, !isText {
            condition = try comparison(of: field, Self.order(of: sign))
        } else {
            condition = .text(field, isText ? .contains : .order(Self.order(of: sign)), try value())
        }
        return sign.hasPrefix("!") ? .not(condition) : condition
    }

    /// Compares a column with a number, or else with a text; a number in quotes is a text.
    private mutating func comparison(of field: FilterField, _ order: Filter.Order) throws(InvalidText)
        -> Filter.Condition
    {
        skipSpace()
        let isQuoted = peek == "\"" || peek == "'"
        let value = try value()
        guard !isQuoted, let number = Double(value), number.isFinite else { return .text(field, .order(order), value) }
        return Int(value).map { .integer(field, order, $0) } ?? .number(field, order, number)
    }

    private static func order(of sign: String) -> Filter.Order {
        switch sign {
        case "<": .less
        case "<=": .lessOrEqual
        case ">": .greater
        case ">=": .greaterOrEqual
        default: .equal
        }
    }

    private mutating func field() throws(InvalidText) -> FilterField {
        skipSpace()
        let start = index
        while let character = peek, character.isLetter || character == "_" { index += 1 }
        let name = String(text[start..<index])
        guard !name.isEmpty else { throw error("expected a field name", at: start) }
        if name == FilterField.columns, peek == "." { return .column(try columnName()) }
        guard let field = FilterField(named: name.lowercased()) else {
            let suggestion = didYouMean(closestMatch(to: name, in: FilterField.all.map(\.name)))
            let column = suggestion.isEmpty ? "; a column of a list is \(FilterField.columns).\(name)" : suggestion
            throw error("unknown field '\(name)'\(column)", at: start)
        }
        return field
    }

    private mutating func columnName() throws(InvalidText) -> String {
        index += 1
        if let quote = peek, quote == "\"" || quote == "'" { return try quoted(by: quote) }
        let start = index
        while let character = peek, character.isLetter || character.isNumber || "_-.".contains(character) { index += 1 }
        guard index > start else { throw error("expected the name of a column") }
        return String(text[start..<index])
    }

    private mutating func number(for field: FilterField) throws(InvalidText) -> Double {
        skipSpace()
        let start = index
        let word = try value()
        if field.isDate {
            guard let date = PublishedDate.seconds(of: word) else {
                throw error("expected a date, for example 2026-01-31", at: start)
            }
            return Double(date)
        }
        guard word.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }), let number = Double(word) else {
            throw error("expected a number", at: start)
        }
        return number
    }

    private mutating func value() throws(InvalidText) -> String {
        skipSpace()
        if let quote = peek, quote == "\"" || quote == "'" { return try quoted(by: quote) }
        let start = index
        while let character = peek, Self.isWordCharacter(character) { index += 1 }
        guard index > start else { throw error("expected a value") }
        return String(text[start..<index])
    }

    private mutating func quoted(by quote: Character) throws(InvalidText) -> String {
        let start = index
        index += 1
        var value = ""
        while let character = peek {
            index += 1
            if character == quote { return value }
            if character == "\\", let escaped = peek {
                value.append(escaped)
                index += 1
            } else {
                value.append(character)
            }
        }
        throw error("unclosed quote", at: start)
    }

    /// Whether a value without quotes may contain the character.
    private static func isWordCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_-.:/#+%@".contains(character)
    }

    private var peek: Character? { index < text.count ? text[index] : nil }

    private mutating func skipSpace() {
        while let character = peek, character.isWhitespace { index += 1 }
    }

    /// Skips white space, and `sign` if it follows; returns whether it did.
    private mutating func take(_ sign: String) -> Bool {
        skipSpace()
        guard text[index...].starts(with: sign) else { return false }
        index += sign.count
        return true
    }

    private func error(_ problem: String, at position: Int? = nil) -> InvalidText {
        InvalidText(problem, column: (position ?? index) + 1)
    }
}
