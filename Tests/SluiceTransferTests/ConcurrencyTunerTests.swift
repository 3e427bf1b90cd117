// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

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
