// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What is known of each host's patience, and when it may be asked again: a pure value without clocks or I/O.
///
/// A host that answers 429 or 503 is left alone for as long as it asks, one that only fails for a while, and then for the
/// rest of the run. A host that nothing is to be said of costs no memory.
struct HostBook {
    typealias Instant = ContinuousClock.Instant

    /// What a host's failure leads to.
    enum Verdict: Hashable {
        /// Nothing: the host may be asked again at once.
        case none
        /// Nobody asks the host for so long.
        case paused(Duration)
        /// Nobody asks the host again in this run.
        case givenUp(Failure)
    }

    private struct Entry {
        /// The host is not asked before this: it was asked to wait for, or its rate is kept.
        var notBefore: Instant?
        /// Failures without an answer between them.
        var failures = 0
        /// How often such a row was too long.
        var breaks = 0
        /// Why it is not asked again.
        var refusal: Failure?
    }

    private let rules: HostRules
    private var entries: [String: Entry] = [:]
    /// As many entries may stand before those that say nothing any more are thrown out.
    private var room = 1024

    init(_ rules: HostRules) { self.rules = rules }

    /// How many hosts something is known of.
    var count: Int { entries.count }

    /// When the host may be asked again, unless that is at once.
    func opening(of host: String, after now: Instant) -> Instant? {
        entries[host]?.notBefore.flatMap { $0 > now ? $0 : nil }
    }

    /// Why the host is not asked again in this run.
    func refusal(of host: String) -> Failure? { entries[host]?.refusal }

    /// Whether the host has failed so often that one request at a time must show whether it is back.
    func isOnTrial(_ host: String) -> Bool { (entries[host]?.breaks ?? 0) > 0 }

    /// Books a request that begins at `start`, so that the next keeps its distance.
    mutating func begin(_ host: String, at start: Instant) {
        guard let interval = rules.interval(of: host) else { return }
        entries[host, default: Entry()].notBefore = start + interval
        sweep(now: start)
    }

    /// Books the next request's time, and returns it.
    mutating func book(_ host: String, now: Instant) -> Instant {
        let start = opening(of: host, after: now) ?? now
        begin(host, at: start)
        return start
    }

    /// Notes an answer that says that the host is well.
    mutating func answered(_ host: String) {
        guard entries[host]?.refusal == nil else { return }
        entries[host]?.failures = 0
        entries[host]?.breaks = 0
    }

    /// Keeps the host from being asked for so long, and from being asked sooner by any shorter pause.
    mutating func pause(_ host: String, for duration: Duration, now: Instant) {
        let end = now + duration
        entries[host, default: Entry()].notBefore = max(entries[host]?.notBefore ?? end, end)
    }

    /// Notes how an attempt failed.
    mutating func failed(_ host: String, _ failure: Failure, retry: RetryPolicy, now: Instant) -> Verdict {
        switch failure.cause {
        case .deferred:
            return giveUp(host, failure)
        case .dns, .connect, .tls, .timeout, .httpTooManyRequests, .httpServerError:
            // An attempt that was under way when the host's pause began tells nothing new.
            let isNews = opening(of: host, after: now) == nil
            if isNews { entries[host, default: Entry()].failures += 1 }
            if isNews && isTooMuch(host) { return breakOff(host, failure, now: now) }
            return wait(for: host, failure, retry: retry, now: now)
        case .cancelled, .disk, .internal, .addressRefused, .policy:
            // Ours, and no sign of the host's.
            return .none
        default:
            answered(host)
            return .none
        }
    }

    private func isTooMuch(_ host: String) -> Bool {
        isOnTrial(host) || (entries[host]?.failures ?? 0) >= rules.patience
    }

    /// Leaves the host alone for a while, or for good if it had its trials.
    private mutating func breakOff(_ host: String, _ failure: Failure, now: Instant) -> Verdict {
        entries[host]?.breaks += 1
        guard let breaks = entries[host]?.breaks, breaks <= rules.trials else {
            let failures = entries[host]?.failures ?? 0
            let detail = "\(host) failed \(failures) times in a row (\(failure)) and is not asked again in this run"
            return giveUp(host, Failure(failure.cause, detail, status: failure.status))
        }
        let wait = max(rules.pause, failure.retryAfter ?? .zero)
        pause(host, for: wait, now: now)
        return .paused(wait)
    }

    /// Waits as long as the host asks; one that names no time is asked more rarely with each failure.
    private mutating func wait(
        for host: String, _ failure: Failure, retry: RetryPolicy, now: Instant
    ) -> Verdict {
        let isFull = failure.cause == .httpTooManyRequests || failure.status == 503
        let failures = entries[host]?.failures ?? 1
        guard let wait = failure.retryAfter ?? (isFull ? retry.bound(afterAttempt: max(1, failures)) : nil),
            opening(of: host, after: now) ?? now < now + wait
        else { return .none }
        pause(host, for: wait, now: now)
        return .paused(wait)
    }

    private mutating func giveUp(_ host: String, _ failure: Failure) -> Verdict {
        guard entries[host]?.refusal == nil else { return .none }
        entries[host, default: Entry()].refusal = failure
        return .givenUp(failure)
    }

    private mutating func sweep(now: Instant) {
        guard entries.count > room else { return }
        entries = entries.filter { _, entry in
            entry.failures > 0 || entry.breaks > 0 || entry.refusal != nil || (entry.notBefore ?? now) > now
        }
        room = max(1024, entries.count * 2)
    }
}
