// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// Distributes hosts over shards, so that all photos of a host are in one shard.
///
/// Hosts of one registrable domain stay together if no shard exceeds its part of the photos by that. Otherwise they
/// fill few shards. Only a host that exceeds its part is spread over several shards, which share its budget. The
/// largest parcels are packed first, each into the emptiest shards. The same hosts always give the same shards.
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
        var heap = ShardHeap(count: count)
        // A smaller parcel may exceed a shard's part.
        let small = target / 20
        for parcel in parcels {
            if parcel.hosts.count == 1 || parcel.rows <= small || heap.leastRows + parcel.rows <= target {
                let chosen = heap.add(parcel.rows, to: parcel.parts(target, sharers))
                for host in parcel.hosts { shards[host] = chosen }
            } else {
                fill(&heap, to: target, with: parcel.hosts.map { ($0, hosts[$0].rows) })
            }
        }
    }

    /// Distributes hosts over the emptiest shards, and fills each before the next.
    private mutating func fill(_ heap: inout ShardHeap, to target: Int, with hosts: [(host: Int, rows: Int)]) {
        var shard = heap.pop()
        for (host, rows) in hosts.sorted(by: { ($1.rows, $0.host) < ($0.rows, $1.host) }) {
            if shard.rows + rows > target {
                heap.push(shard)
                shard = heap.pop()
            }
            shard.rows += rows
            shards[host] = [shard.shard]
        }
        heap.push(shard)
    }

    /// Hosts that stay together, by their positions.
    private struct Parcel {
        var hosts: [Int]
        var rows: Int

        /// The number of shards; a shard of `target` photos is large enough for a part of a spread host.
        func parts(_ target: Int, _ sharers: Int) -> Int {
            hosts.count > 1 ? 1 : max(1, min((rows + target - 1) / target, sharers))
        }

        /// The number of photos in the largest part.
        func partSize(_ target: Int, _ sharers: Int) -> Int {
            let parts = parts(target, sharers)
            return (rows + parts - 1) / parts
        }
    }

    /// Returns the hosts with more than `target` photos, and the domains with all their other hosts.
    private static func parcels(_ hosts: [(name: String, rows: Int)], target: Int) -> [Parcel] {
        var domains: [String: Int] = [:]
        var parcels: [Parcel] = []
        for (index, host) in hosts.enumerated() {
            guard host.rows <= target else {
                parcels.append(Parcel(hosts: [index], rows: host.rows))
                continue
            }
            let domain = RegistrableDomain.of(host.name)
            if let known = domains[domain] {
                parcels[known].hosts.append(index)
                parcels[known].rows += host.rows
            } else {
                domains[domain] = parcels.count
                parcels.append(Parcel(hosts: [index], rows: host.rows))
            }
        }
        return parcels
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

    /// The number of photos in the emptiest shard.
    var leastRows: Int { shards[0].rows }

    /// Removes the emptiest shard.
    mutating func pop() -> (rows: Int, shard: Int) {
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

    /// Adds a shard.
    mutating func push(_ shard: (rows: Int, shard: Int)) {
        shards.append(shard)
        var index = shards.count - 1
        while index > 0, shards[index] < shards[(index - 1) / 2] {
            shards.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }
}
