// SPDX-License-Identifier: MIT

/// A column of a Parquet file that ``ParquetWriter`` writes; every column may have missing values.
package struct ParquetColumn: Sendable, Hashable {
    /// The type of a column's values.
    package enum Kind: Sendable, Hashable {
        /// UTF-8 text.
        case text
        /// A signed integer of 64 bits.
        case integer
        /// A floating-point number of 64 bits.
        case double
        case boolean
        /// A time in UTC, given in milliseconds since 1970.
        case timestamp
        /// A list of texts.
        case texts
    }

    /// The column's name.
    package let name: String
    /// The type of the values.
    package let kind: Kind

    /// Describes a column.
    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}
