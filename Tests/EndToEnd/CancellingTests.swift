// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

/// Cancels some of many transfers in flight.
@Suite("Cancelling some of many transfers", .timeLimit(.minutes(10))) struct CancellingTests {
    private static let count = 500
    /// The server has its own process, because both ends of five hundred connections would be too many files for one.
    ///
    /// It is not `sluice serve`, which limits the connections of an address.
    private let server: Running
    private let port: UInt16

    /// A server that accepts any number of connections and prints its port.
    private static let serverCode = """
        import http.server

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", "5")
                self.end_headers()
                self.wfile.write(b"photo")
            def log_message(self, *words): pass

        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 4096

        server = Server(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    /// The number of connections that the system accepts for a process that does not; 0 where it is not known.
    private static let backlog: Int = {
        let text = try? String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        return text.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }()

    init() throws {
        OwnProcess.raiseDescriptorLimit()
        server = try Running(["python3", "-c", Self.serverCode], program: "/usr/bin/env")
        let line = try #require(try server.line())
        port = try #require(UInt16(line))
    }

    private func transfers(in pool: WorkPool) -> Transfers {
        var options = TransferOptions(userAgent: "Sluice/test")
        (options.connectTimeout, options.firstByteTimeout) = (.seconds(1000), .seconds(1000))
        options.minimumSpeedTime = .seconds(1000)
        for host in 0..<5 { options.loopbackPorts["host\(host).test"] = port }
        return Transfers(options, pool: pool)
    }

    /// The test used to wait forever if a connection was reset, because it waited for all connections without a limit.
    ///
    /// They are now opened in small groups, every wait is bounded, and a transfer that ends early fails the test.
    @Test(
        "Cancelling one of five hundred transfers, or one host, ends those immediately, and no others",
        .enabled(if: backlog > count, "the system accepts too few connections for a stopped process"))
    func cancelling() async throws {
        let ends = Locked<[Int: Result<String, Failure>]>([:])
        let pool = WorkPool(width: Self.count, backlog: Self.count, hosts: HostRules(perHost: Self.count))
        let transfers = transfers(in: pool)
        var ids: [WorkPool.ID] = []
        defer { for id in ids { pool.cancel(id) } }
        // While the server is stopped it sends no reply, but the system accepts connections for it.
        server.stop()
        while ids.count < Self.count {
            for _ in 0..<50 { ids.append(fetch(ids.count, with: transfers, in: pool, ends)) }
            let opened = ids.count
            try await wait(for: "\(opened) connections") {
                if let early = ends.withLock({ $0.first }) {
                    throw WaitError(description: "transfer \(early.key) ended early: \(early.value)")
                }
                return try #require(OwnProcess.connections(to: port)) >= opened
            }
        }
        pool.cancel(ids[7])
        pool.cancel(host: "host3.test")
        let cancelled = Set((0..<Self.count).filter { $0 == 7 || $0 % 5 == 3 })
        try await wait(for: "the end of the cancelled transfers") { ends.withLock { $0.count } >= cancelled.count }
        let ended = ends.withLock(\.self)
        #expect(Set(ended.keys) == cancelled && ended.values.allSatisfy { $0 == .failure(Failure(.cancelled, "")) })
        server.send(SIGCONT)
        try await wait(for: "the end of all transfers") { ends.withLock { $0.count } == Self.count }
        await pool.waitUntilIdle()
        let others = ends.withLock { $0.filter { !cancelled.contains($0.key) } }
        #expect(others.count == Self.count - cancelled.count && others.values.allSatisfy { $0 == .success("photo") })
    }

    private func fetch(
        _ number: Int, with transfers: Transfers, in pool: WorkPool, _ ends: Locked<[Int: Result<String, Failure>]>
    ) -> WorkPool.ID {
        let host = "host\(number % 5).test"
        return pool.submit(host: host) { slot in
            let result: Result<String, Failure>
            do throws(Failure) {
                let request = Request("http://\(host)/photo.jpg", timeout: .seconds(1000))
                let response = try await transfers.fetch(request, token: slot.token) { Issue.record("\($0)") }
                result = .success(String(decoding: response.body, as: UTF8.self))
            } catch {
                result = .failure(error)
            }
            ends.withLock { $0[number] = result }
        } dropped: { failure in
            Issue.record("\(number) never started: \(failure)")
        }
    }
}
