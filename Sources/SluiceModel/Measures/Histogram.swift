// SPDX-License-Identifier: MIT

/// How often times of each length occurred, in a few kilobytes however many there are.
///
/// Buckets become wider as times become longer: thirty-two for each doubling, so that a percentile is at most three
/// hundredths off, from a microsecond to more than an hour.
public struct Histogram: Sendable, Hashable {
    private static let bits = 5
    private static let steps = 1 << bits

    private var buckets: [Int]
    /// How many times were counted.
    public private(set) var count = 0
    /// All of them together.
    public private(set) var sum = Duration.zero
    /// The longest.
    public private(set) var longest = Duration.zero

    /// Makes an empty histogram.
    public init() {
        buckets = Array(repeating: 0, count: (32 - Self.bits + 1) * Self.steps)
    }

    /// Counts a time in.
    public mutating func count(_ time: Duration) {
        buckets[Self.place(of: UInt32(clamping: time.microseconds))] += 1
        count += 1
        sum += time
        longest = max(longest, time)
    }

    /// The time that so large a share of all is not above, from 0 to 1; `nil` if none was counted.
    public func quantile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        let wanted = max(1, Int((Double(count) * min(1, max(0, share))).rounded(.up)))
        var seen = 0
        for (place, number) in buckets.enumerated() {
            seen += number
            if seen >= wanted { return min(longest, .microseconds(Int64(Self.top(of: place)))) }
        }
        return longest
    }

    /// How many times were at most so long, as exactly as the buckets tell.
    public func count(upTo time: Duration) -> Int {
        let last = Self.place(of: UInt32(clamping: time.microseconds))
        return buckets[...last].reduce(0, +)
    }

    /// The bucket of so many microseconds.
    private static func place(of value: UInt32) -> Int {
        guard value >= steps else { return Int(value) }
        // The first bits of the number say where in its doubling it lies.
        let shift = 31 - bits - value.leadingZeroBitCount
        return (shift + 1) * steps + Int(value >> shift) - steps
    }

    /// The most microseconds that belong to a bucket.
    private static func top(of place: Int) -> Int {
        guard place >= steps else { return place }
        let shift = place / steps - 1
        return (place % steps + steps + 1) << shift - 1
    }
}
