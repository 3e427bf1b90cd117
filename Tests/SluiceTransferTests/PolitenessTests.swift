// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceTransfer

@Suite("Politeness", .timeLimit(.minutes(10))) struct PolitenessTests {
    let policy = RetryPolicy()

    @Test("The delay is random between zero and a bound that doubles", arguments: [(1, 1), (2, 2), (3, 4)])
    func jitter(attempt: Int, bound: Int) {
        let failure = Failure(.connect, "refused")
        #expect(policy.decision(on: failure, attempt: attempt, chance: 1) == .retry(after: .seconds(bound)))
        #expect(policy.decision(on: failure, attempt: attempt, chance: 0) == .retry(after: .zero))
    }

    @Test("The delay never exceeds the cap")
    func cap() {
        var policy = policy
        policy.retries = 1000
        #expect(policy.decision(on: Failure(.dns, ""), attempt: 900, chance: 1) == .retry(after: .seconds(60)))
    }

    @Test("Permanent failures and exhausted retries are given up")
    func givingUp() {
        let missing = Failure(.httpClientError(404), "", status: 404)
        #expect(policy.decision(on: missing, attempt: 1, chance: 0.5) == .giveUp(missing))
        let refused = Failure(.connect, "")
        #expect(policy.decision(on: refused, attempt: 4, chance: 0.5) == .giveUp(refused))
    }

    @Test("The host's Retry-After takes precedence, up to a limit")
    func retryAfterFirst() {
        var failure = Failure(.httpTooManyRequests, "", status: 429)
        failure.retryAfter = .seconds(42)
        #expect(policy.decision(on: failure, attempt: 1, chance: 0) == .retry(after: .seconds(42)))
        failure.retryAfter = .seconds(301)
        let deferred = Failure(.deferred, "the host asks to wait 301 s (limit 300)", status: 429)
        #expect(policy.decision(on: failure, attempt: 1, chance: 0) == .giveUp(deferred))
        // After the last attempt too, so that the host is given up and not paused for that long.
        #expect(policy.decision(on: failure, attempt: 4, chance: 0) == .giveUp(deferred))
        failure.retryAfter = .seconds(42)
        #expect(policy.decision(on: failure, attempt: 4, chance: 0) == .giveUp(failure))
    }

    @Test(
        "Retry-After is seconds or a date",
        arguments: [
            ("0", 0), ("120", 120), ("99999999999999999999999", 1 << 32), ("-5", nil), ("1.5", nil), ("soon", nil),
            ("", nil), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Thu, 01 Jan 1970 00:10:00 GMT", 500),
        ] as [(String, Int?)])
    func parsing(text: String, seconds: Int?) {
        let now = text.contains("1994") ? 2_000_000_000 : 100
        #expect(parseRetryAfter(text, now: now) == seconds.map { .seconds($0) })
    }
}
