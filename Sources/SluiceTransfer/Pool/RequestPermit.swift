// SPDX-License-Identifier: MIT

package import SluiceModel

/// Permission to send requests, subject to the pool's host limits: a pool item's slot, or none.
protocol RequestPermit: Sendable {
    /// The pool that tracks the hosts.
    var pool: WorkPool { get }
    var token: CancellationToken { get }
    /// Waits until the host may be requested.
    func acquire(_ host: String) async throws(Failure)
    /// Waits before the next attempt.
    func wait(for duration: Duration) async throws(Failure)
    /// Waits until another caller's download finishes.
    func wait(for download: SharedDownload) async throws(Failure)
}

extension RequestPermit {
    /// Records a successful response to a request that began at a time.
    func recordSuccess(of host: String, begun: ContinuousClock.Instant?, afterRefusal: Bool) {
        pool.apply { $0.recordSuccess(of: host, begun: begun, afterRefusal: afterRefusal, now: .now) }
    }

    /// Whether the refusal of an address at this time concerns only the address.
    func takeAddressRefusal(of host: String, refusedAt time: ContinuousClock.Instant) -> Bool {
        let answer = Locked(false)
        pool.apply { scheduler in
            let concernsAddress = scheduler.takeAddressRefusal(of: host, refusedAt: time)
            answer.withLock { $0 = concernsAddress }
            return []
        }
        return answer.withLock(\.self)
    }

    /// The reason why the host is excluded for the rest of the run.
    func refusal(of host: String) -> Failure? {
        pool.query { $0.refusal(of: host) }
    }

    /// Records a failed attempt, and returns its consequence for the host.
    func recordFailure(
        of host: String, _ failure: Failure, refusedAt: ContinuousClock.Instant?, retry: RetryPolicy
    ) -> HostTracker.Reaction {
        let reaction = Locked(HostTracker.Reaction.none)
        pool.apply { scheduler in
            let (answer, actions) = scheduler.recordFailure(
                of: host, failure, refusedAt: refusedAt, retry: retry, now: .now)
            reaction.withLock { $0 = answer }
            return actions
        }
        return reaction.withLock { $0 }
    }
}

/// The permit of a running pool item; while it waits, other items use its slot.
extension WorkPool.Slot: RequestPermit {
    func acquire(_ host: String) async throws(Failure) {
        let id = id
        guard !pool.query({ $0.holdsSlot(id, of: host) }) else { return }
        let failure = await pool.suspend(id) { $0.move(id, toHost: host, now: .now) }
        if let failure { throw failure }
    }

    func wait(for duration: Duration) async throws(Failure) {
        let id = id
        let failure = await pool.suspend(id) { $0.sleep(id, until: .now + duration, now: .now) }
        if let failure { throw failure }
    }

    func wait(for download: SharedDownload) async throws(Failure) {
        try await wait { download.onFinish($0) }
    }

    /// Waits until the function that `register` receives is called; it may be called at once.
    package func wait(
        until register: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) async throws(Failure) {
        let (pool, id) = (pool, id)
        let failure = await pool.suspend(id) {
            $0.sleep(id, until: nil, now: .now)
        } then: {
            register { pool.apply { $0.wake(id, now: .now) } }
        }
        if let failure { throw failure }
    }
}

/// The permit of a request without a slot, such as one for a feed's next page; it keeps its host's pauses and
/// intervals.
struct UnpooledPermit: RequestPermit {
    let pool: WorkPool
    let token: CancellationToken

    func acquire(_ host: String) async throws(Failure) {
        if let refusal = refusal(of: host) { throw refusal }
        let start = Locked(ContinuousClock.now)
        // The reservation may delay items that wait for the host, so the pool must update its timer.
        pool.apply { scheduler in
            let reserved = scheduler.reserveRequest(to: host, now: .now)
            start.withLock { $0 = reserved }
            return []
        }
        let delay = start.withLock { $0 } - .now
        if delay > .zero { try await pause(for: delay, token: token) }
    }

    func wait(for duration: Duration) async throws(Failure) {
        try await pause(for: duration, token: token)
    }

    func wait(for download: SharedDownload) async throws(Failure) {
        let finished = OneShot<Cause?>()
        download.onFinish { finished.set(nil) }
        try await finished.wait(token: token)
    }
}
