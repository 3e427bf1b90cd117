// SPDX-License-Identifier: MIT

import SluiceOrigin
import TestSupport
import Testing

/// Clients that occupy connections of a real server.
@Suite("Connection protection", .timeLimit(.minutes(5))) struct ConnectionProtectionTests {
    private func options(_ change: (inout OriginOptions.ConnectionProtection) -> Void) -> OriginOptions {
        var protection = OriginOptions.ConnectionProtection()
        protection.requestTime = .seconds(1000)
        change(&protection)
        var options = OriginOptions()
        options.protection = protection
        return options
    }

    /// Opens connections that have sent the beginning of a request.
    private func drip(_ count: Int, _ origin: OriginServer) async throws -> [RawClient] {
        let clients = try (0..<count).map { _ in
            let client = try RawClient(port: origin.port)
            client.send(raw: "GET / HTTP/1.1\r\nX-A: ")
            return client
        }
        try await wait(for: "all connections") { origin.statistics.connections >= count }
        return clients
    }

    @Test("Connections that send nothing more do not keep others out", arguments: [true, false])
    func crowd(isOneNetwork: Bool) async throws {
        var options = options { $0.perNetwork = isOneNetwork ? 20 : 10_000 }
        options.connectionLimit = isOneNetwork ? 10_000 : 20
        let origin = try OriginServer(thousand, options: options)
        let clients = try await drip(200, origin)
        #expect(try RawClient.fetch("/", from: origin).body == thousandBytes)
        try await wait(for: "the surplus connections to end") { origin.statistics.openConnections <= 20 }
        // The newest one may still finish its request.
        clients[199].send(raw: "x\r\nHost: a\r\n\r\n")
        #expect(clients[199].read().body == thousandBytes)
        #expect(clients[0].read().isClosed)
    }

    @Test("A connection whose request does not arrive in time is closed; one that waits for its reply is not")
    func deadline() async throws {
        let gate = OriginGate()
        let service = ClosureService { request in
            var reply = OriginReply.text("ok")
            if request.path == "/late" { reply.gate = gate }
            return reply
        }
        let origin = try OriginServer(service, options: options { $0.requestTime = .seconds(2) })
        let late = try RawClient(port: origin.port)
        late.send("/late")
        try await wait(for: "the request") { gate.waiting == 1 }
        let slow = try await drip(1, origin)
        #expect(slow[0].read().isClosed)
        gate.open()
        #expect(late.read().text == "ok")
        #expect(late.read().isClosed, "the next request does not arrive in time")
    }
}
