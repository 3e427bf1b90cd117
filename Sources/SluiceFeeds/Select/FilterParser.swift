// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Reads a filter's text, by recursive descent.
///
///     any       = all { "||" all }
///     all       = one { "&&" one }
///     one       = "!" one | "(" any ")" | field [ operator value ]
///     operator  = "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~"
///     value     = number | word | "quoted" | 'quoted'
struct FilterParser {
    /// How deep conditions may lie in one another.
    private static let deepest = 64
    /// The longest first, so that none is taken for the beginning of another.
    private static let operators = ["==", "!=", "<=", ">=", "!~", "=", "<", ">", "~"]

    private let text: [Character]
    private var at = 0

    init(_ text: String) {
        self.text = Array(text)
    }

    mutating func whole() throws(FilterError) -> Filter.Condition {
        let condition = try any(depth: 0)
        skipSpace()
        guard at == text.count else { throw error("expected && or || or the end") }
        return condition
    }

    private mutating func any(depth: Int) throws(FilterError) -> Filter.Condition {
        var conditions = [try all(depth: depth)]
        while take("||") { conditions.append(try all(depth: depth)) }
        return conditions.count == 1 ? conditions[0] : .any(conditions)
    }

    private mutating func all(depth: Int) throws(FilterError) -> Filter.Condition {
        var conditions = [try one(depth: depth)]
        while take("&&") { conditions.append(try one(depth: depth)) }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private mutating func one(depth: Int) throws(FilterError) -> Filter.Condition {
        guard depth < Self.deepest else { throw error("nested deeper than \(Self.deepest)") }
        if take("!") { return .not(try one(depth: depth + 1)) }
        guard take("(") else { return try comparison() }
        let condition = try any(depth: depth + 1)
        guard take(")") else { throw error("expected )") }
        return condition
    }

    private mutating func comparison() throws(FilterError) -> Filter.Condition {
        let field = try field()
        skipSpace()
        let operatorPlace = at
        guard let sign = Self.operators.first(where: { take($0) }) else { return .isStated(field) }
        let isText = sign.hasSuffix("~")
        if isText, field.isNumber {
            throw error("\(field.rawValue) is a number, which ~ does not look into", at: operatorPlace)
        }
        let condition: Filter.Condition
        if field.isNumber {
            condition = .number(field, Self.order(of: sign), try number(for: field))
        } else {
            condition = .text(field, isText ? .contains : .order(Self.order(of: sign)), try value())
        }
        return sign.hasPrefix("!") ? .not(condition) : condition
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

    private mutating func field() throws(FilterError) -> FilterField {
        skipSpace()
        let start = at
        while let character = peek, character.isLetter || character == "_" { at += 1 }
        let name = String(text[start..<at])
        guard !name.isEmpty else { throw error("expected a field's name", at: start) }
        guard let field = FilterField(rawValue: name.lowercased()) else {
            let near = hint(nearest(name, FilterField.allCases.map(\.rawValue)))
            throw error("no field is called \(name)\(near)", at: start)
        }
        return field
    }

    private mutating func number(for field: FilterField) throws(FilterError) -> Double {
        skipSpace()
        let start = at
        let word = try value()
        if field == .date {
            guard let date = PublishedDate.seconds(of: word) else {
                throw error("expected a date such as 2026-01-31", at: start)
            }
            return Double(date)
        }
        guard word.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }), let number = Double(word) else {
            throw error("expected a number", at: start)
        }
        return number
    }

    private mutating func value() throws(FilterError) -> String {
        skipSpace()
        if let quote = peek, quote == "\"" || quote == "'" { return try quoted(by: quote) }
        let start = at
        while let character = peek, Self.isOfWord(character) { at += 1 }
        guard at > start else { throw error("expected a value") }
        return String(text[start..<at])
    }

    private mutating func quoted(by quote: Character) throws(FilterError) -> String {
        let start = at
        at += 1
        var value = ""
        while let character = peek {
            at += 1
            if character == quote { return value }
            if character == "\\", let escaped = peek {
                value.append(escaped)
                at += 1
            } else {
                value.append(character)
            }
        }
        throw error("the quote is not closed", at: start)
    }

    /// What a value without quotes may be made of.
    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_-.:/#+%@".contains(character)
    }

    private var peek: Character? { at < text.count ? text[at] : nil }

    private mutating func skipSpace() {
        while let character = peek, character.isWhitespace { at += 1 }
    }

    /// Passes over white space and then `sign`, if it is there.
    private mutating func take(_ sign: String) -> Bool {
        skipSpace()
        guard text[at...].starts(with: sign) else { return false }
        at += sign.count
        return true
    }

    private func error(_ problem: String, at place: Int? = nil) -> FilterError {
        FilterError(column: (place ?? at) + 1, problem: problem)
    }
}
