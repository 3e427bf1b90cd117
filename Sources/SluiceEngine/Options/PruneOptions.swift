// SPDX-License-Identifier: MIT

/// The options of pruning: removing photos that a feed no longer lists.
public struct PruneOptions: Sendable, Hashable {
    /// The largest share of the photos that one run may remove, in percent.
    public var limit = 10.0
    /// Makes the default options.
    public init() {}
}
