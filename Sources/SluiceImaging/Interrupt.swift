// SPDX-License-Identifier: MIT

/// How whoever asked for a picture calls it off; decoders look at it between rows.
public struct Interrupt: Sendable {
    /// Never calls off.
    public static let never = Interrupt { false }

    /// Whether the work is no longer wanted; asked often and from the decoding thread, so it must be quick.
    public let isCancelled: @Sendable () -> Bool

    /// Makes an interrupt of a question.
    public init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
}

/// The one thing that decoders look at between rows: the interrupt, and the time that a decode may take.
struct Watch: Sendable {
    private let interrupt: Interrupt
    private let seconds: Double
    private let start = ContinuousClock.now

    init(_ interrupt: Interrupt, seconds: Double) {
        self.interrupt = interrupt
        self.seconds = seconds
    }

    func check() throws(ImagingError) {
        if interrupt.isCancelled() { throw ImagingError(.cancelled, "") }
        if ContinuousClock.now - start > .seconds(seconds) {
            throw ImagingError(.decodeLimit, "longer than \(seconds) s")
        }
    }

    /// Checks at every eighth row: rows are short, and clocks cost.
    func check(row: Int) throws(ImagingError) {
        if row & 7 == 0 { try check() }
    }
}
