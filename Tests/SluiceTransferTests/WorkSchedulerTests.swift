// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceTransfer

@Suite("Work scheduler", .timeLimit(.minutes(10))) struct WorkSchedulerTests {
    private let start = ContinuousClock.now

    private func scheduler(width: Int, perHost: Int, backlog: Int = 10) -> WorkScheduler {
        WorkScheduler(width: width, backlog: backlog, rules: HostRules(perHost: perHost))
    }

    @Test("Items of a host start in order, and hosts alternate")
    func turns() {
        var scheduler = scheduler(width: 1, perHost: 1)
        #expect(scheduler.add(1, host: "a", now: start) == [.start(1)])
        for (id, host) in [(2, "a"), (3, "a"), (4, "b"), (5, "c")] {
            #expect(scheduler.add(id, host: host, now: start) == [])
        }
        var order: [Int] = []
        var running = 1
        for _ in 0..<4 {
            let actions = scheduler.end(running, now: start)
            guard case .start(let next)? = actions.first else { break }
            order.append(next)
            running = next
        }
        #expect(order == [4, 5, 2, 3], "a's long queue delays neither b nor c")
    }

    @Test("The host with the fewest slots is next, and an open connection breaks ties")
    func fewestFirst() {
        var scheduler = scheduler(width: 4, perHost: 4)
        for id in 1...4 { _ = scheduler.add(id, host: "slow", now: start) }
        for id in 5...7 { _ = scheduler.add(id, host: "slow", now: start) }
        for id in 11...14 { _ = scheduler.add(id, host: "a", now: start) }
        for id in 21...24 { _ = scheduler.add(id, host: "b", now: start) }
        #expect(scheduler.end(1, now: start) == [.start(11)])
        #expect(scheduler.end(2, now: start) == [.start(21)], "before a gets its second slot")
        #expect(scheduler.end(21, now: start) == [.start(22)], "all others have one slot")
        #expect(scheduler.end(3, now: start) == [.start(5)], "all have one slot, and its connection is open")
        #expect(scheduler.end(11, now: start) == [.start(12)])
        #expect(scheduler.end(5, now: start) == [.start(6)])
    }

    /// A silent host took half of the slots until its timeout.
    @Test("A new host gets few slots, and each item that ends without a failure doubles them")
    func slowStart() {
        var rules = HostRules(perHost: 8)
        rules.firstSlots = 2
        var scheduler = WorkScheduler(width: 10, backlog: 50, rules: rules)
        var running: [String: Set<Int>] = [:]
        func start(_ actions: [WorkScheduler.Action]) {
            for case .start(let id) in actions { running[id < 100 ? "silent" : "good", default: []].insert(id) }
        }
        for id in 1...20 { start(scheduler.add(id, host: "silent", now: self.start)) }
        for id in 101...140 { start(scheduler.add(id, host: "good", now: self.start)) }
        for (ended, slots) in [(101, 2), (102, 4), (103, 8), (104, 8)] {
            #expect(running["silent"] == [1, 2] && running["good"]?.count == slots, "before \(ended) ends")
            running["good"]?.remove(ended)
            start(scheduler.end(ended, now: self.start))
        }
        // A timeout is no answer, so the host keeps its two slots.
        let failure = Failure(.timeout, "")
        _ = scheduler.recordFailure(of: "silent", failure, retry: RetryPolicy(), now: self.start)
        #expect(scheduler.end(1, now: self.start) == [.start(3)])
        #expect(scheduler.end(105, now: self.start) == [.start(113)])
    }

    @Test("While waiting items cannot use the free slots, more items are accepted up to the lookahead")
    func lookahead() {
        var scheduler = WorkScheduler(width: 3, backlog: 2, lookahead: 30, rules: HostRules(perHost: 1))
        for id in 1...3 { _ = scheduler.add(id, host: "slow", now: start) }
        #expect(scheduler.hasRoom && scheduler.waiting == 2 && !scheduler.isFull)
        #expect(scheduler.add(4, host: "quick", now: start) == [.start(4)])
        #expect(scheduler.add(5, host: "other", now: start) == [.start(5)])
        #expect(!scheduler.hasRoom, "all slots are in use")
        _ = scheduler.end(5, now: start)
        for id in 6... {
            guard scheduler.hasRoom else { break }
            _ = scheduler.add(id, host: "slow", now: start)
        }
        #expect(scheduler.waiting == 30)
    }

    @Test("Widening starts waiting items, and narrowing lets running items continue")
    func resizing() {
        var scheduler = scheduler(width: 1, perHost: 6, backlog: 1)
        for id in 1...5 { _ = scheduler.add(id, host: "a", now: start) }
        #expect(scheduler.isFull && !scheduler.hasRoom)
        #expect(scheduler.resize(to: 3, backlog: 3, now: start) == [.start(2), .start(3)])
        #expect(scheduler.isFull && scheduler.hasRoom)
        #expect(scheduler.resize(to: 1, backlog: 1, now: start) == [])
        #expect(scheduler.end(1, now: start) == [] && scheduler.end(2, now: start) == [])
        #expect(scheduler.isFull && scheduler.running == 1)
        #expect(scheduler.end(3, now: start) == [.start(4)])
    }

    @Test("Items that hold a slot for too long are overdue; sleeping and waiting items are not")
    func overdue() {
        var scheduler = scheduler(width: 2, perHost: 2)
        for id in 1...3 { _ = scheduler.add(id, host: "a", now: start) }
        let limit = Duration.seconds(60)
        #expect(scheduler.overdue(after: limit, now: start + .seconds(59)) == [])
        _ = scheduler.sleep(1, until: start + .seconds(200), now: start + .seconds(30))
        #expect(scheduler.overdue(after: limit, now: start + .seconds(60)) == [2], "the third item started later")
        #expect(scheduler.overdue(after: limit, now: start + .seconds(90)) == [2, 3])
        _ = scheduler.end(2, now: start + .seconds(90))
        _ = scheduler.processDeadlines(now: start + .seconds(200))
        #expect(scheduler.overdue(after: limit, now: start + .seconds(210)) == [3])
    }

    /// The pool asked for the overdue items and released their slots later: an item that slept by then crashed the run.
    @Test("An overdue item that gives up its slot is not evicted, and one that is evicted gets no slot again")
    func eviction() {
        var scheduler = scheduler(width: 2, perHost: 2)
        for id in 1...3 { _ = scheduler.add(id, host: "a", now: start) }
        let stuck = Failure(.internal, "stuck")
        let check = { (scheduler: inout WorkScheduler, seconds: Int) in
            scheduler.endOverdue(
                after: .seconds(60), gracePeriod: .seconds(10), stuck, now: start + .seconds(seconds))
        }
        #expect(check(&scheduler, 59) == [])
        #expect(check(&scheduler, 90) == [.cancel(1), .cancel(2)])
        #expect(check(&scheduler, 99) == [])
        #expect(scheduler.sleep(1, until: nil, now: start + .seconds(99)) == [.start(3)])
        #expect(check(&scheduler, 100) == [.evict(2, stuck)])
        #expect(scheduler.running == 1)
        #expect(scheduler.sleep(2, until: nil, now: start + .seconds(100)) == [.abandon(2, stuck)])
        #expect(scheduler.wake(1, now: start + .seconds(100)) == [.resume(1)])
        for id in 1...3 { _ = scheduler.end(id, now: start + .seconds(101)) }
        #expect(scheduler.running == 0 && scheduler.inFlight == 0)
    }

    @Test("Priority orders items within a host and does not affect other hosts")
    func priorities() {
        var scheduler = scheduler(width: 1, perHost: 1)
        _ = scheduler.add(1, host: "a", now: start)
        for (id, host, rank) in [
            (2, "a", HostQueue.Rank.low), (3, "a", .normal), (4, "a", .high), (5, "a", .high), (6, "b", .low),
        ] { _ = scheduler.add(id, host: host, rank: rank, now: start) }
        var order: [Int] = []
        var running = 1
        while case .start(let next)? = scheduler.end(running, now: start).first {
            order.append(next)
            running = next
        }
        #expect(order == [6, 4, 5, 3, 2])
    }

    @Test("A host's slots are limited, and one can be released before the item ends")
    func hosts() {
        var scheduler = scheduler(width: 4, perHost: 1)
        #expect(scheduler.add(1, host: "a", now: start) == [.start(1)])
        #expect(scheduler.add(2, host: "a", now: start) == [])
        #expect(scheduler.releaseHost(1, now: start) == [.start(2)])
        #expect(scheduler.releaseHost(1, now: start) == [], "it has left already")
        #expect(scheduler.running == 2)
        #expect(scheduler.end(1, now: start) == [])
        #expect(scheduler.end(2, now: start) == [])
    }

    @Test("A waiting item can be cancelled, and a running one is left to its token")
    func cancelling() {
        let cancelled = Failure(.cancelled, "")
        var scheduler = scheduler(width: 1, perHost: 6, backlog: 2)
        _ = scheduler.add(1, host: "a", now: start)
        _ = scheduler.add(2, host: "a", now: start)
        _ = scheduler.add(3, host: "b", now: start)
        #expect(!scheduler.hasRoom)
        #expect(scheduler.cancel(2, cancelled, now: start) == [.drop(2, cancelled)])
        #expect(scheduler.hasRoom)
        #expect(scheduler.cancel(2, cancelled, now: start) == [] && scheduler.cancel(1, cancelled, now: start) == [])
        #expect(scheduler.end(1, now: start) == [.start(3)])
    }

    @Test("A sleeping item frees its slot, and returns to the front of the queue")
    func sleeping() {
        var scheduler = scheduler(width: 1, perHost: 1)
        _ = scheduler.add(1, host: "a", now: start)
        _ = scheduler.add(2, host: "a", now: start)
        _ = scheduler.add(3, host: "a", now: start)
        let later = start + .seconds(2)
        #expect(scheduler.sleep(1, until: later, now: start) == [.start(2)])
        #expect(scheduler.nextDeadline == later)
        #expect(scheduler.processDeadlines(now: start) == [] && scheduler.processDeadlines(now: later) == [])
        #expect(scheduler.end(2, now: later) == [.resume(1)])
        #expect(scheduler.nextDeadline == nil)
        #expect(scheduler.end(1, now: later) == [.start(3)])
    }

    @Test("An item that moves to another host frees its slot and waits for one there")
    func changingHosts() {
        var scheduler = scheduler(width: 2, perHost: 1)
        _ = scheduler.add(1, host: "a", now: start)
        _ = scheduler.add(2, host: "b", now: start)
        _ = scheduler.add(3, host: "a", now: start)
        #expect(scheduler.move(1, toHost: "b", now: start) == [.start(3)])
        #expect(scheduler.end(2, now: start) == [.resume(1)])
        #expect(scheduler.holdsSlot(1, of: "b") && !scheduler.holdsSlot(1, of: "a"))
    }

    @Test("There are at most as many sleeping items as slots")
    func bounded() {
        var scheduler = scheduler(width: 2, perHost: 2, backlog: 100)
        var started = 0
        for id in 1...10 {
            for case .start(let id) in scheduler.add(id, host: "\(id)", now: start) {
                started += 1
                started += scheduler.sleep(id, until: start + .seconds(9), now: start).count
            }
        }
        #expect(started == 4 && scheduler.inFlight == 4)
        #expect(scheduler.processDeadlines(now: start + .seconds(9)).count == 2)
    }

    @Test("A paused host starts no items until its pause ends, and other hosts continue")
    func paused() {
        var scheduler = scheduler(width: 3, perHost: 1)
        for (id, host) in [(1, "a"), (2, "a"), (3, "b"), (4, "b")] { _ = scheduler.add(id, host: host, now: start) }
        var busy = Failure(.httpTooManyRequests, "", status: 429)
        busy.retryAfter = .seconds(42)
        #expect(scheduler.recordFailure(of: "a", busy, retry: RetryPolicy(), now: start).0 == .paused(.seconds(42)))
        #expect(scheduler.end(1, now: start) == [], "item 2 waits for its host")
        #expect(scheduler.end(3, now: start) == [.start(4)])
        #expect(scheduler.nextDeadline == start + .seconds(42))
        #expect(scheduler.processDeadlines(now: start + .seconds(41)) == [])
        #expect(scheduler.processDeadlines(now: start + .seconds(42)) == [.start(2)])
        #expect(scheduler.nextDeadline == nil)
    }

    @Test("A host that keeps failing is paused, tested with single items, and then given up")
    func givenUp() {
        var scheduler = scheduler(width: 6, perHost: 6, backlog: 100)
        for id in 1...9 { _ = scheduler.add(id, host: "a", now: start) }
        let refused = Failure(.connect, "refused")
        var now = start
        for _ in 1...4 { #expect(scheduler.recordFailure(of: "a", refused, retry: RetryPolicy(), now: now).0 == .none) }
        for pause in [Duration.seconds(10), .seconds(20)] {
            let isFirst = pause == .seconds(10)
            #expect(scheduler.recordFailure(of: "a", refused, retry: RetryPolicy(), now: now).0 == .paused(pause))
            for id in 1...6 where isFirst { _ = scheduler.sleep(id, until: now, now: now) }
            now += pause
            #expect(scheduler.processDeadlines(now: now).count == (isFirst ? 1 : 0), "one at a time")
        }
        let (reaction, actions) = scheduler.recordFailure(of: "a", refused, retry: RetryPolicy(), now: now)
        guard case .givenUp(let refusal) = reaction else { return #expect(Bool(false), "\(reaction)") }
        #expect(refusal.cause == .connect && refusal.detail.hasSuffix("times in a row"))
        #expect(Set(actions).isSuperset(of: (7...9).map { .drop($0, refusal) }))
        #expect(Set(actions).isSuperset(of: (2...6).map { .abandon($0, refusal) }))
        for id in 1...6 { _ = scheduler.end(id, now: now) }
        #expect(scheduler.inFlight == 0 && scheduler.waiting == 0)
        #expect(scheduler.add(10, host: "a", now: now) == [.drop(10, refusal)])
    }

    @Test("The interval applies to all requests, including those without a slot")
    func interval() {
        var rules = HostRules(perHost: 6)
        rules.interval = .seconds(1)
        var scheduler = WorkScheduler(width: 6, backlog: 10, rules: rules)
        #expect(scheduler.add(1, host: "a", now: start) == [.start(1)])
        #expect(scheduler.add(2, host: "a", now: start) == [])
        #expect(scheduler.add(3, host: "b", now: start) == [.start(3)])
        #expect(scheduler.reserveRequest(to: "a", now: start) == start + .seconds(1))
        #expect(scheduler.nextDeadline == start + .seconds(2), "the page took the item's time")
        #expect(scheduler.processDeadlines(now: start + .seconds(1)) == [])
        #expect(scheduler.processDeadlines(now: start + .seconds(2)) == [.start(2)])
    }

    @Test("With random events, limits hold, each item ends once, and no host starves", arguments: [1, 2, 3, 4])
    func randomEvents(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var model = RandomRun(
            width: Int.random(in: 1...9, using: &random), perHost: Int.random(in: 1...4, using: &random))
        for _ in 0..<250_000 { model.step(&random) }
        model.finish()
        #expect(model.problems == [])
        #expect(model.added == model.ended)
        #expect(model.sleeps > 1000 && model.pauses > 100 && model.evictions > 10, "the run had enough events")
    }
}
