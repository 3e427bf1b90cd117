// SPDX-License-Identifier: MIT

/// A histogram of durations with a fixed memory size of a few kilobytes.
///
/// It has 32 buckets for each doubling, from a microsecond to more than an hour. Percentiles are accurate to 3.2 %.
package struct Histogram: Sendable, Hashable {
    private static let bits = 5
    private static let steps = 1 << bits

    private var buckets: [Int]
    /// The number of recorded durations.
    package private(set) var count = 0
    /// The sum of all durations.
    package private(set) var sum = Duration.zero
    package private(set) var longest = Duration.zero

    package init() {
        buckets = Array(repeating: 0, count: (32 - Self.bits + 1) * Self.steps)
    }

    package mutating func count(_ time: Duration) {
        buckets[Self.bucket(of: UInt32(clamping: time.microseconds))] += 1
        count += 1
        sum += time
        longest = max(longest, time)
    }

    /// Returns the quantile for a share from 0 to 1; `nil` if the histogram is empty.
    package func quantile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        let wanted = max(1, Int(rounding: Double(count) * min(1, max(0, share)), .up))
        var seen = 0
        for (bucket, number) in buckets.enumerated() {
            seen += number
            if seen >= wanted { return min(longest, .microseconds(Int64(Self.upperBound(of: bucket)))) }
        }
        return longest
    }

    /// Returns the number of durations up to the given one, rounded to a bucket.
    package func count(upTo time: Duration) -> Int {
        let last = Self.bucket(of: UInt32(clamping: time.microseconds))
        return buckets[...last].reduce(0, +)
    }

    /// Returns the index of the bucket for a number of microseconds.
    private static func bucket(of value: UInt32) -> Int {
        guard value >= steps else { return Int(value) }
        // The leading bits of the value select the bucket within its doubling.
        let shift = 31 - bits - value.leadingZeroBitCount
        return (shift + 1) * steps + Int(value >> shift) - steps
    }

    /// Returns the largest number of microseconds in a bucket.
    private static func upperBound(of bucket: Int) -> Int {
        guard bucket >= steps else { return bucket }
        let shift = bucket / steps - 1
        return (bucket % steps + steps + 1) << shift - 1
    }
}
