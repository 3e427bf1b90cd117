// SPDX-License-Identifier: MIT

internal import SluiceModel

/// How a request waits: for a host, and before its next attempt.
protocol Turn: Sendable {
    /// Whose hosts and times they are.
    var pool: WorkPool { get }
    /// Ends the request.
    var token: Token { get }
    /// Returns when the host may be asked.
    func enter(_ host: String) async throws(Failure)
    /// Returns when so much time has passed.
    func rest(for duration: Duration) async throws(Failure)
    /// Returns when another's download is over.
    func stepAside(until flight: Flight) async throws(Failure)
}

extension Turn {
    /// Notes an answer of the host.
    func answered(by host: String) {
        pool.decide { $0.answered(host, now: .now) }
    }

    /// Why the host is not asked again in this run.
    func refusal(of host: String) -> Failure? {
        pool.ask { $0.refusal(of: host) }
    }

    /// Notes how the host failed, and what follows for everybody who waits for it.
    func failed(_ host: String, _ failure: Failure, retry: RetryPolicy) -> HostBook.Verdict {
        let verdict = Locked(HostBook.Verdict.none)
        pool.decide { scheduler in
            let (answer, actions) = scheduler.failed(host, failure, retry: retry, now: .now)
            verdict.withLock { $0 = answer }
            return actions
        }
        return verdict.withLock { $0 }
    }
}
