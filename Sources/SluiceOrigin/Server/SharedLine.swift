// SPDX-License-Identifier: MIT

/// A line that all of an origin's connections share: so many bytes a second together, first come, first served.
///
/// A pure value without a clock. Whoever asks has its bytes reserved at once, and waits for its turn: so nobody asks
/// twice for the same bytes, and nobody is passed over.
struct SharedLine {
    /// Sleeps shorter than this cost more than they hold back.
    private static let leastWait = Duration.milliseconds(1)

    private let bytesPerSecond: Double
    /// When the line has carried all that is reserved, since its start.
    private var free = Duration.zero

    init?(bandwidth: Int?) {
        guard let bandwidth, bandwidth > 0 else { return nil }
        bytesPerSecond = Double(bandwidth)
    }

    /// Reserves the line for so many bytes; `nil` if they may go now, else how long they wait.
    mutating func reserve(_ count: Int, at now: Duration) -> Duration? {
        let wait = free - now
        free = max(free, now) + .seconds(Double(count) / bytesPerSecond)
        return wait < Self.leastWait ? nil : wait
    }
}
