// SPDX-License-Identifier: MIT

/// The limits of numbers that come from outside: from feeds, lists, ledgers, manifests, plans and receipts.
///
/// A number enters a value of the model only if it is within one of these ranges. They contain all real values and are
/// so far from the ends of `Int` that the arithmetic of their users does not overflow. Sums of many values use
/// ``Swift/Int/add(_:)``. `OutsideValueTests` enforces both.
package enum Quantity {
    /// Counts, positions and sizes of files: up to 17 TB.
    package static let range = 0...(1 << 44)
    /// Seconds since 1970, half a million years in both directions; they may be multiplied by 1000.
    package static let times = -(1 << 44)...(1 << 44)
    /// Widths and heights in pixels; they may be multiplied by each other.
    package static let sides = 1...(1 << 31)
    /// Sums of many numbers; a few of these sums may be added.
    package static let sums = -(1 << 60)...(1 << 60)
    /// The integers that every reader of JSON has exactly.
    package static let integers = -(1 << 53)...(1 << 53)
}

extension Int {
    /// The number, if the range contains it; otherwise `nil`.
    package func within(_ range: ClosedRange<Int>) -> Int? { range.contains(self) ? self : nil }

    /// Adds a number; a sum outside of ``Quantity/sums`` becomes the nearest end of that range.
    package mutating func add(_ other: Int) { self = adding(other) }

    /// The sum with another number; outside of ``Quantity/sums`` the nearest end of that range.
    package func adding(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        guard !overflow else { return other < 0 ? Quantity.sums.lowerBound : Quantity.sums.upperBound }
        return Swift.min(Swift.max(sum, Quantity.sums.lowerBound), Quantity.sums.upperBound)
    }

    /// Rounds a decimal to the nearest of ``Quantity/integers``; a value that is not a number becomes 0.
    ///
    /// `Int(_:)` traps for numbers that are too large, infinite or not a number.
    package init(rounding number: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        let (least, most) = (Double(Quantity.integers.lowerBound), Double(Quantity.integers.upperBound))
        self = number.isNaN ? 0 : Int(Double.minimum(most, Double.maximum(least, number.rounded(rule))))
    }
}

extension Sequence {
    /// Adds numbers of the elements as ``Swift/Int/add(_:)`` does.
    package func sum(_ number: (Element) throws -> Int) rethrows -> Int {
        var sum = 0
        for element in self { sum.add(try number(element)) }
        return sum
    }
}
