// SPDX-License-Identifier: MIT

/// A column of a Parquet file that ``ParquetWriter`` writes; every column may have missing values.
package struct ParquetColumn: Sendable, Hashable {
    /// The type of a column's values.
    package enum Kind: Sendable, Hashable {
        /// UTF-8 text.
        case text
        /// Bytes, stored without compression, because pictures are compressed already.
        case bytes
        /// A signed integer of 64 bits.
        case integer
        /// A floating-point number of 64 bits.
        case double
        case boolean
        /// A time in UTC, given in milliseconds since 1970.
        case timestamp
        case texts
    }

    package let name: String
    /// The group that has the column as a member; `nil` for a column of its own.
    package let group: String?
    /// The type of the values.
    package let kind: Kind

    /// Describes a column; the members of a group follow each other.
    package init(_ name: String, _ kind: Kind, in group: String? = nil) {
        (self.name, self.group, self.kind) = (name, group, kind)
    }
}
