// SPDX-License-Identifier: MIT

/// Asks whether the caller has cancelled the work; decoders poll it between rows.
public struct CancellationCheck: Sendable {
    /// A check for work that is never cancelled.
    public static let never = CancellationCheck { false }

    /// Returns whether the work has been cancelled.
    ///
    /// Called often and on the decoding thread, so it must be quick.
    public let isCancelled: @Sendable () -> Bool

    /// Creates a check from a closure.
    public init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
}

/// Stops a decode that was cancelled or exceeds its time limit; decoders poll it between rows.
struct DecodeWatchdog: Sendable {
    private let cancellation: CancellationCheck
    private let seconds: Double
    private let start = ContinuousClock.now

    init(_ cancellation: CancellationCheck, seconds: Double) {
        self.cancellation = cancellation
        self.seconds = seconds
    }

    /// Throws `cancelled` or `decodeLimit` if the decode must stop.
    func check() throws(ImagingError) {
        if cancellation.isCancelled() { throw ImagingError(.cancelled, "") }
        if ContinuousClock.now - start > .seconds(seconds) {
            throw ImagingError(.decodeLimit, "longer than \(seconds) s")
        }
    }

    /// Checks at every eighth row, because reading the clock costs more than decoding a short row.
    func check(row: Int) throws(ImagingError) {
        if row & 7 == 0 { try check() }
    }
}
