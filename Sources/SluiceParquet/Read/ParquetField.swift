// SPDX-License-Identifier: MIT

/// A field at the top level of a Parquet file's schema.
package struct ParquetField: Sendable, Hashable {
    /// The field's name.
    package let name: String
    /// The reason why its values cannot be read; `nil` for a column that can.
    package let problem: String?

    /// The number of the field's first column in each row group.
    let column: Int
    let values: ValueType
    /// Whether values may be missing.
    let isOptional: Bool
}

/// How the stored values of a column become text.
struct ValueType: Sendable, Hashable {
    /// The meaning of the stored value.
    enum Meaning: Sendable, Hashable {
        case text
        case signed, unsigned, floating, boolean
        /// A time as a number of units; a second has this many.
        case time(perSecond: Int)
        /// A number of days since 1970.
        case date
    }

    let physical: PhysicalType
    /// The length of a value of fixed length.
    let length: Int
    let meaning: Meaning
}
