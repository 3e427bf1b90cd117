// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@Suite("Work pool", .timeLimit(.minutes(10))) struct WorkPoolTests {
    /// What items did, seen from outside.
    private struct Log {
        var running = 0
        var peak = 0
        var finished: [Int] = []
        var dropped: [Int] = []
    }

    @Test("The width is kept, and it is reached", arguments: [1, 4, 300])
    func width(width: Int) async {
        let pool = WorkPool(width: width, perHost: width, backlog: 1000)
        let log = Locked(Log())
        let gate = Gate(opensAt: width)
        for id in 0..<(width * 2) {
            pool.submit(host: "a", token: Token()) { _ in
                log.withLock { log in
                    log.running += 1
                    log.peak = max(log.peak, log.running)
                }
                // Nobody passes before as many have come as the pool is wide: only a pool that wide can end.
                await gate.pass()
                log.withLock { log in
                    log.running -= 1
                    log.finished.append(id)
                }
            } dropped: { _ in
            }
        }
        await pool.drained()
        #expect(log.withLock { $0.peak } == width)
        #expect(log.withLock { $0.finished.sorted() } == Array(0..<(width * 2)))
    }

    @Test("A cancelled item that waits never runs; each item ends once")
    func cancelWaiting() async {
        let pool = WorkPool(width: 1, perHost: 1, backlog: 100)
        let log = Locked(Log())
        let gate = Gate(opensAt: 1_000)
        let tokens = (0..<10).map { _ in Token() }
        for (id, token) in tokens.enumerated() {
            pool.submit(host: "a", token: token) { _ in
                if id == 0 { await gate.pass() }
                log.withLock { $0.finished.append(id) }
            } dropped: { cause in
                log.withLock { $0.dropped.append(cause == .policy ? id : -1) }
            }
        }
        for id in [3, 5, 7] { tokens[id].cancel(.policy) }
        tokens[3].cancel(.policy)
        #expect(log.withLock { $0.dropped } == [3, 5, 7], "at once, while the first still runs")
        gate.open()
        await pool.drained()
        #expect(log.withLock { $0.finished } == [0, 1, 2, 4, 6, 8, 9])
    }

    @Test("An item whose token is cancelled already is dropped, or ends by its token")
    func bornCancelled() async {
        let pool = WorkPool(width: 2, perHost: 2, backlog: 10)
        let ends = Locked(0)
        let run = Token()
        run.cancel()
        for _ in 0..<10 {
            pool.submit(host: "a", token: Token(below: run)) { _ in
                ends.withLock { $0 += 1 }
            } dropped: { _ in
                ends.withLock { $0 += 1 }
            }
        }
        await pool.drained()
        #expect(ends.withLock { $0 } == 10)
    }

    @Test("Cancelling the run ends what waits and tells what runs, and the pool drains")
    func cancelRun() async {
        let pool = WorkPool(width: 3, perHost: 3, backlog: 1000)
        let run = Token()
        let log = Locked(Log())
        let started = Gate(opensAt: 3)
        for id in 0..<200 {
            let token = Token(below: run)
            pool.submit(host: "\(id % 5)", token: token) { _ in
                await started.pass()
                await Gate(token).pass()
                log.withLock { $0.finished.append(id) }
            } dropped: { _ in
                log.withLock { $0.dropped.append(id) }
            }
        }
        await started.pass(countingIn: false)
        run.cancel()
        await pool.drained()
        let (finished, dropped) = log.withLock { ($0.finished, $0.dropped) }
        #expect(finished.count == 3)
        #expect((finished + dropped).sorted() == Array(0..<200))
    }

    @Test("The backlog lets nobody pass until it has room")
    func room() async {
        let pool = WorkPool(width: 1, perHost: 1, backlog: 1)
        let gate = Gate(opensAt: 1_000)
        for _ in 0..<2 {
            pool.submit(host: "a", token: Token()) { _ in
                await gate.pass()
            } dropped: { _ in
            }
        }
        let passed = Locked(false)
        let waiter = Task {
            await pool.room()
            passed.withLock { $0 = true }
        }
        #expect(!passed.withLock { $0 })
        gate.open()
        await waiter.value
        #expect(passed.withLock { $0 })
        await pool.drained()
    }

    @Test("An item that leaves its host lets the host's next one in")
    func leaveHost() async {
        let pool = WorkPool(width: 2, perHost: 1, backlog: 10)
        let second = Gate(opensAt: 1)
        pool.submit(host: "a", token: Token()) { slot in
            slot.leaveHost()
            // Only the second item opens this gate, so it must run beside the first.
            await second.pass(countingIn: false)
        } dropped: { _ in
        }
        pool.submit(host: "a", token: Token()) { _ in
            await second.pass()
        } dropped: { _ in
        }
        await pool.drained()
    }
}
