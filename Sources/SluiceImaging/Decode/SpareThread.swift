// SPDX-License-Identifier: MIT

/// Runs a part of a decode on another thread while a core is idle.
package struct SpareThread: Sendable {
    /// Starts the work on another thread; returns false, without an effect, if no core is idle.
    let start: @Sendable (_ work: @escaping @Sendable () -> Void) -> Bool
    /// Smaller images are decoded before a second thread is of use.
    var minPixels = Self.minPixels
    /// The pixels of a part of an image.
    var partPixels = Self.partPixels

    static let minPixels = 2_000_000
    /// Half a millisecond of work.
    static let partPixels = 1 << 19

    /// Creates a spare thread from a closure that starts work unless all cores are busy.
    package init(_ start: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Bool) { self.start = start }
}
