// SPDX-License-Identifier: MIT

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
        var tracker = HostTracker(HostRules())
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
        for round in 1...30 {
            for _ in 1...9 { #expect(tracker.recordFailure(of: "a", refused, retry: retry, now: start) == .none) }
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
