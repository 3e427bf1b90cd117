// SPDX-License-Identifier: MIT

public import SluiceModel

extension WorkPool {
    /// A running item's place in the pool.
    public struct Slot: Sendable {
        let pool: WorkPool
        let id: ID
        /// Ends the item; it stands below its host's token, and that below the run's.
        public let token: Token

        /// Gives the host's slot back: the transfer is over, and another of that host may begin.
        public func leaveHost() {
            let id = id
            pool.decide { $0.leaveHost(id, now: .now) }
        }
    }
}

extension WorkPool.Slot: Turn {
    func enter(_ host: String) async throws(Failure) {
        let id = id
        guard !pool.ask({ $0.isAt(host, id) }) else { return }
        let failure = await pool.suspend(id) { $0.enter(id, host: host, now: .now) }
        if let failure { throw failure }
    }

    func rest(for duration: Duration) async throws(Failure) {
        let id = id
        let failure = await pool.suspend(id) { $0.rest(id, until: .now + duration, now: .now) }
        if let failure { throw failure }
    }

    func stepAside(until flight: Flight) async throws(Failure) {
        let (pool, id) = (pool, id)
        let failure = await pool.suspend(id) {
            $0.rest(id, until: nil, now: .now)
        } then: {
            flight.whenOver { pool.decide { $0.rise(id, now: .now) } }
        }
        if let failure { throw failure }
    }
}
