// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// The tests pass the time explicitly and never wait for a clock.
@Suite("Watchdog", .timeLimit(.minutes(10))) struct WatchdogTests {
    private let limit = Duration.seconds(300)

    @Test("A stuck item is cancelled and then ended as internal, and others continue")
    func stuck() async {
        let pool = WorkPool(width: 1, backlog: 10)
        let stuck = Gate(opensAt: .max)
        let begun = Gate(opensAt: 2)
        let causes = Locked<[Cause]>([])
        let ends = Locked<[String]>([])
        let begin = ContinuousClock.now
        pool.submit(host: "a") { slot in
            let handler = slot.token.onCancel { cause in causes.withLock { $0.append(cause) } }
            await begun.pass()
            // Ignore the token, as a bug would.
            await stuck.pass(countingIn: false)
            withExtendedLifetime(handler) {}
            ends.withLock { $0.append("late") }
        } dropped: { failure in
            ends.withLock { $0.append("\(failure.cause): \(failure.detail)") }
        }
        pool.submit(host: "b") { _ in
            ends.withLock { $0.append("next") }
        } dropped: { _ in
        }
        await begun.pass()
        pool.endOverdue(after: limit, now: begin + limit - .seconds(1))
        #expect(causes.withLock { $0 } == [])
        pool.endOverdue(after: limit, now: .now + limit)
        #expect(causes.withLock { $0 } == [.internal])
        #expect(ends.withLock { $0 } == [], "the item has a grace period of ten seconds")
        pool.endOverdue(after: limit, now: .now + limit + WorkPool.gracePeriod)
        await pool.waitUntilIdle()
        #expect(ends.withLock { $0 } == ["internal: \(WorkPool.stuckDetail)", "next"])
        stuck.open()
        while ends.withLock({ $0.count }) < 3 { await Task.yield() }
        // The stuck item's own end, when it finally comes, has no effect.
        pool.submit(host: "a") { _ in
            ends.withLock { $0.append("still a pool") }
        } dropped: { _ in
        }
        await pool.waitUntilIdle()
        #expect(ends.withLock { $0.last } == "still a pool")
    }

    @Test("An item that the watchdog has ended fails when it asks for another slot")
    func lateRequest() async {
        let pool = WorkPool(width: 1, backlog: 10)
        let begun = Gate(opensAt: 2)
        let late = Gate(opensAt: .max)
        let ends = Locked<[Failure]>([])
        pool.submit(host: "a") { slot in
            await begun.pass()
            await late.pass(countingIn: false)
            do throws(Failure) { try await slot.wait(for: .seconds(1)) } catch { ends.withLock { $0.append(error) } }
        } dropped: { failure in
            ends.withLock { $0.append(failure) }
        }
        await begun.pass()
        for delay in [.zero, WorkPool.gracePeriod] { pool.endOverdue(after: limit, now: .now + limit + delay) }
        await pool.waitUntilIdle()
        late.open()
        while ends.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(ends.withLock { $0.map(\.cause) } == [.internal, .internal])
    }

    /// The watchdog ran every 28 seconds, and counted the grace period from the limit: it cancelled and ended at once.
    @Test("However late the watchdog runs, a cancelled item has the whole grace period to end")
    func grace() async {
        let pool = WorkPool(width: 1, backlog: 10)
        let begun = Gate(opensAt: 2)
        let ends = Locked<[String]>([])
        pool.submit(host: "a") { slot in
            let cancelled = Gate(slot.token)
            await begun.pass()
            await cancelled.pass()
            ends.withLock { $0.append("ended by itself") }
        } dropped: { failure in
            ends.withLock { $0.append("\(failure.cause)") }
        }
        await begun.pass()
        pool.endOverdue(after: limit, now: .now + limit + WorkPool.gracePeriod * 3)
        await pool.waitUntilIdle()
        #expect(ends.withLock { $0 } == ["ended by itself"])
        #expect(WorkPool.watchInterval(for: .seconds(560)) <= WorkPool.gracePeriod / 4)
    }
}
