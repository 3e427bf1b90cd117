// SPDX-License-Identifier: MIT

/// The smallest and the largest value of a column in a row group.
struct ValueBounds {
    /// Longer texts are left out of the statistics.
    private static let maxTextLength = 256

    private var integers: (least: Int64, greatest: Int64)?
    private var doubles: (least: Double, greatest: Double)?
    private var texts: (least: [UInt8], greatest: [UInt8])?
    private var hasNaN = false

    /// Takes account of an integer.
    mutating func add(_ value: Int64) {
        guard let old = integers else {
            integers = (value, value)
            return
        }
        if value < old.least { integers?.least = value }
        if value > old.greatest { integers?.greatest = value }
    }

    /// Takes account of a number.
    mutating func add(_ value: Double) {
        guard !value.isNaN else {
            hasNaN = true
            return
        }
        guard let old = doubles else {
            doubles = (value, value)
            return
        }
        if value < old.least { doubles?.least = value }
        if value > old.greatest { doubles?.greatest = value }
    }

    /// Takes account of a text.
    mutating func add(_ value: borrowing Span<UInt8>) {
        guard let (isLess, isGreater) = order(of: value) else {
            let bytes = [UInt8](copying: value)
            texts = (bytes, bytes)
            return
        }
        if isLess { texts?.least = [UInt8](copying: value) }
        if isGreater { texts?.greatest = [UInt8](copying: value) }
    }

    /// Returns both values in the plain encoding; `nil` without values, and if the format does not allow them.
    func encoded(isBoolean: Bool) -> (least: [UInt8], greatest: [UInt8])? {
        if let integers {
            let count = isBoolean ? 1 : 8
            return (Self.encoded(integers.least, count), Self.encoded(integers.greatest, count))
        }
        if let doubles, !hasNaN {
            // Zeros are stated with the sign that includes the other one.
            let least = doubles.least == 0 ? -0.0 : doubles.least
            let greatest = doubles.greatest == 0 ? 0.0 : doubles.greatest
            return (
                Self.encoded(Int64(bitPattern: least.bitPattern), 8),
                Self.encoded(Int64(bitPattern: greatest.bitPattern), 8)
            )
        }
        guard let texts, max(texts.least.count, texts.greatest.count) <= Self.maxTextLength else { return nil }
        return texts
    }

    /// Whether a text is outside the bounds; `nil` without bounds.
    private func order(of value: borrowing Span<UInt8>) -> (isLess: Bool, isGreater: Bool)? {
        guard let texts else { return nil }
        return (value.precedes(texts.least.span), texts.greatest.span.precedes(value))
    }

    private static func encoded(_ value: Int64, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(UInt64(bitPattern: value), count: count)
        return bytes
    }
}
