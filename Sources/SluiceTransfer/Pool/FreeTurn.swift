// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The turn of a request that takes no slot, such as a feed's for its next page; it keeps to its host's times all the same.
struct FreeTurn: Turn {
    let pool: WorkPool
    let token: Token

    func enter(_ host: String) async throws(Failure) {
        if let refusal = refusal(of: host) { throw refusal }
        let start = Locked(ContinuousClock.now)
        // Decided and not only asked: who waits for the host may have to wait longer, and the alarm with them.
        pool.decide { scheduler in
            let booked = scheduler.book(host, now: .now)
            start.withLock { $0 = booked }
            return []
        }
        let wait = start.withLock { $0 } - .now
        if wait > .zero { try await pause(for: wait, token: token) }
    }

    func stepAside(until flight: Flight) async throws(Failure) {
        let over = OneShot<Cause?>()
        flight.whenOver { over.give(nil) }
        try await over.wait(token: token)
    }

    func rest(for duration: Duration) async throws(Failure) {
        try await pause(for: duration, token: token)
    }
}
