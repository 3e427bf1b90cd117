// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("TransferTimes", .timeLimit(.minutes(10))) struct TransferTimesTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"

    /// A fifth of a second from when the server comes to it.
    private static func thinking() -> RawServer.Step {
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
        let response = try await transfers().fetch(Request(server.url("/x")), token: Token())
        return try #require(response.times)
    }

    @Test("A host that thinks is waited for before the first byte, one that dawdles behind it") func waits()
        async throws
    {
        let thinks = try await times([Self.thinking(), .text(Self.ok + "abc")])
        #expect(thinks.firstByte >= .milliseconds(150) && thinks.firstByte > thinks.body)
        let dawdles = try await times([.text(Self.ok + "a"), .drip(2, milliseconds: 100)])
        #expect(dawdles.body >= .milliseconds(150) && dawdles.body > dawdles.firstByte)
    }

    @Test("A new connection has its time, and no secret one where there is none") func connection() async throws {
        let times = try await times([.text(Self.ok + "abc")])
        #expect(times.connect > .zero && times.tls == .zero)
    }

    @Test("The times of all hops are added up") func redirects() async throws {
        let times = try await times(
            [Self.thinking(), .text("HTTP/1.1 302 Found\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n")],
            ["/y": [Self.thinking(), .text(Self.ok + "abc")]])
        #expect(times.firstByte >= .milliseconds(300))
    }
}
