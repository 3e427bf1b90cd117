// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The turn of a request that takes no slot, such as a feed's for its next page; it keeps to its host's times all the same.
struct FreeTurn: Turn {
    let pool: WorkPool
    let token: Token

    func enter(_ host: String) async throws(Failure) {
        let start = pool.ask { scheduler in (scheduler.refusal(of: host), scheduler.book(host, now: .now)) }
        if let refusal = start.0 { throw refusal }
        let wait = start.1 - .now
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
