// SPDX-License-Identifier: MIT

/// What a run had of one host.
public struct HostCounts: Sendable, Hashable {
    /// Photos that came whole.
    public var done = 0
    /// Photos that failed in the end.
    public var failed = 0
    /// Attempts that failed and were followed by another.
    public var retried = 0
    /// How often everybody left it alone for a while.
    public var paused = 0
    /// Bytes of the photos that came.
    public var bytes = 0

    /// Makes counts of nothing.
    public init() {}
}
