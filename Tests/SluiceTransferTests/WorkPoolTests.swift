// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@Suite("Work pool", .timeLimit(.minutes(10))) struct WorkPoolTests {
    private struct Log {
        var running = 0
        var peak = 0
        var finished: [Int] = []
        var dropped: [Int] = []
    }

    @Test("Exactly as many items as slots run at the same time", arguments: [1, 4, 300])
    func width(width: Int) async {
        let pool = WorkPool(width: width, backlog: 1000, hosts: HostRules(perHost: width))
        let log = Locked(Log())
        let gate = Gate(opensAt: width)
        for id in 0..<(width * 2) {
            pool.submit(host: "a") { _ in
                log.withLock { log in
                    log.running += 1
                    log.peak = max(log.peak, log.running)
                }
                // The gate opens when as many items have arrived as there are slots.
                await gate.pass()
                log.withLock { log in
                    log.running -= 1
                    log.finished.append(id)
                }
            } dropped: { _ in
            }
        }
        await pool.waitUntilIdle()
        #expect(log.withLock { $0.peak } == width)
        #expect(log.withLock { $0.finished.sorted() } == Array(0..<(width * 2)))
    }

    @Test("A waiting item that is cancelled never runs, and each item ends once")
    func cancelWaiting() async {
        let pool = WorkPool(width: 1, backlog: 100, hosts: HostRules(perHost: 1))
        let log = Locked(Log())
        let gate = Gate(opensAt: 1_000)
        let ids = (0..<10).map { id in
            pool.submit(host: "a") { _ in
                if id == 0 { await gate.pass() }
                log.withLock { $0.finished.append(id) }
            } dropped: { failure in
                log.withLock { $0.dropped.append(failure.cause == .policy ? id : -1) }
            }
        }
        for id in [3, 5, 7, 3] { pool.cancel(ids[id], .policy) }
        #expect(log.withLock { $0.dropped } == [3, 5, 7], "immediately, while the first still runs")
        gate.open()
        await pool.waitUntilIdle()
        #expect(log.withLock { $0.finished } == [0, 1, 2, 4, 6, 8, 9])
    }

    @Test("After a drain no item starts, even if a slot is free and the item is submitted later")
    func drained() async {
        let pool = WorkPool(width: 2, backlog: 10, hosts: HostRules(perHost: 1))
        let log = Locked(Log())
        let gate = Gate(opensAt: 1_000)
        func submit(_ id: Int, host: String) {
            pool.submit(host: host) { _ in
                await gate.pass()
                log.withLock { $0.finished.append(id) }
            } dropped: { failure in
                log.withLock { $0.dropped.append(failure.cause == .cancelled ? id : -1) }
            }
        }
        for id in 0..<2 { submit(id, host: "a") }
        pool.drain()
        #expect(log.withLock { $0.dropped } == [1])
        submit(2, host: "b")
        #expect(log.withLock { $0.dropped } == [1, 2], "immediately, although a slot is free")
        gate.open()
        await pool.waitUntilIdle()
        #expect(log.withLock { $0.finished } == [0])
    }

    @Test("Items submitted after cancellation end")
    func submitAfterCancel() async {
        let ends = Locked(0)
        let run = CancellationToken()
        run.cancel()
        let pool = WorkPool(width: 2, backlog: 10, hosts: HostRules(perHost: 2), token: run)
        for _ in 0..<10 {
            pool.submit(host: "a") { _ in
                ends.withLock { $0 += 1 }
            } dropped: { _ in
                ends.withLock { $0 += 1 }
            }
        }
        await pool.waitUntilIdle()
        #expect(ends.withLock { $0 } == 10)
    }

    @Test("Cancelling the run drops waiting items and cancels running ones")
    func cancelRun() async {
        let run = CancellationToken()
        let pool = WorkPool(width: 3, backlog: 1000, hosts: HostRules(perHost: 3), token: run)
        let log = Locked(Log())
        let started = Gate(opensAt: 3)
        for id in 0..<200 {
            pool.submit(host: "\(id % 5)") { slot in
                await started.pass()
                await Gate(slot.token).pass()
                log.withLock { $0.finished.append(id) }
            } dropped: { _ in
                log.withLock { $0.dropped.append(id) }
            }
        }
        await started.pass(countingIn: false)
        run.cancel()
        await pool.waitUntilIdle()
        let (finished, dropped) = log.withLock { ($0.finished, $0.dropped) }
        #expect(finished.count == 3)
        #expect((finished + dropped).sorted() == Array(0..<200))
    }

    @Test("Cancelling one item or one host affects no other items")
    func cancelOne() async {
        let pool = WorkPool(width: 500, backlog: 1000, hosts: HostRules(perHost: 500))
        let started = Gate(opensAt: 500)
        let gates = Locked<[Gate]>([])
        let ended = Locked<[Int]>([])
        let some = Gate(opensAt: 101)
        let ids = (0..<500).map { id in
            pool.submit(host: "\(id % 5)") { slot in
                let gate = Gate(slot.token)
                gates.withLock { $0.append(gate) }
                await started.pass()
                await gate.pass()
                ended.withLock { $0.append(id) }
                await some.pass()
            } dropped: { _ in
            }
        }
        await started.pass(countingIn: false)
        pool.cancel(ids[7])
        pool.cancel(host: "3")
        await some.pass(countingIn: false)
        #expect(ended.withLock { $0.sorted() } == (0..<500).filter { $0 == 7 || $0 % 5 == 3 })
        for gate in gates.withLock({ $0 }) { gate.open() }
        await pool.waitUntilIdle()
        #expect(ended.withLock { $0.count } == 500)
    }

    @Test("Waiting for room returns when the backlog has room")
    func room() async {
        let pool = WorkPool(width: 1, backlog: 1, hosts: HostRules(perHost: 1))
        let gate = Gate(opensAt: 1_000)
        for _ in 0..<2 {
            pool.submit(host: "a") { _ in
                await gate.pass()
            } dropped: { _ in
            }
        }
        let passed = Locked(false)
        let waiter = Task {
            await pool.waitForRoom()
            passed.withLock { $0 = true }
        }
        #expect(!passed.withLock { $0 })
        gate.open()
        await waiter.value
        #expect(passed.withLock { $0 })
        await pool.waitUntilIdle()
    }

    @Test("Releasing a host starts the host's next item")
    func releaseHost() async {
        let pool = WorkPool(width: 2, backlog: 10, hosts: HostRules(perHost: 1))
        let second = Gate(opensAt: 1)
        pool.submit(host: "a") { slot in
            slot.releaseHost()
            // Only the second item opens this gate, so both must run concurrently.
            await second.pass(countingIn: false)
        } dropped: { _ in
        }
        pool.submit(host: "a") { _ in
            await second.pass()
        } dropped: { _ in
        }
        await pool.waitUntilIdle()
    }
}
