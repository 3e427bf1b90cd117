// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceDatasets

/// The order and the splits of exports.
@Suite("Export order", .timeLimit(.minutes(10))) struct ExportOrderTests {
    @Test("A seeded order has every number once, and differs between seeds", arguments: [1, 2, 3, 16, 17, 1000, 4097])
    func permutation(count: Int) {
        let orders = (0..<3).map { seed in
            (1...count).map(SeededPermutation(of: count, seed: seed).number(at:))
        }
        for order in orders { #expect(order.sorted() == Array(1...count)) }
        if count > 16 { #expect(Set(orders).count == 3 && orders[0] != orders[0].sorted()) }
        #expect(orders[1] == (1...count).map(SeededPermutation(of: count, seed: 1).number(at:)))
    }

    /// A host of one hundred photos in a list of ten thousand must not stay together: a run of its photos in the
    /// order is as rare as chance makes it.
    @Test("Neighbours in the feed are not neighbours in the order")
    func spread() {
        let order = SeededPermutation(of: 10_000, seed: 42)
        let places = (1...10_000).filter { order.number(at: $0) <= 100 }
        let adjacent = zip(places, places.dropFirst()).filter { $1 - $0 == 1 }.count
        #expect(places.count == 100 && adjacent < 8)
        let quarters = (0..<4).map { quarter in places.filter { ($0 - 1) / 2500 == quarter }.count }
        #expect(quarters.allSatisfy { (10...45).contains($0) }, "\(quarters)")
    }

    @Test("Splits have their share of the sources, and a source always has the same one")
    func splits() {
        let splits = [DatasetSplit("train", weight: 90), DatasetSplit("val", weight: 10)]
        let sources = (0..<5000).map { "https://host\($0 % 7).test/\($0).jpg" }
        let chosen = sources.map { splits.index(ofSource: $0) }
        #expect((400...600).contains(chosen.filter { $0 == 1 }.count))
        // The first four bytes of the SHA-256 of "a" are ca978112.
        let halves = [DatasetSplit("even", weight: 1), DatasetSplit("odd", weight: 1)]
        #expect(halves.index(ofSource: "a") == 0xCA97_8112 % 2)
    }

    @Test("Every beginning of a value's photos has the shares of the splits", arguments: ["", "=cat", "=dog"])
    func strata(value: String) {
        let splits = [
            DatasetSplit("train", weight: 90), DatasetSplit("val", weight: 7), DatasetSplit("test", weight: 3),
        ]
        var counts = [0, 0, 0]
        for number in 0..<100_000 {
            counts[splits.index(at: StratifiedSplits.place(of: UInt64(number), with: value))] += 1
            let difference = zip(counts, splits).map { abs(Double($0) - Double(number + 1) * Double($1.weight) / 100) }
            guard difference.allSatisfy({ $0 < 4 }) else {
                Issue.record("\(number + 1) photos: \(counts)")
                return
            }
        }
    }

    /// A value with one photo must not always be in the first split.
    @Test("Values with one photo are in all splits, by their weights")
    func rareValues() {
        let splits = [DatasetSplit("train", weight: 9), DatasetSplit("val", weight: 1)]
        let chosen = (0..<5000).map { splits.index(at: StratifiedSplits.place(of: 0, with: "=\($0)")) }
        #expect((400...600).contains(chosen.count { $0 == 1 }))
    }
}
