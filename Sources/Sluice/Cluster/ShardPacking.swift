// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// Distributes hosts over shards, so that all photos of a host are in one shard.
///
/// Hosts of one registrable domain stay together if they fit. Only a host that exceeds its part of the photos is spread
/// over several shards, which share its budget. The largest parts are packed first, each into the emptiest shards. The
/// same hosts always give the same shards.
struct ShardPacking: Sendable, Hashable {
    /// The shards of each host, by the host's position in the given list.
    private(set) var shards: [[Int]]

    /// Packs hosts into `count` shards.
    ///
    /// A host is spread over at most `sharers` shards, the number of connections that it allows.
    init(_ hosts: [(name: String, rows: Int)], into count: Int, sharers: Int) {
        shards = Array(repeating: [], count: hosts.count)
        let total = hosts.reduce(0) { $0 + $1.rows }
        let target = max(1, (total + count - 1) / count)
        var parcels = Self.parcels(hosts, target: target)
        // Positions break ties, because the standard library's sort is not documented to be stable.
        parcels.sort { ($1.partSize(target, sharers), $0.hosts[0]) < ($0.partSize(target, sharers), $1.hosts[0]) }
        var emptiest = ShardHeap(count: count)
        for parcel in parcels {
            let chosen = emptiest.add(parcel.rows, to: parcel.parts(target, sharers))
            for host in parcel.hosts { shards[host] = chosen }
        }
    }

    /// Hosts that stay together, by their positions.
    private struct Parcel {
        var hosts: [Int]
        var rows: Int

        /// The number of shards; a shard of `target` photos is large enough for a part of a spread host.
        func parts(_ target: Int, _ sharers: Int) -> Int { max(1, min((rows + target - 1) / target, sharers)) }

        /// The number of photos in the largest part.
        func partSize(_ target: Int, _ sharers: Int) -> Int {
            let parts = parts(target, sharers)
            return (rows + parts - 1) / parts
        }
    }

    /// Returns the domains that fit into a shard, and the single hosts of the others.
    private static func parcels(_ hosts: [(name: String, rows: Int)], target: Int) -> [Parcel] {
        var domains: [String: Int] = [:]
        var parcels: [Parcel] = []
        for (index, host) in hosts.enumerated() {
            let domain = RegistrableDomain.of(host.name)
            if let known = domains[domain] {
                parcels[known].hosts.append(index)
                parcels[known].rows += host.rows
            } else {
                domains[domain] = parcels.count
                parcels.append(Parcel(hosts: [index], rows: host.rows))
            }
        }
        return parcels.flatMap { parcel in
            parcel.rows <= target
                ? [parcel] : parcel.hosts.map { Parcel(hosts: [$0], rows: hosts[$0].rows) }
        }
    }
}

/// Shards ordered by their number of photos, then by their position: a binary heap.
private struct ShardHeap {
    private var shards: [(rows: Int, shard: Int)]

    init(count: Int) { shards = (0..<count).map { (0, $0) } }

    /// Distributes photos evenly over the emptiest shards and returns these in order.
    mutating func add(_ rows: Int, to parts: Int) -> [Int] {
        let emptiest = (0..<parts).map { _ in pop() }
        for (index, shard) in emptiest.enumerated() {
            push((shard.rows + rows / parts + (index < rows % parts ? 1 : 0), shard.shard))
        }
        return emptiest.map(\.shard)
    }

    private mutating func pop() -> (rows: Int, shard: Int) {
        shards.swapAt(0, shards.count - 1)
        let first = shards.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < shards.count }
            guard let least = children.min(by: { shards[$0] < shards[$1] }), shards[least] < shards[index] else {
                break
            }
            shards.swapAt(index, least)
            index = least
        }
        return first
    }

    private mutating func push(_ shard: (rows: Int, shard: Int)) {
        shards.append(shard)
        var index = shards.count - 1
        while index > 0, shards[index] < shards[(index - 1) / 2] {
            shards.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }
}
