// SPDX-License-Identifier: MIT

/// The limits of numbers that are read back from files: counts, positions, sizes of files and seconds since 1970.
///
/// Totals of bytes have no limit, because those of large runs are higher; nothing is added to them.
package enum Quantity {
    /// Up to 17 TB, above real values, and so far below the largest integer that sums do not overflow.
    package static let range = 0...(1 << 44)
}

extension JSON {
    /// The integer, if it is one that Sluice may have written as a count, a size or a time; otherwise `nil`.
    package var quantity: Int? { integer.flatMap { Quantity.range.contains($0) ? $0 : nil } }
}
