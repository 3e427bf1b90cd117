// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceTransfer

/// The controller against models of networks, whose best fixed width is known.
@Suite("Width controller") struct WidthControllerTests {
    /// What a network gives, in items a second, for a width at a time.
    struct Network: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rate: @Sendable (_ width: Double, _ time: Int) -> Double

        static let rounds = 600
        static let most = 256

        static let all = [
            // Every item takes 200 ms, however many there are.
            Network(testDescription: "bound by latency") { width, _ in width / 0.2 },
            // The line carries 96 items a second.
            Network(testDescription: "bound by bandwidth") { width, _ in min(width / 0.25, 96) },
            // Beyond 40 requests at once the server gets slower for all.
            Network(testDescription: "a server with a knee") { width, _ in width <= 40 ? width * 5 : 8000 / width },
            // Beyond fifty requests a second a host refuses, and is left alone for a while.
            Network(testDescription: "throttled by refusals") { width, _ in
                let wanted = width / 0.1
                return wanted <= 50 ? wanted : 50 * max(0.2, 50 / wanted)
            },
            // A tenth is lost, whatever the width.
            Network(testDescription: "lossy") { width, _ in min(width / 0.3, 150) * 0.9 },
            // The knee moves in the middle of the run.
            Network(testDescription: "growing in the middle") { width, time in
                let knee = time < rounds / 2 ? 16.0 : 64
                return min(width, knee) * 5 * min(1, (knee / width).squareRoot())
            },
            Network(testDescription: "shrinking in the middle") { width, time in
                let knee = time < rounds / 2 ? 64.0 : 16
                return min(width, knee) * 5 * min(1, (knee / width).squareRoot())
            },
        ]

        /// What the best fixed width gives in a whole run.
        var best: Double {
            (1...Self.most).map { width in (0..<Self.rounds).reduce(0) { $0 + rate(Double(width), $1) } }.max() ?? 0
        }
    }

    /// Numbers that are the same in every run of the test.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    /// A run in rounds of a second; what it got, and in which rounds the width changed.
    private func run(_ network: Network, noise: Double, seed: UInt64) -> (items: Double, changes: [Int]) {
        var controller = WidthController(from: 16, upTo: Network.most)
        var random = Generator(state: seed)
        var items = 0.0
        var changes: [Int] = []
        for time in 0..<Network.rounds {
            let rate =
                network.rate(Double(controller.width), time)
                * Double.random(in: (1 - noise)...(1 + noise), using: &random)
            items += rate
            let round = WidthController.Round(seconds: 1, items: Int(rate.rounded()), bytes: Int(rate * 130_000))
            if controller.note(round) != nil { changes.append(time) }
        }
        return (items, changes)
    }

    @Test("It gets nine tenths of what the best fixed width gets", arguments: Network.all, [0, 0.05, 0.1])
    func share(_ network: Network, noise: Double) {
        for seed in 1...8 as ClosedRange<UInt64> {
            let share = run(network, noise: noise, seed: seed).items / network.best
            #expect(share >= 0.9, "\(share) with seed \(seed)")
        }
    }

    @Test("Once it has settled its width changes in one round of five at most", arguments: Network.all, [0, 0.05, 0.1])
    func calm(_ network: Network, noise: Double) {
        for seed in 1...8 as ClosedRange<UInt64> {
            let late = run(network, noise: noise, seed: seed).changes.count { $0 >= Network.rounds * 3 / 4 }
            #expect(late <= Network.rounds / 4 / 5, "\(late) with seed \(seed)")
        }
    }

    @Test("Rounds with empty slots change nothing")
    func empty() {
        var controller = WidthController(from: 16, upTo: 256)
        for items in 0..<100 {
            #expect(controller.note(.init(seconds: 1, items: items, bytes: 0, isFull: false)) == nil)
        }
        #expect(controller.width == 16)
    }

    @Test("The width stays within its bounds, and is doubled, tried and taken back with its reason")
    func reasons() {
        var controller = WidthController(from: 1, upTo: 6)
        var reasons: [WidthController.Reason] = []
        for _ in 0..<80 {
            let decision = controller.note(.init(seconds: 1, items: min(controller.width, 4) * 10, bytes: 0))
            if let decision { reasons.append(decision.reason) }
            #expect((1...6).contains(controller.width))
        }
        #expect(reasons.prefix(3) == [.doubling, .doubling, .doubling])
        #expect(reasons.contains(.tryingLess) && reasons.contains(.takenBack))
    }
}
