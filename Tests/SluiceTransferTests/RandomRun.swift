// SPDX-License-Identifier: MIT

import SluiceModel

@testable import SluiceTransfer

/// Drives a scheduler with random events, and holds it to what it promises.
struct RandomRun {
    private enum Place: Hashable {
        case waiting(Int)
        case running(Int?)
        case away(Int)
        case leaving
    }

    let width: Int
    let perHost: Int
    private(set) var problems: [String] = []
    private(set) var added = 0
    private(set) var ended = 0
    private(set) var rests = 0
    private(set) var pauses = 0
    private var scheduler: WorkScheduler
    private var now = ContinuousClock.now
    private var places: [Int: Place] = [:]
    private var paused: [Int: ContinuousClock.Instant] = [:]
    private var givenUp: Set<Int> = []
    /// Items that rest until they are told to rise.
    private var asleep: Set<Int> = []
    /// Starts of others since each host without a slot could have been served.
    private var passedOver: [Int: Int] = [:]

    init(width: Int, perHost: Int) {
        (self.width, self.perHost) = (width, perHost)
        scheduler = WorkScheduler(width: width, backlog: 4, reach: 50, rules: HostRules(perHost: perHost))
    }

    mutating func step(_ random: inout SplitMix) {
        // A few hosts have most of the items; of one in a while there are others, so that some can be given up.
        let host = Int.random(in: 0..<8, using: &random) * Int.random(in: 0..<2, using: &random) + added / 20_000 * 8
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<6 where scheduler.hasRoom: add(host, &random)
        case 6..<9: if let id = one(running, &random) { end(id) }
        case 9: if let id = one(running, &random) { leave(id) }
        case 10: if let id = one(running, &random) { rest(id, &random) }
        case 11:
            if let id = one(running, &random) { enter(id, host) }
            if let id = one(asleep.sorted(), &random), Bool.random(using: &random) { rise(id) }
        case 12: fail(host, &random)
        case 13: if let id = one(Array(places.keys), &random) { cancel(id) }
        case 14: if let id = one(places.keys.filter { places[$0] == .leaving }, &random) { end(id) }
        default:
            now += .milliseconds(Int.random(in: 0...200, using: &random))
            wake()
        }
    }

    mutating func finish() {
        while !places.isEmpty, problems.isEmpty {
            if let id = places.first(where: { if case .running = $0.value { true } else { $0.value == .leaving } })?.key
            {
                end(id)
            } else if let id = asleep.first {
                rise(id)
            } else if let alarm = scheduler.alarm {
                now = max(now, alarm)
                wake()
            } else {
                problems.append("\(places.count) items wait, and nothing will wake them")
            }
        }
        if scheduler.running != 0 || scheduler.waiting != 0 || scheduler.inFlight != 0 {
            problems.append("the counts are wrong at the end")
        }
        if scheduler.alarm != nil { problems.append("an alarm is set for nobody") }
    }

    private func one(_ ids: [Int], _ random: inout SplitMix) -> Int? { ids.sorted().randomElement(using: &random) }

    private var running: [Int] { places.keys.filter { if case .running = places[$0] { true } else { false } } }

    private func slots(of host: Int) -> Int { places.values.count { $0 == .running(host) } }
}

// MARK: Events

extension RandomRun {
    private mutating func add(_ host: Int, _ random: inout SplitMix) {
        added += 1
        places[added] = .waiting(host)
        let ranks: [HostLine.Rank] = [.low, .normal, .normal, .high]
        apply(scheduler.add(added, host: "\(host)", rank: ranks.randomElement(using: &random) ?? .normal, now: now))
    }

    private mutating func end(_ id: Int) {
        places[id] = nil
        ended += 1
        apply(scheduler.end(id, now: now))
    }

    private mutating func leave(_ id: Int) {
        places[id] = .running(nil)
        apply(scheduler.leaveHost(id, now: now))
    }

    private mutating func rest(_ id: Int, _ random: inout SplitMix) {
        guard case .running(let host?) = places[id] else { return }
        rests += 1
        places[id] = .away(host)
        // Some wait for a time, some until they are told.
        let isTimed = Int.random(in: 0..<4, using: &random) > 0
        let end = isTimed ? now + .milliseconds(Int.random(in: 0...500, using: &random)) : nil
        if !isTimed { asleep.insert(id) }
        apply(scheduler.rest(id, until: end, now: now))
    }

    private mutating func rise(_ id: Int) {
        asleep.remove(id)
        apply(scheduler.rise(id, now: now))
    }

    private mutating func enter(_ id: Int, _ host: Int) {
        guard !scheduler.isAt("\(host)", id) else { return }
        places[id] = .away(host)
        apply(scheduler.enter(id, host: "\(host)", now: now))
    }

    private mutating func fail(_ host: Int, _ random: inout SplitMix) {
        // Only a host that somebody is at can fail; most answer again before they have failed too often.
        guard slots(of: host) > 0 else { return }
        if Int.random(in: 0..<3, using: &random) > 0 { return apply(scheduler.answered("\(host)", now: now)) }
        var failure = Failure(Bool.random(using: &random) ? .connect : .httpTooManyRequests, "")
        if Bool.random(using: &random) { failure.retryAfter = .milliseconds(Int.random(in: 0...900, using: &random)) }
        let (verdict, actions) = scheduler.failed("\(host)", failure, retry: RetryPolicy(), now: now)
        switch verdict {
        case .none: break
        case .paused(let duration):
            pauses += 1
            paused[host] = max(paused[host] ?? now, now + duration)
        case .givenUp: givenUp.insert(host)
        }
        apply(actions)
    }

    private mutating func cancel(_ id: Int) {
        let actions = scheduler.cancel(id, Failure(.cancelled, ""), now: now)
        if case .running = places[id], !actions.isEmpty { problems.append("\(id) was cancelled while it ran") }
        apply(actions)
    }

    private mutating func wake() { apply(scheduler.wake(now: now)) }
}

// MARK: Promises

extension RandomRun {
    private mutating func apply(_ actions: [WorkScheduler.Action]) {
        for action in actions {
            switch action {
            case .start(let id):
                guard case .waiting(let host) = places[id] else { return problems.append("\(id) started twice") }
                serve(id, host)
            case .resume(let id):
                guard case .away(let host) = places[id] else { return problems.append("\(id) resumed from nowhere") }
                serve(id, host)
            case .drop(let id, _):
                guard case .waiting = places.removeValue(forKey: id) else {
                    return problems.append("\(id) dropped though not waiting")
                }
                ended += 1
            case .abandon(let id, _):
                guard case .away = places[id] else { return problems.append("\(id) abandoned though it has a slot") }
                places[id] = .leaving
                asleep.remove(id)
            }
        }
        check()
    }

    private mutating func serve(_ id: Int, _ host: Int) {
        let eligible = eligible
        if eligible.contains(where: { slots(of: $0) < slots(of: host) }) { problems.append("host \(host) has more") }
        places[id] = .running(host)
        if let end = paused[host], end > now { problems.append("host \(host) was asked in its pause") }
        if givenUp.contains(host) { problems.append("host \(host) was asked again") }
        passedOver[host] = nil
        for other in eligible where slots(of: other) == 0 {
            passedOver[other, default: 0] += 1
            if passedOver[other, default: 0] > 9 { problems.append("host \(other) was passed over") }
        }
    }

    /// Hosts that somebody who may start waits for, and that may be asked.
    private var eligible: Set<Int> {
        guard scheduler.inFlight < 2 * width else { return [] }
        let hosts = places.values.compactMap { if case .waiting(let host) = $0 { host } else { nil } }
        return Set(hosts).filter { host in
            slots(of: host) < (scheduler.isOnTrial("\(host)") ? 1 : perHost) && (paused[host] ?? now) <= now
        }
    }

    private mutating func check() {
        let holders = running.count
        let waiting = places.values.count { if case .waiting = $0 { true } else { false } }
        if holders > width { problems.append("the width was passed") }
        if scheduler.inFlight > 2 * width { problems.append("too many have begun") }
        if scheduler.inFlight != places.count - waiting { problems.append("wrong count of those in flight") }
        if scheduler.running != holders || scheduler.waiting != waiting { problems.append("wrong counts") }
        let hosts = Set(places.values.compactMap { if case .running(let host?) = $0 { host } else { nil } })
        for host in hosts where slots(of: host) > perHost { problems.append("host \(host) has too much") }
        let eligible = eligible
        passedOver = passedOver.filter { eligible.contains($0.key) && slots(of: $0.key) == 0 }
        // Those whose time has come since the scheduler was last woken are woken by their alarm.
        if holders < width, !eligible.isEmpty, scheduler.alarm.map({ $0 > now }) ?? true {
            problems.append("a slot is free and somebody who could use it waits")
        }
        problems = Array(problems.prefix(5))
    }
}
