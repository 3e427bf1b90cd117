// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceTransfer

@Suite("Host book") struct HostBookTests {
    private let start = ContinuousClock.now
    private let retry = RetryPolicy()
    private let refused = Failure(.connect, "refused")
    private let busy = Failure(.httpServerError, "", status: 503)

    @Test("A host that names no time is asked more rarely with each failure, up to the cap")
    func backoff() {
        var book = HostBook(HostRules())
        var now = start
        var waits: [Duration] = []
        for _ in 1...8 {
            guard case .paused(let wait) = book.failed("a", busy, retry: retry, now: now) else { break }
            waits.append(wait)
            now += wait
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    }

    @Test("Requests that were under way when the pause began neither count nor shorten it")
    func underWay() {
        var book = HostBook(HostRules())
        var slow = busy
        slow.retryAfter = .seconds(30)
        #expect(book.failed("a", slow, retry: retry, now: start) == .paused(.seconds(30)))
        for _ in 1...50 { #expect(book.failed("a", busy, retry: retry, now: start + .seconds(1)) == .none) }
        slow.retryAfter = .seconds(90)
        #expect(book.failed("a", slow, retry: retry, now: start + .seconds(1)) == .paused(.seconds(90)))
        #expect(book.opening(of: "a", after: start + .seconds(2)) == start + .seconds(91))
    }

    @Test("Any answer ends a row of failures; what is our own fault is none")
    func answers() {
        var book = HostBook(HostRules())
        for round in 1...30 {
            for _ in 1...9 { #expect(book.failed("a", refused, retry: retry, now: start) == .none) }
            if round % 2 == 0 {
                book.answered("a")
            } else {
                #expect(book.failed("a", Failure(.httpClientError(404), ""), retry: retry, now: start) == .none)
            }
        }
        for cause in [Cause.cancelled, .disk, .addressRefused] {
            for _ in 1...20 { #expect(book.failed("b", Failure(cause, ""), retry: retry, now: start) == .none) }
        }
    }

    @Test("A host that asks for more than is waited for is not asked again")
    func deferred() {
        var book = HostBook(HostRules())
        let deferred = Failure(.deferred, "the host asks to wait 9000 s (limit 300)", status: 429)
        #expect(book.failed("a", deferred, retry: retry, now: start) == .givenUp(deferred))
        #expect(book.refusal(of: "a") == deferred && book.refusal(of: "b") == nil)
        #expect(book.failed("a", deferred, retry: retry, now: start) == .none, "told once")
    }

    @Test("A feed's own interval is kept where it is the longer one")
    func intervals() {
        var rules = HostRules()
        rules.interval = .seconds(2)
        rules.intervals = ["slow": .seconds(5), "quick": .milliseconds(10)]
        var book = HostBook(rules)
        for host in ["slow", "quick", "other"] { _ = book.book(host, now: start) }
        #expect(book.book("slow", now: start) == start + .seconds(5))
        #expect(book.book("quick", now: start) == start + .seconds(2))
        #expect(book.book("other", now: start) == start + .seconds(2))
    }

    @Test("Hosts that nothing is to be said of are forgotten")
    func memory() {
        var rules = HostRules()
        rules.interval = .milliseconds(1)
        var book = HostBook(rules)
        for host in 0..<100_000 { book.begin("host\(host)", at: start + .milliseconds(host)) }
        #expect(book.count < 5000)
    }
}
