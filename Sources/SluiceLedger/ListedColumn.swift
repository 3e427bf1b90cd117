// SPDX-License-Identifier: MIT

/// A column of a list that the photos of a mirror have besides their facts.
package struct ListedColumn: Sendable, Hashable {
    /// The type of all values of the column.
    package enum Kind: Sendable, Hashable {
        /// Texts, lists, or values of several types.
        case text
        case integer, decimal, flag
    }

    /// The largest number of columns that a dataset gets.
    static let limit = 1000

    package let name: String
    package let kind: Kind
}
