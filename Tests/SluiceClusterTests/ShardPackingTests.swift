// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCluster

@Suite("Shard packing", .timeLimit(.minutes(10))) struct ShardPackingTests {
    /// Returns the number of photos of each shard, with the parts of spread hosts rounded up.
    private func sizes(_ packing: ShardPacking, _ hosts: [(name: String, rows: Int)], _ count: Int) -> [Int] {
        var sizes = Array(repeating: 0, count: count)
        for (host, chosen) in zip(hosts, packing.shards) {
            for shard in chosen { sizes[shard] += (host.rows + chosen.count - 1) / chosen.count }
        }
        return sizes
    }

    /// The sum of the rows and the largest number overflowed.
    @Test("A limit on the photos of a shard gives the smallest possible number of shards")
    func counts() {
        for (items, rows, count) in [(4, 8, 2), (4, 9, 3), (4, 0, 1), (.max, 9, 1), (.max, 0, 1), (1, 3, 3)] {
            #expect(ShardCount.items(items).shards(for: rows) == count)
        }
    }

    @Test("A host stays in one shard, and shards are balanced to within 10 percent")
    func balance() {
        var random = SystemRandomNumberGenerator()
        let hosts = (0..<500).map {
            (name: "host\($0).example\($0).org", rows: Int.random(in: 1...400, using: &random))
        }
        let packing = ShardPacking(hosts, into: 16, sharers: 6)
        #expect(packing.shards.allSatisfy { $0.count == 1 })
        let sizes = sizes(packing, hosts, 16)
        let mean = Double(sizes.reduce(0, +)) / 16
        #expect(sizes.allSatisfy { abs(Double($0) - mean) <= 0.1 * mean }, "\(sizes)")
    }

    @Test("A host with more than its part is spread over different shards, at most as many as it has connections")
    func spreading() {
        let hosts = [(name: "big.example.com", rows: 900), (name: "a.org", rows: 50), (name: "b.org", rows: 50)]
        let packing = ShardPacking(hosts, into: 10, sharers: 6)
        #expect(packing.shards[0].count == 6 && Set(packing.shards[0]).count == 6)
        #expect(packing.shards[1].count == 1 && packing.shards[2].count == 1)
        #expect(ShardPacking(hosts, into: 10, sharers: 20).shards[0].count == 9)
        #expect(ShardPacking(hosts, into: 1, sharers: 6).shards == [[0], [0], [0]])
    }

    @Test("Hosts of one registrable domain are in the same shard if they fit")
    func domains() {
        let hosts = (1...6).map { (name: "img\($0).example.co.uk", rows: 10) } + (1...6).map { ("a\($0).org", 10) }
        let packing = ShardPacking(hosts, into: 2, sharers: 6)
        #expect(Set(packing.shards[..<6]).count == 1)
        #expect(Set(packing.shards[6...]) == [[1 - packing.shards[0][0]]])
        // They fill two of four shards.
        #expect(Set(ShardPacking(hosts, into: 4, sharers: 6).shards[..<6]).count == 2)
    }

    @Test("A domain is divided into few shards if they would not be balanced otherwise", arguments: [5, 16, 64])
    func division(count: Int) {
        let hosts = (0..<89).flatMap { domain in (0..<30).map { (name: "h\($0).example\(domain).org", rows: 12) } }
        let packing = ShardPacking(hosts, into: count, sharers: 6)
        let sizes = sizes(packing, hosts, count)
        let mean = Double(sizes.reduce(0, +)) / Double(count)
        #expect(sizes.allSatisfy { abs(Double($0) - mean) <= 0.1 * mean }, "\(sizes)")
        let divisions = (0..<89).map { Set(packing.shards[($0 * 30)..<(($0 + 1) * 30)]).count }
        // The last domains fill the gaps that the others leave, so a few may have many parts.
        #expect(divisions.reduce(0, +) <= 89 + 2 * count, "\(divisions)")
    }

    @Test("The photos of a spread host go to its shards in turn")
    func turns() {
        let packing = ShardPacking([(name: "a.org", rows: 1), (name: "b.org", rows: 90)], into: 3, sharers: 2)
        let shards = packing.shards(of: 1)
        var turns: [Int: Int] = [:]
        #expect(shards.count == 2)
        #expect((0..<4).map { _ in packing.nextShard(of: 1, &turns) } == shards + shards)
        #expect([packing.nextShard(of: 0, &turns)] == packing.shards(of: 0))
    }

    @Test("Names are numbered in their order, however many there are")
    func names() {
        var names = NameTable()
        let all = (0..<5000).map { "host-\($0 * 7919 % 5000).example.org" } + [""]
        for (number, name) in all.enumerated() { #expect(names.number(of: name) == number) }
        for (number, name) in all.enumerated() { #expect(names.number(of: name) == number && names[number] == name) }
        #expect(names.count == all.count)
    }

    @Test("There may be more shards than hosts, and no hosts at all")
    func few() {
        #expect(ShardPacking([(name: "a.org", rows: 1)], into: 3, sharers: 6).shards == [[0]])
        #expect(ShardPacking([(name: String, rows: Int)](), into: 3, sharers: 6).shards == [])
    }
}

extension ShardPacking {
    /// The shards of each host.
    fileprivate var shards: [[Int]] { (0..<count).map(shards) }
}
