// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
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

@Suite("Rate limit", .timeLimit(.minutes(10))) struct RateLimitTests {
    private static let now = 1_800_000_000

    @Test(
        "All forms of rate-limit headers are parsed",
        arguments: [
            (["X-Ratelimit-Limit: 50", "X-Ratelimit-Remaining: 0"], true, nil),
            (["X-Ratelimit-Remaining: 49", "X-Ratelimit-Reset: 30"], false, nil),
            (["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 30"], true, 30),
            (["X-Ratelimit-Remaining: 0", "X-Ratelimit-Reset: 1800000042"], true, 42),
            (["X-Ratelimit-Remaining: 0", "X-Ratelimit-Reset: 1700000000"], true, 0),
            (["X-Rate-Limit-Remaining: 0", "X-Rate-Limit-Reset: 1800000007.5"], true, 7),
            (
                [
                    "X-RateLimit-Remaining-anon_burst: 0", "X-RateLimit-Remaining-anon_day: 50",
                    "X-RateLimit-Reset-anon_burst: 20", "X-RateLimit-Reset-anon_day: 80000",
                ], true, 20
            ),
            (["RateLimit-Limit: 10", "RateLimit-Remaining: 0", "RateLimit-Reset: 9"], true, 9),
            (["RateLimit: limit=100, remaining=0, reset=50"], true, 50),
            (["RateLimit: limit=100, remaining=5, reset=50"], false, nil),
            (["RateLimit: \"default\";r=0;t=12, \"day\";r=50;t=9999"], true, 12),
            (["RateLimit: \"a\";r=0;t=12", "RateLimit: \"b\";r=0;t=70"], true, 70),
            (["X-RateLimit-Remaining: soon", "RateLimit: ;;=,\"", "X-RateLimit-Reset: -5"], false, nil),
            (["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 99999999999999999999"], true, nil),
            ([], false, nil),
        ] as [([String], Bool, Int?)])
    func forms(lines: [String], isUsedUp: Bool, reset: Int?) {
        var headers = HeaderFields()
        for line in lines { headers.add(line: line) }
        let limit = RateLimit(headers, now: Self.now)
        #expect(limit.isUsedUp == isUsedUp)
        #expect(limit.reset == reset.map { .seconds($0) })
    }
}

@Suite("Bandwidth limit", .timeLimit(.minutes(10))) struct TokenBucketTests {
    @Test("The bucket passes exactly the allowed rate under constant load", arguments: [1, 7, 30])
    func rate(step: Int) {
        let start = ContinuousClock.now
        var bucket = TokenBucket(bytesPerSecond: 1_000_000, now: start)
        var now = start
        var passed = 0
        while now < start + .seconds(20) {
            while bucket.take(16_384, now: now) { passed += 16_384 }
            #expect(bucket.refillTime > now)
            now = max(bucket.refillTime, now + .milliseconds(step))
        }
        #expect((19_900_000...20_200_000).contains(passed), "\(passed)")
    }

    @Test("After a pause, the burst is limited to a tenth of a second")
    func burst() {
        let start = ContinuousClock.now
        var bucket = TokenBucket(bytesPerSecond: 1000, now: start)
        let later = start + .seconds(3600)
        var passed = 0
        while bucket.take(10, now: later) { passed += 10 }
        #expect(passed == 100)
    }

    @Test("Throttled transfers complete, and together take the expected time")
    func transfers() async throws {
        let size = 200_000
        let server = try RawServer(["/x": [.text("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .bytes(size)]])
        let transfers = Transfers(.open { $0.bandwidth = 2_000_000 })
        let request = Request(server.url("/x"))
        let start = ContinuousClock.now
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { try await transfers.fetch(request, token: CancellationToken()).bytes } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: size, count: 5))
        // A million bytes minus the initial burst. It is a lower bound, which a slow machine cannot break.
        #expect(.now - start >= .milliseconds(380))
    }

    @Test("Another rate applies from its time on")
    func otherRate() {
        let start = ContinuousClock.now
        var bucket = TokenBucket(bytesPerSecond: 1000, now: start)
        let isTaken = bucket.take(1100, now: start)
        #expect(isTaken && bucket.refillTime >= start + .seconds(1) && bucket.refillTime < start + .seconds(1.1))
        bucket.setRate(4000, now: start + .seconds(0.5))
        #expect(bucket.refillTime > start + .seconds(0.5) && bucket.refillTime < start + .seconds(0.7))
        let takes = [0.6, 0.7].map { bucket.take(1, now: start + .seconds($0)) }
        #expect(takes == [false, true])
    }
}
