// SPDX-License-Identifier: MIT

/// Limits the rate of all transfers together: pauses exchanges that exceed it and resumes them in order.
///
/// Only the transfer loop's thread uses it, which is why it is Sendable.
final class BandwidthThrottle: @unchecked Sendable {
    private var bucket: TokenBucket
    private var pausedExchanges: [HTTPExchange.ID] = []

    init(bytesPerSecond: Int) { bucket = TokenBucket(bytesPerSecond: bytesPerSecond, now: .now) }

    /// Returns whether `count` bytes may pass now; if not, notes that the exchange is paused.
    func admits(_ count: Int, for id: HTTPExchange.ID) -> Bool {
        if bucket.take(count, now: .now) { return true }
        pausedExchanges.append(id)
        return false
    }

    func setRate(_ bytesPerSecond: Int) { bucket.setRate(bytesPerSecond, now: .now) }

    /// When the paused exchanges may resume; `nil` if none is paused.
    var resumeTime: ContinuousClock.Instant? { pausedExchanges.isEmpty ? nil : bucket.refillTime }

    /// Removes and returns the exchanges that may resume now.
    func takeResumable() -> [HTTPExchange.ID] {
        guard let resumeTime, resumeTime <= .now else { return [] }
        defer { pausedExchanges = [] }
        return pausedExchanges
    }
}

/// A token bucket that counts bytes; it reads no clock, so callers pass the time.
struct TokenBucket {
    typealias Instant = ContinuousClock.Instant

    private var rate: Double
    /// The largest burst after a pause, in bytes.
    private var capacity: Double
    private var level: Double
    private var lastRefill: Instant

    init(bytesPerSecond: Int, now: Instant) {
        (rate, capacity) = Self.limits(bytesPerSecond)
        (level, lastRefill) = (capacity, now)
    }

    private static func limits(_ bytesPerSecond: Int) -> (rate: Double, capacity: Double) {
        let rate = Double(max(1, bytesPerSecond))
        return (rate, max(rate / 10, 1))
    }

    /// Changes the rate from now on.
    mutating func setRate(_ bytesPerSecond: Int, now: Instant) {
        refill(now)
        (rate, capacity) = Self.limits(bytesPerSecond)
        level = min(level, capacity)
    }

    private mutating func refill(_ now: Instant) {
        level = min(capacity, level + (now - lastRefill) / .seconds(1) * rate)
        lastRefill = now
    }

    /// Takes `count` bytes unless the bucket is empty; the level may become negative and delays later calls.
    mutating func take(_ count: Int, now: Instant) -> Bool {
        refill(now)
        guard level > 0 else { return false }
        level -= Double(count)
        return true
    }

    /// When the bucket is no longer empty.
    var refillTime: Instant { level > 0 ? lastRefill : lastRefill + .seconds((1 - level) / rate) }
}
