// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// Time is what the test says: nothing here waits for a clock.
@Suite("Watchdog", .timeLimit(.minutes(10))) struct WatchdogTests {
    private let limit = Duration.seconds(300)

    @Test("An item that no deadline ended is called off, and then ended as internal in its place; others go on")
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
            // It heeds no token: a bug.
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
        #expect(ends.withLock { $0 } == [], "it has ten seconds to heed that")
        pool.endOverdue(after: limit, now: .now + limit + WorkPool.grace)
        await pool.drained()
        #expect(ends.withLock { $0 } == ["internal: \(WorkPool.stuck)", "next"])
        stuck.open()
        while ends.withLock({ $0.count }) < 3 { await Task.yield() }
        // Its own end, when it comes at last, takes nothing from anybody.
        pool.submit(host: "a") { _ in
            ends.withLock { $0.append("still a pool") }
        } dropped: { _ in
        }
        await pool.drained()
        #expect(ends.withLock { $0.last } == "still a pool")
    }

    @Test("An item that heeds its token ends by itself, and asks for nothing more when it was ended in its place")
    func heeding() async {
        let pool = WorkPool(width: 1, backlog: 10)
        let begun = Gate(opensAt: 2)
        let late = Gate(opensAt: .max)
        let ends = Locked<[Failure]>([])
        pool.submit(host: "a") { slot in
            await begun.pass()
            await late.pass(countingIn: false)
            do throws(Failure) { try await slot.rest(for: .seconds(1)) } catch { ends.withLock { $0.append(error) } }
        } dropped: { failure in
            ends.withLock { $0.append(failure) }
        }
        await begun.pass()
        pool.endOverdue(after: limit, now: .now + limit + WorkPool.grace)
        await pool.drained()
        late.open()
        while ends.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(ends.withLock { $0.map(\.cause) } == [.internal, .internal])
    }
}
