// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

/// Cancels some of many transfers in flight.
@Suite("Cancelling some of many transfers", .timeLimit(.minutes(10))) struct CancellingTests {
    private static let count = 500
    private let folder: TemporaryFolder
    /// The built-in origin, in a process of its own: both ends of so many connections would be too many files for one.
    private let server: Running
    private let port: UInt16

    init() throws {
        OwnProcess.raiseDescriptorLimit()
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path(".sluice"), withIntermediateDirectories: false)
        try Data("photo".utf8).write(to: folder.url.appending(path: "photo.jpg"))
        let line = "exec '\(Binary.path)' serve '\(folder.path)' --port 0 --public 2>&1"
        server = try Running(["-c", line], program: "/bin/sh")
        // `DIR is at http://127.0.0.1:37019/ until Ctrl-C`
        let words = try #require(try server.line()).split { !$0.isNumber }
        port = try #require(words.compactMap { UInt16($0) }.last)
    }

    private func transfers(in pool: WorkPool) -> Transfers {
        var options = TransferOptions(userAgent: "Sluice/test")
        (options.firstByteTimeout, options.leastSpeedTime) = (.seconds(1000), .seconds(1000))
        for host in 0..<5 { options.loopbackPorts["host\(host).test"] = port }
        return Transfers(options, pool: pool)
    }

    @Test("One of five hundred transfers, or a host of them, ends at once when it is called off, and no other does")
    func five() async throws {
        let ends = Locked<[Int: Result<String, Failure>]>([:])
        // Called off are one of another host, and the hundred of one host.
        let gone = Gate(opensAt: 101)
        let pool = WorkPool(width: Self.count, backlog: Self.count, hosts: HostRules(perHost: Self.count))
        let transfers = transfers(in: pool)
        let end: @Sendable (Int, Result<String, Failure>) async -> Void = { number, result in
            ends.withLock { $0[number] = result }
            if case .failure = result { await gone.pass() }
        }
        // It answers nobody as long as it is stopped, and the system takes connections for it all the same.
        server.send(SIGSTOP)
        let ids = (0..<Self.count).map { number in
            let host = "host\(number % 5).test"
            return pool.submit(host: host) { slot in
                do throws(Failure) {
                    let request = Request("http://\(host)/photo.jpg", timeout: .seconds(1000))
                    let response = try await transfers.fetch(request, token: slot.token) { Issue.record("\($0)") }
                    await end(number, .success(String(decoding: response.body, as: UTF8.self)))
                } catch {
                    await end(number, .failure(error))
                }
            } dropped: { failure in
                Issue.record("\(number) never started: \(failure)")
            }
        }
        // No gate: the system tells nobody of connections that it took for a process that is stopped.
        while try #require(OwnProcess.connections(to: port)) < Self.count {
            try await Task.sleep(for: .milliseconds(5))
        }
        pool.cancel(ids[7])
        pool.cancel(host: "host3.test")
        await gone.pass(countingIn: false)
        let called = Set((0..<Self.count).filter { $0 == 7 || $0 % 5 == 3 })
        let ended = ends.withLock(\.self)
        #expect(Set(ended.keys) == called && ended.values.allSatisfy { $0 == .failure(Failure(.cancelled, "")) })
        server.send(SIGCONT)
        await pool.waitUntilIdle()
        let others = ends.withLock { $0.filter { !called.contains($0.key) } }
        #expect(others.count == Self.count - called.count && others.values.allSatisfy { $0 == .success("photo") })
    }
}
