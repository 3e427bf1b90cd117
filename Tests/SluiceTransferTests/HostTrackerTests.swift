// SPDX-License-Identifier: MIT

import SluiceCookies
import SluiceModel
import Testing

@testable import SluiceTransfer

@Suite("Host tracker", .timeLimit(.minutes(10))) struct HostTrackerTests {
    private let start = ContinuousClock.now
    private let retry = RetryPolicy()
    private let refused = Failure(.connect, "refused")
    private let busy = Failure(.httpServerError, "", status: 503)

    @Test("Without Retry-After, the pause doubles with each failure up to the cap")
    func backoff() {
        var rules = HostRules()
        rules.outageLimit = .max
        var tracker = HostTracker(rules)
        var now = start
        var waits: [Duration] = []
        for _ in 1...8 {
            guard case .paused(let wait) = tracker.recordFailure(of: "a", busy, retry: retry, now: now) else { break }
            waits.append(wait)
            now += wait
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    }

    @Test("Failures of requests in flight at the start of a pause neither count nor shorten it")
    func inFlight() {
        var tracker = HostTracker(HostRules())
        var slow = busy
        slow.retryAfter = .seconds(30)
        #expect(tracker.recordFailure(of: "a", slow, retry: retry, now: start) == .paused(.seconds(30)))
        for _ in 1...50 {
            #expect(tracker.recordFailure(of: "a", busy, retry: retry, now: start + .seconds(1)) == .none)
        }
        slow.retryAfter = .seconds(90)
        #expect(tracker.recordFailure(of: "a", slow, retry: retry, now: start + .seconds(1)) == .paused(.seconds(90)))
        #expect(tracker.nextRequestTime(of: "a", after: start + .seconds(2)) == start + .seconds(91))
    }

    @Test("Any response resets the failure count, and local failures do not count")
    func resets() {
        var tracker = HostTracker(HostRules())
        let broken = Failure(.httpServerError, "", status: 500)
        for round in 1...30 {
            for _ in 1...4 { #expect(tracker.recordFailure(of: "a", refused, retry: retry, now: start) == .none) }
            for _ in 1...5 { #expect(tracker.recordFailure(of: "a", broken, retry: retry, now: start) == .none) }
            if round % 2 == 0 {
                tracker.recordSuccess(of: "a")
            } else {
                #expect(
                    tracker.recordFailure(of: "a", Failure(.httpClientError(404), ""), retry: retry, now: start)
                        == .none)
            }
        }
        for cause in [Cause.cancelled, .disk, .addressRefused] {
            for _ in 1...20 {
                #expect(tracker.recordFailure(of: "b", Failure(cause, ""), retry: retry, now: start) == .none)
            }
        }
    }

    @Test("Failures that show the same outage pause the host, and two failed trials exclude it")
    func outage() {
        for (failure, waits) in [
            (refused, [10, 20]), (Failure(.dns, ""), [10, 20]), (Failure(.dns, "", hint: .checkHostName), [1]),
            (busy, [1, 2, 4, 8, 10, 20]),
            (Failure(.httpServerError, "", status: 502), [10, 20]),
            (Failure(.httpServerError, "", status: 500), [10, 20]),
            (Failure(.httpTooManyRequests, "", status: 429), nil),
        ] as [(Failure, [Int]?)] {
            var tracker = HostTracker(HostRules())
            var now = start
            var pauses: [Duration] = []
            while tracker.refusal(of: "a") == nil {
                if case .paused(let pause) = tracker.recordFailure(of: "a", failure, retry: retry, now: now) {
                    pauses.append(pause)
                    now += pause
                }
            }
            if let waits {
                #expect(pauses == waits.map { .seconds($0) }, "\(failure)")
            } else {
                #expect(pauses.count == 11)
            }
        }
    }

    @Test("Other failures in a row pause the host for a minute")
    func mixedFailures() {
        var tracker = HostTracker(HostRules())
        var pauses: [HostTracker.Reaction] = []
        for number in 0..<10 {
            let failure = Failure(.httpServerError, "", status: number.isMultiple(of: 2) ? 500 : 501)
            pauses.append(tracker.recordFailure(of: "a", failure, retry: retry, now: start))
        }
        #expect(pauses == Array(repeating: .none, count: 9) + [.paused(.seconds(60))])
    }

    @Test("Failures of different kinds do not look like an outage, and a success ends one")
    func noOutage() {
        var tracker = HostTracker(HostRules())
        let timeout = Failure(.timeout, "")
        for failure in [refused, timeout, refused, refused, timeout, timeout, timeout, timeout, refused] {
            #expect(tracker.recordFailure(of: "a", failure, retry: retry, now: start) == .none)
        }
        tracker.recordSuccess(of: "a")
        for _ in 1...4 { #expect(tracker.recordFailure(of: "a", refused, retry: retry, now: start) == .none) }
        #expect(tracker.recordFailure(of: "a", refused, retry: retry, now: start) == .paused(.seconds(10)))
        #expect(tracker.isRecovering("a"))
        tracker.recordSuccess(of: "a")
        #expect(!tracker.isRecovering("a"))
    }

    @Test(
        "Forty photos of a host that is down end soon", arguments: [("503", 60), ("refused", 31), ("unknown name", 2)])
    func forty(kind: String, seconds: Int) {
        let unknown = Failure(.dns, "", hint: .checkHostName)
        let failure = kind == "503" ? busy : kind == "refused" ? refused : unknown
        var scheduler = WorkScheduler(width: 16, backlog: 40, rules: HostRules())
        var now = start
        var attempts: [Int: Int] = [:]
        var actions: [WorkScheduler.Action] = []
        for id in 0..<40 { actions += scheduler.add(id, host: "a", now: now) }
        var ended = 0
        while ended < 40 {
            while !actions.isEmpty {
                switch actions.removeFirst() {
                case .start(let id), .resume(let id):
                    attempts[id, default: 0] += 1
                    let number = attempts[id] ?? 1
                    let (_, more) = scheduler.recordFailure(of: "a", failure, retry: retry, now: now)
                    actions += more
                    if scheduler.refusal(of: "a") == nil,
                        case .retry(let delay) = retry.decision(on: failure, attempt: number, chance: 0.5)
                    {
                        actions += scheduler.sleep(id, until: now + delay, now: now)
                    } else {
                        ended += 1
                        actions += scheduler.end(id, now: now)
                    }
                case .abandon(let id, _):
                    ended += 1
                    actions += scheduler.end(id, now: now)
                case .drop: ended += 1
                case .cancel, .evict: break
                }
            }
            guard let deadline = scheduler.nextDeadline else { break }
            now = max(now, deadline)
            actions = scheduler.processDeadlines(now: now)
        }
        #expect(ended == 40 && now - start <= .seconds(seconds), "\(ended) ended after \(now - start)")
    }

    @Test("A host that asks for too long a wait is given up")
    func deferred() {
        var tracker = HostTracker(HostRules())
        let deferred = Failure(.deferred, "the host asks to wait 9000 s (limit 300)", status: 429)
        #expect(tracker.recordFailure(of: "a", deferred, retry: retry, now: start) == .givenUp(deferred))
        #expect(tracker.refusal(of: "a") == deferred && tracker.refusal(of: "b") == nil)
        #expect(tracker.recordFailure(of: "a", deferred, retry: retry, now: start) == .none, "reported once")
    }

    @Test("The longer of the general and the host's own interval applies")
    func intervals() {
        var rules = HostRules()
        rules.interval = .seconds(2)
        rules.intervals = ["slow": .seconds(5), "quick": .milliseconds(10)]
        var tracker = HostTracker(rules)
        for host in ["slow", "quick", "other"] { _ = tracker.reserveRequest(to: host, now: start) }
        #expect(tracker.reserveRequest(to: "slow", now: start) == start + .seconds(5))
        #expect(tracker.reserveRequest(to: "quick", now: start) == start + .seconds(2))
        #expect(tracker.reserveRequest(to: "other", now: start) == start + .seconds(2))
    }

    @Test("Hosts without restrictions are removed")
    func memory() {
        var rules = HostRules()
        rules.interval = .milliseconds(1)
        var tracker = HostTracker(rules)
        for host in 0..<100_000 { tracker.recordRequest(to: "host\(host)", at: start + .milliseconds(host)) }
        #expect(tracker.count < 5000)
    }
}

@Suite("Shared hosts", .timeLimit(.minutes(10))) struct SharedHostTests {
    @Test("A process uses its part of a shared host's slots and rate, and all of the others'")
    func shares() {
        var rules = HostRules(perHost: 6)
        rules.interval = .seconds(1)
        rules.intervals = ["slow": .seconds(3)]
        rules.shares = ["a": 4, "b": 100, "slow": 2]
        #expect(["a", "b", "c"].map(rules.slots) == [1, 1, 6])
        #expect(["a", "c", "slow"].map(rules.interval) == [.seconds(4), .seconds(1), .seconds(6)])
    }

    /// A host with one slot kept it until its item ended.
    @Test("When another process leaves its part of a host, waiting items start at once, and the rate rises")
    func growth() {
        var rules = HostRules(perHost: 4)
        rules.interval = .seconds(1)
        rules.intervals = ["other": .seconds(1)]
        rules.shares = ["a": 4, "other": 2]
        let start = ContinuousClock.now
        var scheduler = WorkScheduler(width: 8, backlog: 8, rules: rules)
        #expect(scheduler.add(1, host: "a", now: start) == [.start(1)])
        for id in 2...5 { #expect(scheduler.add(id, host: "a", now: start) == []) }
        #expect(scheduler.setShares(["a": 2, "other": 2], now: start + .seconds(1)) == [])
        #expect(
            scheduler.processDeadlines(now: start + .seconds(4)) == [.start(2)], "the first pause was planned before")
        #expect(scheduler.processDeadlines(now: start + .seconds(6)) == [], "both slots are in use")
        #expect(scheduler.setShares(["a": 1, "other": 2], now: start + .seconds(7)) == [.start(3)])
        #expect(scheduler.processDeadlines(now: start + .seconds(8)) == [.start(4)])
        #expect(scheduler.processDeadlines(now: start + .seconds(9)) == [], "the host's whole limit is in use")
    }

    /// Of several sources in a run, each has its own limit for the hosts of its photos.
    @Test("A host's slots can be reduced, also while it has items in its queue, and never rise again")
    func reduced() {
        var rules = HostRules(perHost: 6)
        rules.limits = ["": 32]
        var scheduler = WorkScheduler(width: 8, backlog: 8, rules: rules)
        for id in 1...3 { #expect(scheduler.add(id, host: "a", now: .now) == [.start(id)]) }
        scheduler.reduceSlots(of: "a", to: 4)
        scheduler.reduceSlots(of: "a", to: 5)
        #expect(scheduler.add(4, host: "a", now: .now) == [.start(4)])
        #expect(scheduler.add(5, host: "a", now: .now) == [] && scheduler.add(6, host: "b", now: .now) == [.start(6)])
        #expect(["", "a", "b"].map(rules.slots) == [32, 6, 6])
        rules.reduceSlots(of: "b", to: 0)
        #expect(rules.slots(of: "b") == 1)
    }

    @Test(
        "Registrable domains are those of the public suffix list",
        arguments: [
            ("img.example.co.uk", "example.co.uk"), ("example.org", "example.org"), ("co.uk", "co.uk"),
            ("10.1.2.3", "10.1.2.3"), ("[::1]", "[::1]"), ("localhost", "localhost"), ("", ""),
        ])
    func domains(host: String, domain: String) {
        #expect(RegistrableDomain.of(host) == domain)
    }
}
