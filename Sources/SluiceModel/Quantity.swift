// SPDX-License-Identifier: MIT

/// The limits of numbers that are read back from files: counts, positions, bytes and seconds since 1970.
package enum Quantity {
    /// Far above real values, and so far below the largest integer that sums do not overflow.
    package static let range = 0...(1 << 40)
}

extension JSON {
    /// The integer, if it is one that Sluice may have written as a count, a size or a time; otherwise `nil`.
    package var quantity: Int? { integer.flatMap { Quantity.range.contains($0) ? $0 : nil } }
}
