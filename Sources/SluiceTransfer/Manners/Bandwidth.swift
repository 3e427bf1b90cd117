// SPDX-License-Identifier: MIT

/// How many bytes may arrive, all transfers together: a bucket that fills evenly; pure, the clock is its caller's.
struct Bandwidth {
    typealias Instant = ContinuousClock.Instant

    /// Bytes a second.
    private let rate: Double
    /// As much may come at once after a rest.
    private let depth: Double
    private var level: Double
    private var filled: Instant

    init(_ bytesPerSecond: Int, now: Instant) {
        rate = Double(max(1, bytesPerSecond))
        depth = max(rate / 10, 1)
        (level, filled) = (depth, now)
    }

    /// Takes out what has arrived, if the bucket is not empty; what is taken beyond its bottom is waited for later.
    mutating func take(_ bytes: Int, now: Instant) -> Bool {
        level = min(depth, level + (now - filled) / .seconds(1) * rate)
        filled = now
        guard level > 0 else { return false }
        level -= Double(bytes)
        return true
    }

    /// When there is something in the bucket again.
    var opening: Instant { level > 0 ? filled : filled + .seconds((1 - level) / rate) }
}
