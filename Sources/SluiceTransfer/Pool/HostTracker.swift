// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The limits for requests to each host.
public struct HostRules: Sendable {
    /// The number of items that may hold a slot of one host.
    public var perHost: Int
    /// The number of items that may hold a slot of a new host; each one that ends without a failure doubles it, up to
    /// ``perHost``.
    ///
    /// So a silent host does not take the slots of others until its timeout.
    package var firstSlots = Int.max
    /// The number for particular hosts, instead of ``perHost``.
    public var limits: [String: Int] = [:]
    /// The minimum time between two requests to a host.
    public var interval: Duration?
    /// The minimum time for particular hosts; the longer of both applies.
    public var intervals: [String: Duration] = [:]
    /// The number of processes that share a host; this one uses its part of the host's slots and rate.
    package var shares: [String: Int] = [:]
    /// The number of consecutive failures after which a host is paused.
    public var failureLimit = 10
    /// The length of such a pause; afterwards, single requests test whether the host has recovered.
    public var failurePause = Duration.seconds(60)
    /// The number of consecutive failures of the same kind, each of which shows that the host is down, after which the
    /// host is paused.
    public var outageLimit = 5
    /// The length of the first pause after ``outageLimit`` failures.
    ///
    /// Each further pause is twice as long, up to ``failurePause``.
    public var outagePause = Duration.seconds(10)
    /// The number of consecutive failures after which a host is paused whose name does not exist.
    public var unknownNameLimit = 2
    /// The length of the only pause of such a host.
    public var unknownNamePause = Duration.seconds(1)
    /// The number of pauses of other hosts after which a host is excluded for the rest of the run.
    public var maxPauses = 2

    /// Makes the default rules.
    public init(perHost: Int = 6) { self.perHost = perHost }

    /// The minimum time between two requests to this host.
    package func interval(of host: String) -> Duration? { interval(of: host, shares: shares) }

    /// The minimum time between two requests of this process, if others share the host.
    fileprivate func interval(of host: String, shares: [String: Int]) -> Duration? {
        guard let own = intervals[host] ?? interval else { return nil }
        return max(own, interval ?? own) * (shares[host] ?? 1)
    }

    /// The number of items that may hold a slot of this host.
    func slots(of host: String) -> Int {
        let limit = limits[host] ?? perHost
        return shares[host].map { max(1, limit / $0) } ?? limit
    }

    /// Reduces the number for a host.
    mutating func reduceSlots(of host: String, to limit: Int) {
        guard limit < limits[host] ?? perHost else { return }
        limits[host] = max(1, limit)
    }
}

/// Tracks each host's failures, pauses and request times, and decides when it may be requested again.
///
/// A host that answers 429 or 503 is paused for the time in its Retry-After, unless it refuses only single addresses. A
/// host that keeps failing is paused, and after several pauses excluded for the rest of the run; both happen sooner if
/// all failures show the same outage. Hosts without any restriction use no memory. It reads no clock.
struct HostTracker {
    typealias Instant = ContinuousClock.Instant

    /// The consequence of a failure for its host.
    enum Reaction: Hashable {
        /// The host may be requested immediately.
        case none
        /// The host is not requested for this long.
        case paused(Duration)
        /// The address is not requested for this long, and other addresses show whether the host refuses them, too.
        case probed(Duration)
        /// The host refuses only this address, which is not requested again.
        case addressRefused
        /// The host is excluded for the rest of the run.
        case givenUp(Failure)
    }

    private struct Entry {
        /// The host is not requested before this time, because of a pause or its interval.
        var notBefore: Instant?
        /// The number of failures since the last success.
        var failures = 0
        /// The last failure, and how many of the last failures in a row were of its kind.
        var last: (failure: Failure, count: Int)?
        /// The number of pauses after too many failures.
        var pauses = 0
        /// The host's refusals of single addresses.
        var refusals = AddressRefusals()
        /// Why the host is excluded.
        var refusal: Failure?

        mutating func recordSuccess(begun: Instant?, afterRefusal: Bool) {
            guard refusal == nil else { return }
            (failures, last, pauses) = (0, nil, 0)
            if let begun { refusals.recordSuccess(begun: begun, afterRefusal: afterRefusal) }
        }
    }

    private let rules: HostRules
    private var shares: [String: Int]
    private var entries: [String: Entry] = [:]
    /// Entries without any restriction are removed when there are more than this.
    private var capacity = 1024

    init(_ rules: HostRules) { (self.rules, shares) = (rules, rules.shares) }

    /// Changes the number of processes that share each host; it applies to requests after the next one.
    mutating func setShares(_ shares: [String: Int]) { self.shares = shares }

    /// The number of hosts that are tracked.
    var count: Int { entries.count }

    /// When the host may be requested again; `nil` if it may be requested immediately.
    func nextRequestTime(of host: String, after now: Instant) -> Instant? {
        entries[host]?.notBefore.flatMap { $0 > now ? $0 : nil }
    }

    /// Whether the host's last request failed.
    func isFailing(_ host: String) -> Bool { (entries[host]?.failures ?? 0) > 0 }

    /// Why the host is excluded for the rest of the run; `nil` if it is not.
    func refusal(of host: String) -> Failure? { entries[host]?.refusal }

    /// Whether the host was paused for failures and has not answered since; it then gets one request at a time.
    func isRecovering(_ host: String) -> Bool { (entries[host]?.pauses ?? 0) > 0 }

    /// The number of requests at a time that the host gets because of its failures; `nil` for the usual one.
    func slots(of host: String) -> Int? { isRecovering(host) ? 1 : entries[host]?.refusals.slots }

    /// Whether the host's next request is one for an address that was not refused yet.
    func wantsOther(_ host: String) -> Bool { entries[host]?.refusals.wantsOther == true }

    /// Whether the refusal of an address at this time concerns only the address; if so, notes that.
    mutating func takeAddressRefusal(of host: String, refusedAt time: Instant) -> Bool {
        guard entries[host]?.refusals.concernsAddress(refusedAt: time) == true else { return false }
        entries[host]?.refusals.recordRefusedAddress()
        return true
    }

    /// Records a request at `start`, so that the next one keeps the interval.
    mutating func recordRequest(to host: String, at start: Instant) {
        guard let interval = rules.interval(of: host, shares: shares) else { return }
        entries[host, default: Entry()].notBefore = start + interval
        removeUnrestricted(now: start)
    }

    /// Reserves the time of the next request, and returns it.
    mutating func reserveRequest(to host: String, now: Instant) -> Instant {
        let start = nextRequestTime(of: host, after: now) ?? now
        recordRequest(to: host, at: start)
        return start
    }

    /// Records a response that shows that the host works; `begun` is when its request began, and `afterRefusal` whether
    /// its address was refused before.
    mutating func recordSuccess(of host: String, begun: Instant? = nil, afterRefusal: Bool = false) {
        guard let index = entries.index(forKey: host) else { return }
        entries.values[index].recordSuccess(begun: begun, afterRefusal: afterRefusal)
    }

    /// Pauses the host; a shorter pause does not end a longer one.
    mutating func pause(_ host: String, for duration: Duration, now: Instant) {
        let end = now + duration
        entries[host, default: Entry()].notBefore = max(entries[host]?.notBefore ?? end, end)
    }

    /// Records a failed attempt; `refusedAt` is when the same address was refused before, and `canProbe` whether other
    /// addresses of the host are waiting.
    mutating func recordFailure(
        of host: String, _ failure: Failure, refusedAt: Instant? = nil, canProbe: Bool = false, retry: RetryPolicy,
        now: Instant
    ) -> Reaction {
        if failure.isRefusal, let refusedAt, takeAddressRefusal(of: host, refusedAt: refusedAt) {
            return .addressRefused
        }
        switch failure.cause {
        case .deferred:
            return giveUp(host, failure)
        case .dns, .connect, .tls, .timeout, .httpTooManyRequests, .httpServerError:
            // A request that was in flight when the host's pause began gives no new information.
            let counts = nextRequestTime(of: host, after: now) == nil
            if counts { count(failure, of: host) }
            if counts && hasReachedLimit(host) { return pauseOrGiveUp(host, failure, now: now) }
            if failure.isRefusal {
                guard counts else { return .none }
                guard !takesNoPause(host, isRepeated: refusedAt != nil, canProbe: canProbe) else {
                    return .probed(retry.bound(afterAttempt: 1) / 2)
                }
                entries[host]?.refusals.recordPause(now: now)
            }
            return pauseAsRequested(host, failure, retry: retry, now: now)
        case .cancelled, .disk, .internal, .addressRefused, .policy:
            // These are local and say nothing about the host.
            return .none
        default:
            let isNews = nextRequestTime(of: host, after: now) == nil
            recordSuccess(of: host, begun: isNews ? now : nil)
            return .none
        }
    }

    /// Whether the refusal of an address does not pause the host; if so, another address may be requested at once.
    private mutating func takesNoPause(_ host: String, isRepeated: Bool, canProbe: Bool) -> Bool {
        guard let entry = entries[host] else { return false }
        return entry.refusals.isHarmless(inRow: entry.failures)
            || canProbe && entries[host]?.refusals.beginProbe(isRepeated: isRepeated) == true
    }

    private mutating func count(_ failure: Failure, of host: String) {
        entries[host, default: Entry()].failures += 1
        let last = entries[host]?.last
        let isSameKind = last.map { $0.failure.cause == failure.cause && $0.failure.status == failure.status } ?? false
        entries[host]?.last = (failure, isSameKind ? (last?.count ?? 0) + 1 : 1)
    }

    /// Whether the host's last failures all show the same outage.
    ///
    /// A status of 500 may concern a single file, unless nothing else comes. 429 shows that the host works, and several
    /// refusals without a pause between them may each concern an address.
    private func isDown(_ host: String) -> Bool {
        guard let entry = entries[host], let last = entry.last, last.count >= rules.outageLimit else { return false }
        return switch last.failure.cause {
        case .dns, .connect, .tls, .timeout: true
        case .httpServerError where last.failure.isRefusal: entry.refusals.pauses > 1
        case .httpServerError: [502, 503, 504].contains(last.failure.status) || last.count >= rules.failureLimit
        default: false
        }
    }

    /// Whether the name servers state that the host's name does not exist, so that waiting does not help.
    private func hasUnknownName(_ host: String) -> Bool {
        guard let last = entries[host]?.last else { return false }
        return last.failure.hint == .checkHostName && last.count >= rules.unknownNameLimit
    }

    private func hasReachedLimit(_ host: String) -> Bool {
        guard let entry = entries[host] else { return false }
        // A host that refuses single addresses may refuse several in a row.
        if entry.refusals.isTypical, entry.last?.failure.isRefusal == true {
            return isRecovering(host) || entry.failures >= 3 * rules.failureLimit
        }
        return isRecovering(host) || entry.failures >= rules.failureLimit || isDown(host) || hasUnknownName(host)
    }

    /// Pauses the host, or excludes it if it has had all its pauses.
    private mutating func pauseOrGiveUp(_ host: String, _ failure: Failure, now: Instant) -> Reaction {
        entries[host]?.pauses += 1
        let isUnknown = hasUnknownName(host)
        guard let pauses = entries[host]?.pauses, pauses <= (isUnknown ? 1 : rules.maxPauses) else {
            let failures = entries[host]?.failures ?? 0
            let reason = failure.detail.isEmpty ? "\(host): \(failure.cause)" : failure.detail
            let detail = "\(reason), \(failures) times in a row"
            return giveUp(host, Failure(failure.cause, detail, status: failure.status, hint: failure.hint))
        }
        let outagePause = min(rules.failurePause, rules.outagePause * (1 << min(pauses - 1, 20)))
        let usualPause = isDown(host) ? outagePause : rules.failurePause
        let duration = max(isUnknown ? rules.unknownNamePause : usualPause, failure.retryAfter ?? .zero)
        pause(host, for: duration, now: now)
        return .paused(duration)
    }

    /// Pauses the host for the time that it requested; without one, an overloaded host's pause grows with each failure.
    private mutating func pauseAsRequested(
        _ host: String, _ failure: Failure, retry: RetryPolicy, now: Instant
    ) -> Reaction {
        let pauses = max(1, entries[host]?.refusals.pauses ?? 1)
        guard
            let duration = failure.retryAfter ?? (failure.isRefusal ? retry.bound(afterAttempt: pauses) : nil),
            nextRequestTime(of: host, after: now) ?? now < now + duration
        else { return .none }
        pause(host, for: duration, now: now)
        return .paused(duration)
    }

    private mutating func giveUp(_ host: String, _ failure: Failure) -> Reaction {
        guard entries[host]?.refusal == nil else { return .none }
        entries[host, default: Entry()].refusal = failure
        return .givenUp(failure)
    }

    private mutating func removeUnrestricted(now: Instant) {
        guard entries.count > capacity else { return }
        entries = entries.filter { _, entry in
            entry.failures > 0 || entry.pauses > 0 || entry.refusal != nil || !entry.refusals.isEmpty
                || (entry.notBefore ?? now) > now
        }
        capacity = max(1024, entries.count * 2)
    }
}
