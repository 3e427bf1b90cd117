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
        let tuner = ConcurrencyTuner(pool, upTo: 8) { adjustment in
            adjustments.withLock { $0.append(adjustment) }
        }
        // With so many waiting items, the pool stays full until the first adjustment, whatever the machine's load.
        for _ in 0..<5000 {
            pool.submit(host: "a") { _ in
                try? await Task.sleep(for: .milliseconds(20))
                tuner.count(bytes: 1000)
            } dropped: { _ in
            }
        }
        try await wait(for: "the first adjustment") { adjustments.withLock { !$0.isEmpty } }
        pool.drain()
        let first = try #require(adjustments.withLock { $0.first })
        #expect(first.width == 4 && first.reason == .doubling && first.goodput > 0)
        #expect([4, 8].contains(pool.width))
        await pool.waitUntilIdle()
    }
}
