// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceTransfer

@Suite("Work scheduler") struct WorkSchedulerTests {
    @Test("Items start in their host's order, and hosts take turns")
    func turns() {
        var scheduler = WorkScheduler(width: 1, perHost: 1, backlog: 10)
        #expect(scheduler.add(1, host: "a") == [.start(1)])
        for (id, host) in [(2, "a"), (3, "a"), (4, "b"), (5, "c")] { #expect(scheduler.add(id, host: host) == []) }
        var order: [Int] = []
        var running = 1
        for _ in 0..<4 {
            let actions = scheduler.end(running)
            guard case .start(let next)? = actions.first else { break }
            order.append(next)
            running = next
        }
        #expect(order == [4, 5, 2, 3], "a's long line holds up neither b nor c")
    }

    @Test("A host has no more slots than it is allowed, and gives one back before the item ends")
    func hosts() {
        var scheduler = WorkScheduler(width: 4, perHost: 1, backlog: 10)
        #expect(scheduler.add(1, host: "a") == [.start(1)])
        #expect(scheduler.add(2, host: "a") == [])
        #expect(scheduler.leaveHost(1) == [.start(2)])
        #expect(scheduler.leaveHost(1) == [], "it has left already")
        #expect(scheduler.running == 2)
        #expect(scheduler.end(1) == [])
        #expect(scheduler.end(2) == [])
    }

    @Test("A waiting item can be cancelled, a running one is left to its token")
    func cancelling() {
        var scheduler = WorkScheduler(width: 1, perHost: 6, backlog: 2)
        _ = scheduler.add(1, host: "a")
        _ = scheduler.add(2, host: "a")
        _ = scheduler.add(3, host: "b")
        #expect(!scheduler.hasRoom)
        #expect(scheduler.cancel(2) == [.drop(2)])
        #expect(scheduler.hasRoom)
        #expect(scheduler.cancel(2) == [] && scheduler.cancel(1) == [])
        #expect(scheduler.end(1) == [.start(3)])
    }

    @Test("Whatever happens, no bound is passed, each item ends once, and no host starves", arguments: [1, 2, 3, 4])
    func randomEvents(seed: UInt64) {
        var random = SplitMix(state: seed)
        var model = RandomRun(
            width: Int.random(in: 1...9, using: &random), perHost: Int.random(in: 1...4, using: &random))
        for _ in 0..<50_000 { model.step(&random) }
        model.finish()
        #expect(model.problems == [])
        #expect(model.added == model.ended)
    }
}

/// Drives a scheduler with random events, and holds it to what it promises.
private struct RandomRun {
    let width: Int
    let perHost: Int
    var scheduler: WorkScheduler
    var problems: [String] = []
    var added = 0
    var ended = 0
    private var waiting: [Int: Int] = [:]
    private var running: [Int: Int] = [:]
    private var holders: [Int: Int] = [:]
    /// Starts of others since each host could have been served.
    private var passedOver: [Int: Int] = [:]

    init(width: Int, perHost: Int) {
        (self.width, self.perHost) = (width, perHost)
        scheduler = WorkScheduler(width: width, perHost: perHost, backlog: 50)
    }

    mutating func step(_ random: inout SplitMix) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5 where scheduler.hasRoom:
            added += 1
            // A few hosts have most of the items.
            let host = Int.random(in: 0..<8, using: &random) * Int.random(in: 0..<2, using: &random)
            waiting[added] = host
            apply(scheduler.add(added, host: "\(host)"))
        case 5..<8:
            guard let id = running.keys.sorted().randomElement(using: &random) else { return }
            end(id)
        case 8:
            guard let id = running.keys.sorted().randomElement(using: &random) else { return }
            holders[id] = nil
            apply(scheduler.leaveHost(id))
        default:
            guard let id = (waiting.keys.sorted() + running.keys.sorted()).randomElement(using: &random) else { return }
            apply(scheduler.cancel(id))
        }
    }

    mutating func finish() {
        while let id = running.keys.first { end(id) }
        if !waiting.isEmpty { problems.append("\(waiting.count) items wait with nothing running") }
        if scheduler.running != 0 || scheduler.waiting != 0 { problems.append("the counts are wrong at the end") }
    }

    private mutating func end(_ id: Int) {
        running[id] = nil
        holders[id] = nil
        ended += 1
        apply(scheduler.end(id))
    }

    private mutating func apply(_ actions: [WorkScheduler.Action]) {
        for action in actions {
            switch action {
            case .start(let id):
                guard let host = waiting.removeValue(forKey: id) else { return problems.append("\(id) started twice") }
                running[id] = host
                holders[id] = host
                serve(host)
            case .drop(let id):
                if waiting.removeValue(forKey: id) == nil { problems.append("\(id) dropped though not waiting") }
                ended += 1
            }
        }
        check()
    }

    private mutating func serve(_ host: Int) {
        passedOver[host] = nil
        for other in eligible where other != host {
            passedOver[other, default: 0] += 1
            if passedOver[other, default: 0] > 8 { problems.append("host \(other) was passed over") }
        }
    }

    private var eligible: Set<Int> { Set(waiting.values).filter { slots(of: $0) < perHost } }

    private func slots(of host: Int) -> Int { holders.values.count { $0 == host } }

    private mutating func check() {
        if running.count > width { problems.append("the width was passed") }
        if scheduler.running != running.count || scheduler.waiting != waiting.count { problems.append("wrong counts") }
        for host in Set(holders.values) where slots(of: host) > perHost { problems.append("host \(host) has too much") }
        let eligible = eligible
        passedOver = passedOver.filter { eligible.contains($0.key) }
        if running.count < width, !eligible.isEmpty {
            problems.append("a slot is free and somebody who could use it waits")
        }
        problems = Array(problems.prefix(5))
    }
}

/// A small seeded generator, so that a failing run can be run again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
