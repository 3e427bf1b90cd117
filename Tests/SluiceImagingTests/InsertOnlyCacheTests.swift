// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("InsertOnlyCache", .timeLimit(.minutes(10))) struct InsertOnlyCacheTests {
    @Test("Cached values are not computed again, and values beyond the capacity are")
    func remembers() {
        let cache = InsertOnlyCache<Int, Int>(capacity: 3)
        var found: [Int] = []
        for key in [1, 2, 1, 3, 2, 4, 4, 3] {
            let value = cache.value(for: key) {
                found.append(key)
                return key * 2
            }
            #expect(value == key * 2)
        }
        #expect(found == [1, 2, 3, 4, 4])
    }

    @Test("Concurrent threads all get the right value")
    func threads() async {
        let cache = InsertOnlyCache<Int, Int>(capacity: 20)
        await withTaskGroup(of: Bool.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    (0..<1000).allSatisfy { number in
                        let key = (number * (thread + 1)) % 30
                        return cache.value(for: key) { -key } == -key
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("Cached weights equal computed weights for every scaling", arguments: [false, true])
    func weights(paired: Bool) {
        let axes = [(0.0, 300.0, 40), (0, 300, 41), (10, 290, 40), (10, 280, 40)]
        for _ in 0..<2 {
            for (start, extent, target) in axes {
                for kernel in ThumbnailOptions.Kernel.allCases {
                    for (length, isShrunk) in [(300, false), (300, true), (301, false)] {
                        let axis = ScaleGeometry.Axis(start: start, extent: extent, target: target)
                        let scaling = AxisScaling(length: length, axis: axis, kernel: kernel, isShrunk: isShrunk)
                        let cached = FixedPointWeights.cached(for: scaling, paired: paired)
                        let made = FixedPointWeights(AxisWeights(scaling), paired: paired)
                        #expect(
                            cached.weights == made.weights && cached.firsts == made.firsts && cached.ends == made.ends)
                    }
                }
            }
        }
    }
}
