// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@Suite("Width steering", .timeLimit(.minutes(10))) struct WidthSteeringTests {
    @Test("What the controller decides becomes the pool's width")
    func decides() async throws {
        let pool = WorkPool(width: 2, backlog: 2, hosts: HostRules(perHost: 100))
        let decisions = Locked<[WidthController.Decision]>([])
        let steering = WidthSteering(pool, upTo: 8) { decision in decisions.withLock { $0.append(decision) } }
        // Items come until the first decision: the pool is always full.
        while decisions.withLock({ $0.isEmpty }) {
            await pool.room()
            pool.submit(host: "a") { _ in
                try? await Task.sleep(for: .milliseconds(2))
                steering.count(bytes: 1000)
            } dropped: { _ in
            }
        }
        let first = try #require(decisions.withLock { $0.first })
        #expect(first.width == 4 && first.reason == .doubling && first.goodput > 0)
        #expect([4, 8].contains(pool.width))
        await pool.drained()
    }
}
