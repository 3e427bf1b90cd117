// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@Suite("Concurrency tuner", .timeLimit(.minutes(10))) struct ConcurrencyTunerTests {
    @Test("The tuner applies the controller's adjustments to the pool")
    func adjusts() async throws {
        let pool = WorkPool(width: 2, backlog: 2, hosts: HostRules(perHost: 100))
        let adjustments = Locked<[ConcurrencyController.Adjustment]>([])
        let isAdjusted = Gate(opensAt: 1)
        let tuner = ConcurrencyTuner(pool, upTo: 8) { adjustment in
            adjustments.withLock { $0.append(adjustment) }
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
        let first = try #require(adjustments.withLock { $0.first })
        #expect(first.width == 4 && first.reason == .doubling && first.goodput > 0)
        #expect([4, 8].contains(pool.width))
        await pool.waitUntilIdle()
    }
}
