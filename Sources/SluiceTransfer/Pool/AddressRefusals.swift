// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Distinguishes a host that limits its request rate from one that refuses single addresses.
///
/// A refusal is 429 or 503 without `Retry-After`. After the first one the host is paused, and then gets one request at
/// a time. A host that limits its rate answers the same address then. If it refuses the address again, another address
/// is requested at once: if that succeeds, the refusal concerns the address.
struct AddressRefusals: Hashable {
    typealias Instant = ContinuousClock.Instant

    /// The number of refused requests in a row that may be followed by another one without a pause.
    private static let maxProbes = 3
    /// After this many addresses that were refused by themselves, another one does not pause the host.
    private static let typicalCount = 2
    /// The number of refusals in a row after which a host is paused although it refuses single addresses.
    private static let maxInRow = 3

    /// A host that limits its rate gets another request at a time after this many successes.
    private static let successesPerSlot = 8

    /// Whether a refusal has paused the host, and no request has succeeded since.
    private var isProbing = false
    /// The number of successes since the last pause.
    private var successes = 0
    /// The number of refused requests since the pause.
    private var probes = 0
    /// When the last refusal arrived, and when the last successful request after it began.
    private var lastRefusal: Instant?
    private var lastSuccess: Instant?
    /// The numbers of addresses that were refused and answered later, and of those that were refused by themselves.
    private var (recovered, refused) = (0, 0)

    /// Whether the host is known to refuse single addresses.
    private var isTypical: Bool { refused >= Self.typicalCount && recovered == 0 }

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
    func concernsAddress(refusedAt time: Instant) -> Bool {
        recovered == 0 && (isTypical || lastSuccess.map { $0 >= time } ?? false)
    }

    /// Whether a first refusal needs no pause.
    func isHarmless(inRow failures: Int) -> Bool { isTypical && failures <= Self.maxInRow }

    /// Returns whether the second refusal of an address is followed by another address's request at once.
    mutating func beginProbe() -> Bool {
        guard isProbing, recovered == 0, probes < Self.maxProbes else { return false }
        probes += 1
        return true
    }

    /// Records a refusal that pauses the host.
    mutating func recordPause(now: Instant) {
        if !isProbing { probes = 0 }
        (isProbing, successes, lastRefusal) = (true, 0, now)
    }

    /// Records an address that is refused by itself.
    mutating func recordRefusedAddress() { refused += 1 }

    /// Records a response to a request that began at this time, and whether its address was refused before.
    mutating func recordSuccess(begun: Instant, afterRefusal: Bool) {
        if afterRefusal { recovered += 1 }
        guard let lastRefusal, begun >= lastRefusal else { return }
        isProbing = false
        successes += 1
        lastSuccess = max(lastSuccess ?? begun, begun)
    }
}

extension Failure {
    /// Whether the host refused the request without a time after which it may be repeated.
    var isRefusal: Bool { (cause == .httpTooManyRequests || status == 503) && retryAfter == nil }
}
