// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceTransfer

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
