// SPDX-License-Identifier: MIT

/// The number of unfinished shards that share each host of one shard.
///
/// Each of them uses that part of a host's limits. Shards finish once, so a worker that learns late of one uses less
/// than it might, and all workers together never exceed the limits.
struct HostShares: Sendable, Hashable {
    /// The number of shards by host, for the hosts that several shards share in the plan.
    private(set) var counts: [String: Int]
    /// The hosts of each other shard that is not known to be finished.
    private var others: [Int: [String]] = [:]

    /// Makes the shares of shard `number` when no shard is finished.
    init(of number: Int, in plan: Plan) {
        counts = plan.shards[number].shares
        guard !counts.isEmpty else { return }
        for (other, shard) in plan.shards.enumerated() where other != number {
            let hosts = shard.shares.keys.filter { counts[$0] != nil }
            if !hosts.isEmpty { others[other] = hosts }
        }
    }

    /// Records finished shards, which leave their shares to the others; returns whether that changes any.
    @discardableResult
    mutating func finish(_ shards: some Sequence<Int>) -> Bool {
        let before = counts
        for shard in shards {
            for host in others.removeValue(forKey: shard) ?? [] { counts[host] = max(1, (counts[host] ?? 1) - 1) }
        }
        return counts != before
    }
}
