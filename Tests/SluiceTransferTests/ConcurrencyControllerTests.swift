// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// Runs the controller on models of networks whose best fixed width is known.
@Suite("Concurrency controller", .timeLimit(.minutes(10))) struct ConcurrencyControllerTests {
    /// A model of a network: the items per second for a width at a point in time.
    struct Network: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rate: @Sendable (_ width: Double, _ time: Int) -> Double

        static let rounds = 600
        static let maxWidth = 256

        static let all = [
            // Each item takes 200 ms, at any width.
            Network(testDescription: "bound by latency") { width, _ in width / 0.2 },
            // The connection carries 96 items per second.
            Network(testDescription: "bound by bandwidth") { width, _ in min(width / 0.25, 96) },
            // Above 40 concurrent requests the server slows down.
            Network(testDescription: "a server with a knee") { width, _ in width <= 40 ? width * 5 : 8000 / width },
            // Above 50 requests per second the host refuses requests, and is paused.
            Network(testDescription: "throttled by refusals") { width, _ in
                let wanted = width / 0.1
                return wanted <= 50 ? wanted : 50 * max(0.2, 50 / wanted)
            },
            // A tenth of the items is lost, at any width.
            Network(testDescription: "lossy") { width, _ in min(width / 0.3, 150) * 0.9 },
            // The knee moves halfway through the run.
            Network(testDescription: "growing in the middle") { width, time in
                let knee = time < rounds / 2 ? 16.0 : 64
                return min(width, knee) * 5 * min(1, (knee / width).squareRoot())
            },
            Network(testDescription: "shrinking in the middle") { width, time in
                let knee = time < rounds / 2 ? 64.0 : 16
                return min(width, knee) * 5 * min(1, (knee / width).squareRoot())
            },
        ]

        /// The number of items in a whole run with the best fixed width.
        var best: Double {
            (1...Self.maxWidth).map { width in (0..<Self.rounds).reduce(0) { $0 + rate(Double(width), $1) } }.max() ?? 0
        }
    }

    /// Simulates a run in rounds of one second; returns its items, and the rounds in which the width changed.
    private func run(_ network: Network, noise: Double, seed: UInt64) -> (items: Double, changes: [Int]) {
        var controller = ConcurrencyController(from: 16, upTo: Network.maxWidth)
        var random = SplitMix64(seed: seed)
        var items = 0.0
        var changes: [Int] = []
        for time in 0..<Network.rounds {
            let rate =
                network.rate(Double(controller.width), time)
                * Double.random(in: (1 - noise)...(1 + noise), using: &random)
            items += rate
            let round = ConcurrencyController.Round(seconds: 1, items: Int(rate.rounded()), bytes: Int(rate * 130_000))
            if controller.record(round) != nil { changes.append(time) }
        }
        return (items, changes)
    }

    @Test("The controller reaches 90 % of the goodput of the best fixed width", arguments: Network.all, [0, 0.05, 0.1])
    func share(_ network: Network, noise: Double) {
        for seed in 1...8 as ClosedRange<UInt64> {
            let share = run(network, noise: noise, seed: seed).items / network.best
            #expect(share >= 0.9, "\(share) with seed \(seed)")
        }
    }

    @Test("A settled width changes in at most one of five rounds", arguments: Network.all, [0, 0.05, 0.1])
    func calm(_ network: Network, noise: Double) {
        for seed in 1...8 as ClosedRange<UInt64> {
            let late = run(network, noise: noise, seed: seed).changes.count { $0 >= Network.rounds * 3 / 4 }
            #expect(late <= Network.rounds / 4 / 5, "\(late) with seed \(seed)")
        }
    }

    @Test("Rounds with free slots are ignored")
    func freeSlots() {
        var controller = ConcurrencyController(from: 16, upTo: 256)
        for items in 0..<100 {
            #expect(controller.record(.init(seconds: 1, items: items, bytes: 0, isFull: false)) == nil)
        }
        #expect(controller.width == 16)
    }

    @Test("The width stays within its bounds, and each adjustment has a reason")
    func reasons() {
        var controller = ConcurrencyController(from: 1, upTo: 6)
        var reasons: [ConcurrencyController.Reason] = []
        for _ in 0..<80 {
            let adjustment = controller.record(.init(seconds: 1, items: min(controller.width, 4) * 10, bytes: 0))
            if let adjustment { reasons.append(adjustment.reason) }
            #expect((1...6).contains(controller.width))
        }
        #expect(reasons.prefix(3) == [.doubling, .doubling, .doubling])
        #expect(reasons.contains(.tryingLess) && reasons.contains(.reverted))
    }
}

@Suite("Concurrency tuner", .timeLimit(.minutes(10))) struct ConcurrencyTunerTests {
    @Test("The tuner applies the controller's adjustments to the pool")
    func adjusts() async throws {
        let pool = WorkPool(width: 2, backlog: 2, hosts: HostRules(perHost: 100))
        let adjustments = Locked<[(adjustment: ConcurrencyController.Adjustment, width: Int)]>([])
        let isAdjusted = Gate(opensAt: 1)
        let tuner = ConcurrencyTuner(pool, upTo: 8) { adjustment in
            adjustments.withLock { $0.append((adjustment, pool.width)) }
            isAdjusted.open()
        }
        // Each item submits another before it ends, so the pool stays full until it is drained.
        @Sendable func submit() {
            pool.submit(host: "a") { _ in
                submit()
                tuner.count(bytes: 1000)
            } dropped: { _ in
            }
        }
        for _ in 0..<16 { submit() }
        await isAdjusted.pass(countingIn: false)
        pool.drain()
        let (first, width) = try #require(adjustments.withLock { $0.first })
        #expect(first.width == 4 && first.reason == .doubling && first.goodput > 0)
        #expect(width == 4)
        await pool.waitUntilIdle()
    }
}
