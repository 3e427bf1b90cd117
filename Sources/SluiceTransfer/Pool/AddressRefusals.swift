// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Distinguishes a host that limits its request rate from one that refuses single addresses.
///
/// A refusal is 429 or 503 without `Retry-After`. After the first one the host is paused, and then gets one request at
/// a time. A host that limits its rate answers the same address then. If it refuses the address again, an address that
/// was not refused yet is requested at once: if that succeeds, the refusal concerns the address.
struct AddressRefusals: Hashable {
    typealias Instant = ContinuousClock.Instant

    /// The number of refused requests that may be followed by another one without a pause, until one succeeds.
    private static let maxProbes = 5
    /// After this many addresses that were refused by themselves, a second refusal concerns the address.
    private static let typicalCount = 2
    /// The number of refusals in a row after which a host is paused although it refuses single addresses.
    private static let maxInRow = 8

    /// A host that limits its rate gets another request at a time after this many successes.
    private static let successesPerSlot = 8

    /// Whether a refusal has paused the host, and no request has succeeded since.
    private var isProbing = false
    /// The number of successes since the last pause.
    private var successes = 0
    /// The number of refused requests that were followed by another one without a pause.
    private var probes = 0
    /// The number of pauses without a success since; one less for each success at a host that limits its rate.
    private(set) var pauses = 0
    /// When the last refusal arrived that paused the host, and when the last successful request after it began.
    private var lastRefusal: Instant?
    private var lastSuccess: Instant?
    /// The numbers of addresses that were refused and answered later, and of those that were refused by themselves.
    private var (recovered, refused) = (0, 0)
    /// Whether the next request is one for an address that was not refused yet, without a pause.
    private(set) var wantsOther = false
    /// Whether another address succeeded at once after one had been refused again.
    private var hasAnsweredOther = false

    /// Whether the host is known to refuse single addresses.
    var isTypical: Bool { refused >= Self.typicalCount && recovered == 0 }

    /// The number of requests at a time that the host gets; `nil` for the usual one.
    ///
    /// After a pause a host that limits its rate would refuse most of several requests at a time.
    var slots: Int? {
        if isProbing { return 1 }
        return recovered > 0 ? 1 + successes / Self.successesPerSlot : nil
    }

    /// Whether nothing needs to be remembered.
    var isEmpty: Bool { lastRefusal == nil }

    /// Whether the refusal of an address at this time concerns only the address.
    ///
    /// A success after a pause says nothing, because a host that limits its rate answers then.
    func concernsAddress(refusedAt time: Instant) -> Bool {
        let wasPaused = lastRefusal.map { $0 > time } ?? false
        return recovered == 0 && (isTypical || !wasPaused && lastSuccess.map { $0 >= time } ?? false)
    }

    /// Whether a first refusal needs no pause.
    func isHarmless(inRow failures: Int) -> Bool {
        (hasAnsweredOther || refused > 0) && recovered == 0 && failures <= Self.maxInRow
    }

    /// Returns whether another address is requested at once, after an address was refused again or instead of it.
    mutating func beginProbe(isRepeated: Bool) -> Bool {
        guard isRepeated || wantsOther, isProbing, recovered == 0, probes < Self.maxProbes else { return false }
        probes += 1
        wantsOther = true
        return true
    }

    /// Records a refusal that pauses the host.
    mutating func recordPause(now: Instant) {
        (isProbing, wantsOther, successes, lastRefusal) = (true, false, 0, now)
        pauses += 1
    }

    /// Records an address that is refused by itself.
    mutating func recordRefusedAddress() { refused += 1 }

    /// Records a response to a request that began at this time, and whether its address was refused before.
    mutating func recordSuccess(begun: Instant, afterRefusal: Bool) {
        if afterRefusal { recovered += 1 }
        guard let lastRefusal, begun >= lastRefusal else { return }
        if wantsOther { hasAnsweredOther = true }
        (isProbing, wantsOther) = (false, false)
        pauses = hasAnsweredOther && recovered == 0 ? 0 : max(0, pauses - 1)
        successes += 1
        lastSuccess = max(lastSuccess ?? begun, begun)
    }
}

extension Failure {
    /// Whether the host refused the request without a time after which it may be repeated.
    var isRefusal: Bool { (cause == .httpTooManyRequests || status == 503) && retryAfter == nil }
}
