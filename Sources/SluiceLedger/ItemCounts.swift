// SPDX-License-Identifier: MIT

/// How many items of a mirror stand in each state.
public struct ItemCounts: Sendable, Hashable {
    /// Their files stand.
    public var done: Int
    /// They were left out on purpose.
    public var skipped: Int
    /// They could not be done.
    public var failed: Int
    /// They have no receipt yet.
    public var waiting: Int

    /// Makes counts.
    public init(done: Int, skipped: Int, failed: Int, waiting: Int) {
        self.done = done
        self.skipped = skipped
        self.failed = failed
        self.waiting = waiting
    }
}
