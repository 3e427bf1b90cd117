// SPDX-License-Identifier: MIT

/// The options of pruning: removing photos that a feed no longer lists.
public struct PruneOptions: Sendable, Hashable {
    /// The largest share of the photos that one run may remove, in percent.
    public var limit = 10.0
    /// Makes the default options.
    public init() {}
}

extension PruneOptions {
    /// The reason why removing `count` of `total` photos exceeds the limit; `nil` if it does not.
    package func refusal(of count: Int, of total: Int) -> String? {
        guard Double(count) * 100 > limit * Double(total) else { return nil }
        let limit = limit.rounded() == limit ? "\(Int(limit))" : "\(limit)"
        return
            "prune-refused: \(count) of \(total) photos would be removed (limit \(limit) %)"
    }
}
