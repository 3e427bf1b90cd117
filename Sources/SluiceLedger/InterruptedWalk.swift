// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The walk of a run that was ended before its feed's end: which pages it was given, and where each one led.
public struct InterruptedWalk: Sendable {
    let run: Int
    var pages: [Int: Page] = [:]

    init(run: Int) { self.run = run }

    /// How many pages it was given.
    public var count: Int { pages.count }
}
