// SPDX-License-Identifier: MIT

/// A field of a Parquet file's schema that has values.
///
/// The name of a field in groups is its path (`image.url`), without the groups that a list consists of.
package struct ParquetField: Sendable, Hashable {
    package let name: String
    /// The reason why its values cannot be read; `nil` for a column that can.
    package let problem: String?

    /// The number of the field's column in each row group.
    let column: Int
    private(set) var values: ValueType
    /// The definition level of values that are present.
    let definition: Int
    /// The list that has the values.
    package let list: List?

    /// A list around a field.
    package struct List: Sendable, Hashable {
        /// The number of its repeated field in the schema.
        let number: Int
        /// The definition level from which on an element exists.
        let definition: Int
    }

    /// Whether a row has a list of values.
    package var isList: Bool { list != nil }

    /// How a value is written in JSON.
    package enum Kind: Sendable, Hashable {
        /// A text or a time.
        case text
        /// Bytes that are not said to be a text.
        case bytes
        case integer
        case decimal
        case boolean
    }

    /// How the values are written in JSON.
    package var kind: Kind {
        switch values.meaning {
        case .text, .time, .date: .text
        case .bytes, .digits: .bytes
        case .signed, .unsigned: .integer
        case .floating, .decimal: .decimal
        case .boolean: .boolean
        }
    }

    /// The field with bytes without a type as hexadecimal digits where a value has `count` bytes.
    package func hexadecimal(count: Int) -> ParquetField {
        guard values.meaning == .bytes else { return self }
        var field = self
        field.values.meaning = .digits(count: count)
        return field
    }
}

/// How the stored values of a column become text.
struct ValueType: Sendable, Hashable {
    /// The meaning of the stored value.
    enum Meaning: Sendable, Hashable {
        case text
        /// Bytes that are not said to be a text, and often are.
        case bytes
        /// Bytes that are shown as hexadecimal digits if there are so many, and otherwise a text.
        case digits(count: Int)
        case signed, unsigned, floating, boolean
        /// A decimal number, stored as an integer; `scale` is its number of digits after the point.
        case decimal(scale: Int)
        /// A time as a number of units; a second has this many.
        case time(perSecond: Int)
        /// A number of days since 1970.
        case date
    }

    let physical: PhysicalType
    /// The length of a value of fixed length.
    let length: Int
    var meaning: Meaning
}
