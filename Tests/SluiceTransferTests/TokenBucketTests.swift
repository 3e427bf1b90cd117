// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

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
        defer { server.stop() }
        var options = TransferOptions.patient
        options.addressGuard = .open
        options.bandwidth = 2_000_000
        let transfers = Transfers(options)
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
