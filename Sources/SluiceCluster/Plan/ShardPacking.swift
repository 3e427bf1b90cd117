// SPDX-License-Identifier: MIT

internal import SluiceCookies
internal import SluiceTransfer

/// Distributes hosts over shards, so that all photos of a host are in one shard.
///
/// Hosts of one registrable domain stay together if no shard exceeds its part of the photos by that. Otherwise they
/// fill few shards. Only a host that exceeds its part is spread over several shards, which share its budget. The
/// largest parcels are packed first, each into the emptiest shards. The same hosts always give the same shards.
struct ShardPacking: Sendable, Hashable {
    /// The shard of each host; `spread` for hosts with several.
    private var shard: [Int32]
    /// The shards of hosts with several, by the host's position.
    private var several: [Int: [Int]] = [:]
    private static let spread: Int32 = -1

    /// Packs hosts into `count` shards.
    ///
    /// A host is spread over at most `sharers` shards, the number of connections that it allows.
    init(_ hosts: some RandomAccessCollection<(name: String, rows: Int)>, into count: Int, sharers: Int) {
        let rows = hosts.map(\.rows)
        shard = Array(repeating: 0, count: rows.count)
        let total = rows.reduce(0, +)
        let target = max(1, (total + count - 1) / count)
        let parcels = Parcels(hosts, rows, target: target)
        let partSizes = parcels.rows.indices.map { parcels.partSize(of: $0, target, sharers) }
        // Positions break ties, because the standard library's sort is not documented to be stable.
        let order = parcels.rows.indices.sorted {
            (partSizes[$1], parcels.hosts(of: $0).first ?? 0) < (partSizes[$0], parcels.hosts(of: $1).first ?? 0)
        }
        var heap = ShardHeap(count: count)
        // A smaller parcel may exceed a shard's part.
        let small = target / 20
        for parcel in order {
            let (hosts, size) = (parcels.hosts(of: parcel), parcels.rows[parcel])
            if hosts.count == 1 || size <= small || heap.leastRows + size <= target {
                let chosen = heap.add(size, to: parcels.parts(of: parcel, target, sharers))
                for host in hosts { set(chosen, of: Int(host)) }
            } else {
                fill(&heap, to: target, with: hosts.map { (Int($0), rows[Int($0)]) })
            }
        }
    }

    var count: Int { shard.count }

    /// The shards of the host at this position in the given list.
    func shards(of host: Int) -> [Int] { shard[host] == Self.spread ? several[host] ?? [] : [Int(shard[host])] }

    /// The shard of a host's next photo; those of a host with several shards go to these in `turns`.
    func nextShard(of host: Int, _ turns: inout [Int: Int]) -> Int {
        guard shard[host] == Self.spread, let chosen = several[host] else { return Int(shard[host]) }
        defer { turns[host, default: 0] += 1 }
        return chosen[turns[host, default: 0] % chosen.count]
    }

    private mutating func set(_ shards: [Int], of host: Int) {
        shard[host] = shards.count == 1 ? Int32(shards[0]) : Self.spread
        if shards.count > 1 { several[host] = shards }
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
            set([shard.shard], of: host)
        }
        heap.push(shard)
    }
}

/// Hosts that stay together: each with more than `target` photos alone, and the domains of all others.
///
/// There may be millions, so that arrays of numbers hold them.
private struct Parcels {
    private(set) var rows: [Int] = []
    private var hosts: [Int32]
    /// The position in `hosts` at which each parcel ends.
    private var ends: [Int32]

    init(_ all: some RandomAccessCollection<(name: String, rows: Int)>, _ hostRows: [Int], target: Int) {
        var domains = NameTable()
        // The parcels of the domains in their order.
        var ofDomain: [Int32] = []
        var parcel: [Int32] = []
        parcel.reserveCapacity(hostRows.count)
        for host in all {
            var number = Int32(rows.count)
            if host.rows <= target {
                let domain = domains.number(of: RegistrableDomain.of(host.name))
                if domain == ofDomain.count { ofDomain.append(number) }
                number = ofDomain[domain]
            }
            if number == rows.count { rows.append(0) }
            rows[Int(number)] += host.rows
            parcel.append(number)
        }
        // Counting sort: `ends` has the beginnings first, and each host moves that of its parcel.
        ends = Array(repeating: 0, count: rows.count)
        for number in parcel where number + 1 < rows.count { ends[Int(number) + 1] += 1 }
        for number in ends.indices.dropFirst() { ends[number] += ends[number - 1] }
        hosts = Array(repeating: 0, count: parcel.count)
        for (host, number) in parcel.enumerated() {
            hosts[Int(ends[Int(number)])] = Int32(host)
            ends[Int(number)] += 1
        }
    }

    func hosts(of parcel: Int) -> ArraySlice<Int32> {
        hosts[(parcel == 0 ? 0 : Int(ends[parcel - 1]))..<Int(ends[parcel])]
    }

    /// The number of shards; a shard of `target` photos is large enough for a part of a spread host.
    func parts(of parcel: Int, _ target: Int, _ sharers: Int) -> Int {
        hosts(of: parcel).count > 1 ? 1 : max(1, min((rows[parcel] + target - 1) / target, sharers))
    }

    /// The number of photos in the largest part.
    func partSize(of parcel: Int, _ target: Int, _ sharers: Int) -> Int {
        let parts = parts(of: parcel, target, sharers)
        return (rows[parcel] + parts - 1) / parts
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

    mutating func push(_ shard: (rows: Int, shard: Int)) {
        shards.append(shard)
        var index = shards.count - 1
        while index > 0, shards[index] < shards[(index - 1) / 2] {
            shards.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }
}

/// Hosts in the order in which they were found, with the number of their photos.
struct HostCounts: Sendable, RandomAccessCollection {
    private var names = NameTable()
    private var rows: [Int] = []

    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }

    subscript(position: Int) -> (name: String, rows: Int) { (names[position], rows[position]) }

    /// Returns the position of a host, which is added unless it is known.
    mutating func position(of host: String) -> Int {
        let position = names.number(of: host)
        if position == rows.count { rows.append(0) }
        return position
    }

    mutating func count(at position: Int) { rows[position] += 1 }
}

/// Numbers names in the order in which they were added, in little memory: about 17 bytes and the text for each.
///
/// A dictionary with texts as keys takes five times as much, and a plan may have millions of hosts.
struct NameTable: Sendable {
    private var text: [UInt8] = []
    private var ends: [Int] = []
    /// The positions of names by their hashes, with open addressing; at least a third is empty.
    private var slots: [Int32] = Array(repeating: Self.empty, count: 16)
    private static let empty: Int32 = -1

    var count: Int { ends.count }

    subscript(number: Int) -> String { String(decoding: bytes(number), as: UTF8.self) }

    /// Returns the number of a name, which is added unless it is known.
    mutating func number(of name: String) -> Int {
        let slot = slot(of: name.utf8)
        if slots[slot] != Self.empty { return Int(slots[slot]) }
        slots[slot] = Int32(count)
        text += name.utf8
        ends.append(text.count)
        if count > slots.count / 3 * 2 { grow() }
        return count - 1
    }

    private func bytes(_ number: Int) -> ArraySlice<UInt8> { text[(number == 0 ? 0 : ends[number - 1])..<ends[number]] }

    /// The slot that has this name, or else the empty one where it belongs.
    private func slot(of name: some Sequence<UInt8>) -> Int {
        var hasher = Hasher()
        for byte in name { hasher.combine(byte) }
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] != Self.empty, !bytes(Int(slots[slot])).elementsEqual(name) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: Self.empty, count: slots.count * 2)
        for number in ends.indices { slots[slot(of: bytes(number))] = Int32(number) }
    }
}
