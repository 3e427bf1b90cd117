// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import SluiceOrigin

@Suite("Connection table", .timeLimit(.minutes(10))) struct ConnectionTableTests {
    private let start = ContinuousClock.now

    private func table(perNetwork: Int = 3, total: Int = 5) -> ConnectionTable {
        ConnectionTable(requestTime: .seconds(10), perNetwork: perNetwork, total: total)
    }

    @Test("A network beyond its limit loses its oldest waiting connection, or the slowest if none waits")
    func perNetwork() {
        var table = table()
        for id in 1...3 as ClosedRange<UInt> { #expect(table.add(id, from: 7, now: start) == nil) }
        table.receiveRequest(1, now: start)
        #expect(table.add(4, from: 7, now: start) == 2)
        #expect(table.add(5, from: 8, now: start) == nil, "another network has room")
        for id in [3, 4] as [UInt] { table.receiveRequest(id, now: start + .seconds(1)) }
        table.recordProgress(1, now: start + .seconds(2))
        #expect(table.add(6, from: 7, now: start + .seconds(3)) == 3)
        table.receiveRequest(6, now: start + .seconds(3))
        #expect(table.add(7, from: 7, now: start + .seconds(4)) == 4)
        #expect(table.add(8, from: 7, now: start + .seconds(4)) == 7, "it waits, and the others do not")
        #expect(table.count == 4)
    }

    @Test("Replies without end get a quarter of a network's connections; the oldest makes room")
    func streams() {
        var table = table(perNetwork: 8, total: 100)
        for id in 1...4 as ClosedRange<UInt> { _ = table.add(id, from: id == 4 ? 8 : 7, now: start) }
        #expect(table.beginStream(1) == nil && table.beginStream(2) == nil)
        #expect(table.beginStream(4) == nil, "another network has its own share")
        table.finishReply(2, now: start)
        #expect(table.beginStream(3) == nil)
        #expect(table.beginStream(2) == 1)
        #expect(table.count == 3)
    }

    @Test("If the server is full, the network with the most connections makes room")
    func total() {
        var table = table()
        for id in 1...3 as ClosedRange<UInt> { _ = table.add(id, from: 7, now: start) }
        for id in 4...5 as ClosedRange<UInt> { _ = table.add(id, from: 8, now: start) }
        #expect(table.add(6, from: 9, now: start) == 1)
        #expect(table.count == 5)
    }

    @Test("A connection is overdue if its request is not complete in time, counted from the end of the last reply")
    func overdue() {
        var table = table()
        for id in 1...2 as ClosedRange<UInt> { _ = table.add(id, from: 7, now: start) }
        table.receiveRequest(2, now: start)
        #expect(table.removeOverdue(now: start + .seconds(9)) == [])
        #expect(table.removeOverdue(now: start + .seconds(10)) == [1])
        #expect(!table.hasWaiting)
        table.finishReply(2, now: start + .seconds(100))
        #expect(table.hasWaiting && table.removeOverdue(now: start + .seconds(109)) == [])
        #expect(table.removeOverdue(now: start + .seconds(110)) == [2] && table.count == 0)
    }

    @Test("Events of connections that were closed or have ended are ignored")
    func unknown() {
        var table = table()
        table.receiveRequest(1, now: start)
        table.recordProgress(1, now: start)
        #expect(table.beginStream(1) == nil)
        table.finishReply(1, now: start)
        table.remove(1)
        #expect(table.count == 0 && !table.hasWaiting)
    }
}

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

    /// 64 open event streams, or 64 clients that read nothing, kept all other clients of their address out.
    @Test("Replies that clients do not take do not keep others out", arguments: ["/endless", "/large"])
    func replies(path: String) async throws {
        let gate = OriginGate()
        let service = ClosureService { request in
            guard request.path != "/" else { return OriginReply(type: "image/png", thousandBytes) }
            var reply = OriginReply()
            reply.stream = WaitingStream(length: request.path == "/large" ? 1 << 40 : nil, gate: gate)
            return reply
        }
        let origin = try OriginServer(service, options: options { $0.perNetwork = 8 })
        let clients = try (0..<8).map { _ in
            let client = try RawClient(port: origin.port)
            client.send(path)
            return client
        }
        if path == "/endless" {
            try await wait(for: "the surplus streams to end") { origin.statistics.openConnections == 2 }
        } else {
            try await wait(for: "all requests") { origin.requests.count == 8 }
        }
        #expect(try RawClient.fetch("/", from: origin).body == thousandBytes)
        // The newest one is still answered.
        #expect(clients[7].read(enough: 1).body.count > 0)
        gate.open()
    }

    @Test("A connection whose client takes nothing of the reply is closed after a time")
    func stalled() async throws {
        let service = ClosureService { _ in
            var reply = OriginReply()
            reply.stream = WaitingStream(length: 1 << 40, gate: nil)
            return reply
        }
        let origin = try OriginServer(service, options: options { $0.idleTime = .seconds(1) })
        let client = try RawClient(port: origin.port)
        client.send("/")
        try await wait(for: "the request") { origin.requests.count == 1 }
        try await wait(for: "the connection to end") { origin.statistics.openConnections == 0 }
        withExtendedLifetime(client) {}
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

/// A long body of zeros; without a length, it waits at a gate after its first byte.
private struct WaitingStream: OriginStream {
    let length: Int?
    let gate: OriginGate?

    func read(at offset: Int, count: Int) -> OriginReadResult {
        if length == nil, offset > 0, let gate, !gate.isOpen { return .later(gate) }
        return length == nil && offset > 0 ? .end : .bytes([UInt8](repeating: 0, count: length == nil ? 1 : count))
    }
}

@Suite("Body state machine", .timeLimit(.minutes(10))) struct BodyFlowTests {
    @Test("Without a fault the body fills the available capacity") func plain() {
        var body = BodyStateMachine(length: 100, fault: nil, bandwidth: nil)
        #expect(body.next(capacity: 64, after: .zero) == .send(64))
        #expect(body.next(capacity: 64, after: .zero) == .send(36))
        #expect(body.next(capacity: 64, after: .zero) == .end)
    }

    @Test("The bandwidth limit holds exactly, for any pauses", arguments: [1, 40, 1000, 3_000_000])
    func bandwidth(rate: Int) {
        let length = rate * 2
        var body = BodyStateMachine(length: length, fault: nil, bandwidth: rate)
        var now = Duration.zero
        while true {
            switch body.next(capacity: 65536, after: now) {
            case .send: #expect(Double(body.sent) <= Double(rate) * now.seconds + 1)
            case .wait(let time): now += time
            case .end:
                #expect(body.sent == length)
                #expect(abs(now.seconds - 2) < 0.05)
                return
            case .stall, .cut:
                Issue.record("unexpected stall or cut")
                return
            }
        }
    }

    @Test("A cut happens after its bytes and is permanent", arguments: [0, 7, 100])
    func cuts(at count: Int) {
        var body = BodyStateMachine(length: 100, fault: .cut(afterBytes: count), bandwidth: nil)
        if count > 0 { #expect(body.next(capacity: 1000, after: .zero) == .send(count)) }
        #expect(body.next(capacity: 1000, after: .zero) == .cut)
        #expect(body.next(capacity: 1000, after: .zero) == .cut)
    }

    @Test("A dripped piece waits for its interval, and late pieces catch up") func drip() {
        var body = BodyStateMachine(length: 10, fault: .drip(bytes: 2, every: .seconds(1)), bandwidth: nil)
        guard case .wait(let time) = body.next(capacity: 100, after: .zero) else {
            Issue.record("the first piece was sent immediately")
            return
        }
        #expect(abs(time.seconds - 1) < 0.01)
        #expect(body.next(capacity: 100, after: .seconds(1)) == .send(2))
        #expect(body.next(capacity: 100, after: .seconds(4)) == .send(6))
    }
}
