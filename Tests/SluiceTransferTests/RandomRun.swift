// SPDX-License-Identifier: MIT

import SluiceModel

@testable import SluiceTransfer

/// Drives a scheduler with random events, and checks its guarantees after each one.
struct RandomRun {
    /// The expected state of an item; the number is its host.
    private enum ItemState: Hashable {
        case waiting(Int)
        /// `nil` after the host was released.
        case running(Int?)
        /// The item has started and waits without a slot.
        case suspended(Int)
        case ending
    }

    let width: Int
    let perHost: Int
    private(set) var problems: [String] = []
    private(set) var added = 0
    private(set) var ended = 0
    private(set) var sleeps = 0
    private(set) var pauses = 0
    private(set) var evictions = 0
    private var scheduler: WorkScheduler
    private var now = ContinuousClock.now
    private var items: [Int: ItemState] = [:]
    private var paused: [Int: ContinuousClock.Instant] = [:]
    private var givenUp: Set<Int> = []
    /// Items that sleep until they are woken.
    private var asleep: Set<Int> = []
    /// How many items of other hosts started while a host without a slot could have got one.
    private var passedOver: [Int: Int] = [:]

    init(width: Int, perHost: Int) {
        (self.width, self.perHost) = (width, perHost)
        scheduler = WorkScheduler(width: width, backlog: 4, lookahead: 50, rules: HostRules(perHost: perHost))
    }

    mutating func step(_ random: inout SplitMix64) {
        // A few hosts have most of the items. New hosts appear from time to time, so that some can be given up.
        let host = Int.random(in: 0..<8, using: &random) * Int.random(in: 0..<2, using: &random) + added / 20_000 * 8
        switch Int.random(in: 0..<17, using: &random) {
        case 0..<6 where scheduler.hasRoom: add(host, &random)
        case 6..<9: if let id = pick(running, &random) { end(id) }
        case 9: if let id = pick(running, &random) { releaseHost(id) }
        case 10: if let id = pick(running, &random) { sleep(id, &random) }
        case 11:
            if let id = pick(running, &random) { move(id, host) }
            if let id = pick(asleep.sorted(), &random), Bool.random(using: &random) { wake(id) }
        case 12: fail(host, &random)
        case 13: if let id = pick(Array(items.keys), &random) { cancel(id) }
        case 14: if let id = pick(items.keys.filter { items[$0] == .ending }, &random) { end(id) }
        case 15: endOverdue()
        default:
            now += .milliseconds(Int.random(in: 0...200, using: &random))
            processDeadlines()
        }
    }

    mutating func finish() {
        while !items.isEmpty, problems.isEmpty {
            if let id = items.first(where: { if case .running = $0.value { true } else { $0.value == .ending } })?.key {
                end(id)
            } else if let id = asleep.first {
                wake(id)
            } else if let deadline = scheduler.nextDeadline {
                now = max(now, deadline)
                processDeadlines()
            } else {
                problems.append("\(items.count) items wait, and no deadline is set")
            }
        }
        if scheduler.running != 0 || scheduler.waiting != 0 || scheduler.inFlight != 0 {
            problems.append("the counts are wrong at the end")
        }
        if scheduler.nextDeadline != nil { problems.append("a deadline is set without items") }
    }

    private func pick(_ ids: [Int], _ random: inout SplitMix64) -> Int? { ids.sorted().randomElement(using: &random) }

    private var running: [Int] { items.keys.filter { if case .running = items[$0] { true } else { false } } }

    private func slots(of host: Int) -> Int { items.values.count { $0 == .running(host) } }
}

// MARK: Events

extension RandomRun {
    private mutating func add(_ host: Int, _ random: inout SplitMix64) {
        added += 1
        items[added] = .waiting(host)
        let ranks: [HostQueue.Rank] = [.low, .normal, .normal, .high]
        apply(scheduler.add(added, host: "\(host)", rank: ranks.randomElement(using: &random) ?? .normal, now: now))
    }

    private mutating func end(_ id: Int) {
        items[id] = nil
        ended += 1
        apply(scheduler.end(id, now: now))
    }

    private mutating func releaseHost(_ id: Int) {
        items[id] = .running(nil)
        apply(scheduler.releaseHost(id, now: now))
    }

    private mutating func sleep(_ id: Int, _ random: inout SplitMix64) {
        guard case .running(let host?) = items[id] else { return }
        sleeps += 1
        items[id] = .suspended(host)
        // Some items sleep until a time, others until they are woken.
        let isTimed = Int.random(in: 0..<4, using: &random) > 0
        let end = isTimed ? now + .milliseconds(Int.random(in: 0...500, using: &random)) : nil
        if !isTimed { asleep.insert(id) }
        apply(scheduler.sleep(id, until: end, now: now))
    }

    private mutating func wake(_ id: Int) {
        asleep.remove(id)
        apply(scheduler.wake(id, now: now))
    }

    private mutating func move(_ id: Int, _ host: Int) {
        guard !scheduler.holdsSlot(id, of: "\(host)") else { return }
        items[id] = .suspended(host)
        apply(scheduler.move(id, toHost: "\(host)", now: now))
    }

    private mutating func fail(_ host: Int, _ random: inout SplitMix64) {
        // Only a host with a running item can fail; most answer again before they are given up.
        guard slots(of: host) > 0 else { return }
        if Int.random(in: 0..<3, using: &random) > 0 {
            return apply(scheduler.recordSuccess(of: "\(host)", begun: now, now: now))
        }
        var failure = Failure(Bool.random(using: &random) ? .connect : .httpTooManyRequests, "")
        if Bool.random(using: &random) { failure.retryAfter = .milliseconds(Int.random(in: 0...900, using: &random)) }
        let (reaction, actions) = scheduler.recordFailure(of: "\(host)", failure, retry: RetryPolicy(), now: now)
        switch reaction {
        case .none, .probed, .addressRefused: break
        case .paused(let duration):
            pauses += 1
            paused[host] = max(paused[host] ?? now, now + duration)
        case .givenUp: givenUp.insert(host)
        }
        apply(actions)
    }

    private mutating func cancel(_ id: Int) {
        let actions = scheduler.cancel(id, Failure(.cancelled, ""), now: now)
        if case .running = items[id], !actions.isEmpty { problems.append("\(id) was cancelled while it ran") }
        apply(actions)
    }

    private mutating func endOverdue() {
        let stuck = Failure(.internal, "stuck")
        apply(scheduler.endOverdue(after: .milliseconds(500), gracePeriod: .milliseconds(100), stuck, now: now))
    }

    private mutating func processDeadlines() { apply(scheduler.processDeadlines(now: now)) }
}

// MARK: Guarantees

extension RandomRun {
    private mutating func apply(_ actions: [WorkScheduler.Action]) {
        for action in actions {
            switch action {
            case .start(let id):
                guard case .waiting(let host) = items[id] else { return problems.append("\(id) started twice") }
                checkStart(id, host)
            case .resume(let id):
                guard case .suspended(let host) = items[id] else {
                    return problems.append("\(id) resumed without being suspended")
                }
                checkStart(id, host)
            case .drop(let id, _):
                guard case .waiting = items.removeValue(forKey: id) else {
                    return problems.append("\(id) was dropped, but was not waiting")
                }
                ended += 1
            case .abandon(let id, _):
                guard case .suspended = items[id] else { return problems.append("\(id) was abandoned, but has a slot") }
                items[id] = .ending
                asleep.remove(id)
            case .cancel(let id):
                guard case .running = items[id] else { return problems.append("\(id) is overdue without a slot") }
            case .evict(let id, _):
                guard case .running = items[id] else { return problems.append("\(id) was evicted without a slot") }
                evictions += 1
                items[id] = .ending
            }
        }
        check()
    }

    private mutating func checkStart(_ id: Int, _ host: Int) {
        let eligible = eligible
        if eligible.contains(where: { slots(of: $0) < slots(of: host) }) {
            problems.append("host \(host) has more slots than another eligible host")
        }
        items[id] = .running(host)
        if let end = paused[host], end > now { problems.append("host \(host) was requested during its pause") }
        if givenUp.contains(host) { problems.append("host \(host) was requested after it was given up") }
        passedOver[host] = nil
        for other in eligible where slots(of: other) == 0 {
            passedOver[other, default: 0] += 1
            if passedOver[other, default: 0] > 9 { problems.append("host \(other) starves") }
        }
    }

    /// Hosts with an item that may start now.
    private var eligible: Set<Int> {
        guard scheduler.inFlight < 2 * width else { return [] }
        let hosts = items.values.compactMap { if case .waiting(let host) = $0 { host } else { nil } }
        return Set(hosts).filter { host in
            slots(of: host) < min(perHost, scheduler.reducedSlots(of: "\(host)") ?? .max)
                && (paused[host] ?? now) <= now
        }
    }

    private mutating func check() {
        let holders = running.count
        let waiting = items.values.count { if case .waiting = $0 { true } else { false } }
        if holders > width { problems.append("more items run than there are slots") }
        if scheduler.inFlight > 2 * width { problems.append("too many items have started") }
        if scheduler.inFlight != items.count - waiting { problems.append("wrong number of items in flight") }
        if scheduler.running != holders || scheduler.waiting != waiting { problems.append("wrong counts") }
        let hosts = Set(items.values.compactMap { if case .running(let host?) = $0 { host } else { nil } })
        for host in hosts where slots(of: host) > perHost { problems.append("host \(host) has too many slots") }
        let eligible = eligible
        passedOver = passedOver.filter { eligible.contains($0.key) && slots(of: $0.key) == 0 }
        // Items and hosts whose deadline has passed become eligible only when the deadlines are processed.
        if holders < width, !eligible.isEmpty, scheduler.nextDeadline.map({ $0 > now }) ?? true {
            problems.append("a slot is free although an item could use it")
        }
        problems = Array(problems.prefix(5))
    }
}
