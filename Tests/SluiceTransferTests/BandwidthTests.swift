// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Bandwidth", .timeLimit(.minutes(10))) struct BandwidthTests {
    @Test("Over any time no more passes than was allowed, and no less where enough is there", arguments: [1, 7, 30])
    func bucket(step: Int) {
        let start = ContinuousClock.now
        var bandwidth = Bandwidth(1_000_000, now: start)
        var now = start
        var passed = 0
        while now < start + .seconds(20) {
            while bandwidth.take(16_384, now: now) { passed += 16_384 }
            #expect(bandwidth.opening > now)
            now = max(bandwidth.opening, now + .milliseconds(step))
        }
        #expect((19_900_000...20_200_000).contains(passed), "\(passed)")
    }

    @Test("A rest is made up for by a tenth of a second, not by all that might have come")
    func rest() {
        let start = ContinuousClock.now
        var bandwidth = Bandwidth(1000, now: start)
        let later = start + .seconds(3600)
        var passed = 0
        while bandwidth.take(10, now: later) { passed += 10 }
        #expect(passed == 100)
    }

    @Test("Transfers that are held up all arrive whole, and together take their time")
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
            for _ in 0..<5 { group.addTask { try await transfers.fetch(request, token: Token()).bytes } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: size, count: 5))
        // A million bytes, less what a full bucket lets through at once: a bound from below, which no slow machine breaks.
        #expect(.now - start >= .milliseconds(380))
    }
}
