// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// Transfers from a real server on the loopback interface.
@Suite("Transfers", .timeLimit(.minutes(10))) struct TransfersTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    /// The number of connections was limited to that of transfers, so requests to many hosts all connected again.
    @Test("More hosts than transfers keep their connections")
    func manyHosts() async throws {
        let reply = RawServer.Step.text(Self.ok + "Content-Length: 3\r\n\r\nabc")
        let servers = try (0..<8).map { _ in try RawServer(["/x": [reply, .again]]) }
        let transfers = transfers { $0.connections = 1 }
        for server in servers + servers {
            _ = try await transfers.fetch(Request(server.url("/x")), token: CancellationToken())
        }
        #expect(servers.map(\.connections) == Array(repeating: 1, count: 8))
        #expect(servers.map(\.requests.count) == Array(repeating: 2, count: 8))
    }

    @Test("A connection that has been idle for too long is closed")
    func oldConnection() async throws {
        let reply = RawServer.Step.text(Self.ok + "Content-Length: 3\r\n\r\nabc")
        let servers = try (0..<2).map { _ in try RawServer(["/x": [reply, .again]]) }
        let transfers = transfers { $0.idleTime = .zero }
        for server in servers {
            _ = try await transfers.fetch(Request(server.url("/x")), token: CancellationToken())
        }
        try await wait(for: "the end of the first connection") { servers[0].closedConnections == 1 }
        #expect(servers[1].closedConnections == 0)
    }

    @Test("A successful response is complete, with headers and hash")
    func good() async throws {
        let server = try RawServer(["/x": [.text(Self.ok + "ETag: \"v1\"\r\nContent-Length: 3\r\n\r\nabc")]])
        let response = try await transfers().fetch(Request(server.url("/x")), token: CancellationToken())
        #expect(response.body == Array("abc".utf8))
        #expect(response.headers["etag"] == "\"v1\"")
        #expect(response.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let head = try #require(server.requests.first)
        #expect(head.contains("User-Agent: Sluice/test\r\n"))
        #expect(!head.contains("Accept-Encoding"), "images are requested without compression")
    }

    @Test("Many transfer loops do not use up Dispatch's threads")
    func manyLoops() async throws {
        let server = try RawServer(["/x": [.text(Self.ok + "Content-Length: 3\r\n\r\nabc")]])
        // Dispatch has fewer threads for blocking work.
        let loops = (0..<300).map { _ in transfers() }
        let response = try await loops[299].fetch(Request(server.url("/x")), token: CancellationToken())
        #expect(response.body == Array("abc".utf8))
        withExtendedLifetime(loops) {}
    }

    @Test("Unreachable and invalid addresses fail with their cause")
    func unreachable() async throws {
        let server = try RawServer([:])
        server.stop()
        for (url, cause) in [
            (server.url("/x"), Cause.connect), ("http://no-such-host.invalid/", .dns),
            ("ftp://127.0.0.1/", .redirectScheme),
            ("not an address", .policy),
        ] {
            let failure = await #expect(throws: Failure.self) {
                try await transfers().fetch(Request(url), token: CancellationToken())
            }
            #expect(failure?.cause == cause, "\(url)")
        }
    }

    @Test("Redirects are followed, and headers are sent to their own origin only")
    func redirect() async throws {
        let target = try RawServer(["/y": [.text(Self.ok + "Content-Length: 1\r\n\r\nz")]])
        let away = "HTTP/1.1 302 Found\r\nLocation: \(target.url("/y"))\r\nContent-Length: 0\r\n\r\n"
        let server = try RawServer([
            "/a": [.text("HTTP/1.1 307 Near\r\nLocation: b\r\nContent-Length: 0\r\n\r\n")], "/b": [.text(away)],
        ])
        defer {
            server.stop()
            target.stop()
        }
        let request = Request(server.url("/a"), headers: ["Authorization: secret", "X-Api-Key: secret"])
        let response = try await transfers().fetch(request, token: CancellationToken())
        #expect(response.url == target.url("/y") && response.body == Array("z".utf8))
        #expect(server.requests.allSatisfy { $0.contains("secret") })
        #expect(!target.requests.joined().contains("secret"))
    }

    @Test("A host name can be mapped to a loopback port and keeps its Host header")
    func loopback() async throws {
        let server = try RawServer(["/x": [.text(Self.ok + "Content-Length: 1\r\n\r\nz")]])
        let transfers = transfers { $0.loopbackPorts = ["photos.sluice.test": server.port] }
        _ = try await transfers.fetch(Request("http://photos.sluice.test/x"), token: CancellationToken())
        #expect(server.requests.first?.contains("Host: photos.sluice.test\r\n") == true)
    }

    @Test("Cancelling one of many running transfers ends only that one")
    func cancelling() async throws {
        let server = try RawServer(["/hang": [.hang]])
        let transfers = transfers()
        let run = CancellationToken()
        let tokens = (0..<50).map { _ in CancellationToken(below: run) }
        let ends = Locked<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            for (number, token) in tokens.enumerated() {
                group.addTask {
                    let failure = await #expect(throws: Failure.self) {
                        try await transfers.fetch(Request(server.url("/hang")), token: token)
                    }
                    #expect(failure?.cause == (number == 7 ? .policy : .cancelled))
                    ends.withLock { $0.append(number) }
                }
            }
            // Wait until all fifty requests have reached the server.
            while server.requests.count < 50 { await Task.yield() }
            tokens[7].cancel(.policy)
            while ends.withLock({ $0.isEmpty }) { await Task.yield() }
            #expect(ends.withLock { $0 } == [7])
            run.cancel()
        }
        #expect(ends.withLock { $0.count } == 50)
    }

    @Test("A host that reports a used-up request quota is paused")
    func usedUpQuota() async throws {
        let limit = "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 30\r\n"
        let server = try RawServer(["/x": [.text(Self.ok + limit + "Content-Length: 1\r\n\r\nz")]])
        let transfers = transfers()
        let events = Locked<[TransferEvent]>([])
        _ = try await transfers.fetch(Request(server.url("/x")), token: CancellationToken()) { event in
            events.withLock { $0.append(event) }
        }
        guard case .hostPaused("127.0.0.1", .seconds(30), _)? = events.withLock({ $0.first }) else {
            Issue.record("the pause was not reported")
            return
        }
        let token = CancellationToken()
        let waiting = Task { try await transfers.fetch(Request(server.url("/x")), token: token) }
        token.cancel()
        await #expect(throws: Failure.self) { try await waiting.value }
        #expect(server.requests.count == 1)
    }

    @Test(
        "Downloads end at the transfer limit, whatever they receive",
        arguments: [ok + "Content-Length: 100000000\r\n\r\n", ok + "\r\n", "HTTP/1.1 404 No\r\n\r\n"])
    func transferLimit(head: String) async throws {
        let limit = 300_000
        let isNotFound = head.contains("404")
        // Each path is different, because downloads of the same address are shared.
        let steps: [RawServer.Step] = [.text(head)] + (isNotFound ? [.bytes(60_000)] : [.endless])
        let paths = (0..<20).map { "/\($0)" }
        let server = try RawServer(Dictionary(uniqueKeysWithValues: paths.map { ($0, steps) }))
        let transfers = transfers { $0.transferLimit = limit }
        let reached = Locked<[Int]>([])
        transfers.onTransferLimit { bytes in reached.withLock { $0.append(bytes) } }
        let folder = TemporaryFolder()
        let causes = await withTaskGroup(of: Cause?.self) { group in
            for (number, path) in paths.enumerated() {
                group.addTask {
                    do {
                        let partial = try PartialFile("\(number)", in: Folder(folder.path))
                        _ = try await transfers.download(
                            Request(server.url(path), limit: 1 << 30), into: partial, token: CancellationToken())
                        return nil
                    } catch {
                        return (error as? Failure)?.cause
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(causes.contains(.cancelled))
        #expect(causes.allSatisfy { $0 == .cancelled || isNotFound && $0 == .httpClientError(404) })
        #expect((limit...limit + 1 << 20).contains(transfers.receivedBytes))
        #expect(reached.withLock(\.self) == [transfers.receivedBytes])
    }

    @Test("A response that is cut anywhere inside its headers is requested again")
    func cutHeaders() async throws {
        let head = Array((Self.ok + "ETag: \"v1\"\r\nContent-Length: 3\r\n\r\n").utf8)
        var scripts: [String: [[RawServer.Step]]] = [:]
        for count in 0..<head.count {
            scripts["/\(count)"] = [[.raw(Array(head[..<count]))], [.raw(head), .text("abc")]]
        }
        let server = try RawServer(sequences: scripts)
        let transfers = transfers(retries: 1)
        for count in 0..<head.count {
            let response = try await transfers.fetch(Request(server.url("/\(count)")), token: CancellationToken())
            #expect(response.body == Array("abc".utf8))
        }
    }

    @Test("Cancelling ends the wait between two attempts")
    func cancelledWait() async throws {
        let server = try RawServer(["/x": [.text("HTTP/1.1 503 Busy\r\nRetry-After: 200\r\nContent-Length: 0\r\n\r\n")]]
        )
        let token = CancellationToken()
        let events = Locked<[TransferEvent]>([])
        let failure = await #expect(throws: Failure.self) {
            try await transfers(retries: 3).fetch(Request(server.url("/x")), token: token) { event in
                events.withLock { $0.append(event) }
                if case .retried(_, _, .seconds(200)) = event { token.cancel() }
            }
        }
        #expect(failure?.cause == .cancelled)
        #expect(server.requests.count == 1)
        guard case .hostPaused("127.0.0.1", .seconds(200), _)? = events.withLock({ $0.first }) else {
            Issue.record("the host's pause was not reported")
            return
        }
    }
}

@Suite("Service requests", .timeLimit(.minutes(5))) struct ServiceRequestTests {
    private static let stored = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func transfers() -> Transfers { Transfers(.open { $0.http = .http1 }) }

    @Test("Small and large bodies arrive whole", arguments: [0, 1, 32 << 10, (32 << 10) + 1, 700_001])
    func bodies(count: Int) async throws {
        let server = try RawServer(["/object": [.text(Self.stored), .again]])
        let body = [UInt8](repeating: 0x61, count: count)
        let request = ServiceRequest("PUT", server.url("/object"), body: body)
        let transfers = transfers()
        let status = try await DedicatedThread.run {
            Result { () throws(Failure) in try transfers.send(request, token: CancellationToken()).status }
        }.get()
        #expect(status == 200)
        let received = try #require(server.requests.first)
        #expect(received.hasPrefix("PUT /object ") && received.contains("Content-Length: \(count)\r\n"))
        #expect(received.hasSuffix("\r\n\r\n" + String(repeating: "a", count: count)))
    }

    @Test("A large body is sent again from its beginning if the idle connection was closed")
    func rewinding() async throws {
        let server = try RawServer(sequences: [
            "/object": [[.text(Self.stored), .again], [.reset], [.text(Self.stored)]]
        ])
        let body = (0..<500_000).map { UInt8(0x61 + $0 % 23) }
        let request = ServiceRequest("PUT", server.url("/object"), body: body)
        let transfers = transfers()
        try await DedicatedThread.run {
            Result { () throws(Failure) in
                for _ in 0..<2 { _ = try transfers.send(request, token: CancellationToken()) }
            }
        }.get()
        #expect(server.requests.count == 3)
        for received in server.requests {
            #expect(received.hasSuffix("\r\n\r\n" + String(decoding: body, as: UTF8.self)))
        }
    }
}

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
