// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceOrigin
import Testing

@Suite("Origin server", .timeLimit(.minutes(10))) struct OriginServerTests {
    @Test("A minimal service is served on a free port") func serves() throws {
        let origin = try OriginServer(
            ClosureService { .text("you asked for \($0.path) and \($0.query("q") ?? "nothing")") })
        let reply = try RawClient.fetch("/a%20b?x=1&q=caf%C3%A9+au+lait", from: origin)
        #expect(origin.port > 0)
        #expect(reply.status == 200)
        #expect(reply.text == "you asked for /a b and café au lait")
        #expect(reply.header("Content-Length") == "\(reply.body.count)")
    }

    @Test("A connection carries several requests, and both are counted") func keepsAlive() throws {
        let origin = try OriginServer(thousand)
        let client = try RawClient(port: origin.port)
        for _ in 0..<3 {
            client.send("/x")
            #expect(client.read().body == thousandBytes)
        }
        #expect(origin.statistics.connections == 1)
        #expect(origin.statistics.requests == 3)
        #expect(origin.statistics.openConnections == 1)
    }

    @Test("HEAD returns the headers of GET and no body") func head() throws {
        let origin = try OriginServer(thousand)
        let reply = try RawClient.fetch("/", from: origin, method: "HEAD")
        #expect(reply.status == 200)
        #expect(reply.header("Content-Length") == "1000")
        #expect(reply.body.isEmpty)
    }

    @Test("A request's body reaches the service, up to its limit") func body() throws {
        let origin = try OriginServer(ClosureService { .text("\($0.method) \($0.body.count)") })
        let client = try RawClient(port: origin.port)
        client.send("/token", method: "POST", body: "grant_type=x")
        #expect(client.read().text == "POST 12")
        client.send("/token", method: "POST", body: String(repeating: "x", count: 70_000))
        #expect(client.read().text == "POST 65536")
    }

    @Test("The log keeps the most recent requests with their headers, up to its limit") func log() throws {
        var options = OriginOptions()
        options.logLimit = 2
        let origin = try OriginServer(thousand, options: options)
        for number in 1...3 {
            _ = try RawClient.fetch("/\(number)", from: origin, headers: [OriginHeader("Range", "bytes=\(number)-")])
        }
        #expect(origin.requests.map(\.path) == ["/2", "/3"])
        #expect(origin.requests.map { $0.header("range") } == ["bytes=2-", "bytes=3-"])
        #expect(origin.statistics.requests == 3)
    }

    @Test("A chunked body has no Content-Length") func chunked() throws {
        let origin = try OriginServer(
            ClosureService { _ in
                var reply = OriginReply(type: "text/plain", thousandBytes)
                reply.isChunked = true
                return reply
            })
        let reply = try RawClient.fetch("/", from: origin)
        #expect(reply.header("Content-Length") == nil)
        #expect(reply.header("Transfer-Encoding") == "chunked")
        #expect(reply.body == thousandBytes)
        #expect(reply.isWhole)
    }

    @Test("300 concurrent requests take about one latency, not 300") func latency() throws {
        var options = OriginOptions()
        options.latency = .milliseconds(400)
        let origin = try OriginServer(thousand, options: options)
        let start = ContinuousClock.now
        let clients = try (0..<300).map { _ in try RawClient(port: origin.port) }
        for client in clients { client.send("/") }
        for client in clients { #expect(client.read().body == thousandBytes) }
        let time = ContinuousClock.now - start
        #expect(time >= .milliseconds(400))
        // If each of four threads handled one request at a time, they would take half a minute.
        #expect(time < .seconds(15))
        #expect(origin.statistics.peakRequests > 50)
    }

    @Test("The bandwidth limits a connection's bytes per second") func bandwidth() throws {
        var options = OriginOptions()
        options.bandwidth = 2000
        let origin = try OriginServer(thousand, options: options)
        let start = ContinuousClock.now
        #expect(try RawClient.fetch("/", from: origin).body == thousandBytes)
        #expect(ContinuousClock.now - start >= .milliseconds(490))
    }

    @Test("A reply waits at its gate and is sent when the gate opens") func gate() async throws {
        let gate = OriginGate()
        let origin = try OriginServer(
            ClosureService { _ in
                var reply = OriginReply.text("through")
                reply.gate = gate
                return reply
            })
        let client = try RawClient(port: origin.port)
        client.send("/")
        try await until { gate.waiting == 1 }
        #expect(client.read(seconds: 0.05).status == 0)
        gate.open()
        #expect(client.read().text == "through")
        #expect(try RawClient.fetch("/", from: origin).text == "through")
    }

    @Test("Stopping ends requests that wait, hang, drip and run, and a second stop does nothing")
    func stopping() async throws {
        var options = OriginOptions()
        options.faults = [
            OriginFaultRule(.hang, path: "/hang"), OriginFaultRule(.stall(afterBytes: 10), path: "/stall"),
            OriginFaultRule(.late(.seconds(600)), path: "/late"), OriginFaultRule(.endless, path: "/endless"),
            OriginFaultRule(.drip(bytes: 1, every: .milliseconds(500)), path: "/drip"),
        ]
        options.bandwidth = 10_000
        let origin = try OriginServer(thousand, options: options)
        let paths = ["/hang", "/stall", "/late", "/drip", "/endless"]
        let clients = try (0..<100).map { _ in try RawClient(port: origin.port) }
        for (index, client) in clients.enumerated() { client.send(paths[index % paths.count]) }
        try await until { origin.statistics.requests == 100 }
        origin.stop()
        origin.stop()
        #expect(origin.statistics.openRequests == 0)
        #expect(origin.statistics.openConnections == 0)
        for (index, client) in clients.enumerated() {
            let reply = client.read(seconds: 5)
            #expect(!reply.isWhole && reply.isClosed, "\(paths[index % paths.count])")
        }
        #expect(throws: (any Error).self) { try RawClient(port: origin.port) }
    }

    @Test("Releasing the server stops it") func stopsOnRelease() throws {
        var origin: OriginServer? = try OriginServer(thousand)
        let port = try #require(origin?.port)
        _ = try RawClient(port: port)
        origin = nil
        #expect(throws: (any Error).self) { try RawClient(port: port) }
    }

    @Test("A client that disconnects from a hanging reply leaves nothing open") func abandoned() async throws {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.hang)]
        let origin = try OriginServer(thousand, options: options)
        var clients = try (0..<20).map { _ in try RawClient(port: origin.port) }
        for client in clients { client.send("/") }
        try await until { origin.statistics.openRequests == 20 }
        clients = []
        try await until { origin.statistics.openConnections == 0 }
        #expect(origin.statistics.openRequests == 0)
    }

    @Test("A request with a malformed head leaves nothing open") func broken() async throws {
        let origin = try OriginServer(thousand)
        let client = try RawClient(port: origin.port)
        client.send(raw: "GET /x HTTP/1.1\r\nHost: a\r\nthis is no field\r\n\r\n")
        #expect(client.read().status == 400)
        try await until { origin.statistics.openConnections == 0 }
        #expect(origin.statistics.openRequests == 0)
    }

    @Test("A header that would split the reply closes the connection") func splitting() throws {
        let origin = try OriginServer(ClosureService { _ in OriginReply(headers: [OriginHeader("X", "a\r\nEvil: b")]) })
        let reply = try RawClient.fetch("/", from: origin)
        #expect(reply.status == 0)
        #expect(reply.isClosed)
    }

    @Test(
        "IPv6 is served, alone or together with IPv4", arguments: [("::1", ["[::1]"]), ("::", ["[::1]", "127.0.0.1"])])
    func listensOnIPv6(host: String, reached: [String]) throws {
        var options = OriginOptions()
        (options.host, options.isPublic) = (host, host == "::")
        let origin = try OriginServer(thousand, options: options)
        #expect(origin.address == "http://[\(host)]:\(origin.port)")
        for name in reached {
            let client = try RawClient(port: origin.port, host: name)
            client.send("/")
            #expect(client.read().status == 200)
        }
    }

    @Test("Only loopback addresses are allowed, and the error names a port in use") func refusals() throws {
        var options = OriginOptions()
        options.host = "0.0.0.0"
        #expect(throws: FileError.self) { try OriginServer(thousand, options: options) }
        options.host = "127.0.0.2"
        let origin = try OriginServer(thousand, options: options)
        #expect(try RawClient.fetch("/", from: origin).status == 200)
        options.port = origin.port
        do {
            _ = try OriginServer(thousand, options: options)
            Issue.record("the port was free")
        } catch {
            #expect(error.code == EADDRINUSE)
            #expect(error.description.contains("127.0.0.2:\(origin.port)"))
        }
    }
}
