// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Transfer times", .timeLimit(.minutes(10))) struct TransferTimesTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"

    /// Waits 200 ms from when the server reaches this step.
    private static func delay() -> RawServer.Step {
        let begin = Locked<ContinuousClock.Instant?>(nil)
        return .until {
            begin.withLock { begin in
                begin = begin ?? .now
                return begin.map { .now - $0 >= .milliseconds(200) } ?? false
            }
        }
    }

    private func transfers() -> Transfers {
        var options = TransferOptions.patient
        options.addressGuard = .open
        return Transfers(options)
    }

    private func times(_ steps: [RawServer.Step], _ others: [String: [RawServer.Step]] = [:]) async throws
        -> TransferTimes
    {
        let server = try RawServer(others.merging(["/x": steps]) { $1 })
        defer { server.stop() }
        let response = try await transfers().fetch(Request(server.url("/x")), token: CancellationToken())
        return try #require(response.times)
    }

    @Test("A delay counts before or after the first byte, depending on where the host causes it") func delays()
        async throws
    {
        let delayed = try await times([Self.delay(), .text(Self.ok + "abc")])
        #expect(delayed.firstByte >= .milliseconds(150) && delayed.firstByte > delayed.body)
        let slow = try await times([.text(Self.ok + "a"), .drip(2, milliseconds: 100)])
        #expect(slow.body >= .milliseconds(150) && slow.body > slow.firstByte)
    }

    @Test("A new connection has a connect time, and without TLS no TLS time") func connection() async throws {
        let times = try await times([.text(Self.ok + "abc")])
        #expect(times.connect > .zero && times.tls == .zero)
    }

    @Test("The times of all redirects are added up") func redirects() async throws {
        let times = try await times(
            [Self.delay(), .text("HTTP/1.1 302 Found\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n")],
            ["/y": [Self.delay(), .text(Self.ok + "abc")]])
        #expect(times.firstByte >= .milliseconds(300))
    }
}
