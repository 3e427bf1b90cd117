// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@Suite("MemoryLoader", .timeLimit(.minutes(5))) struct MemoryLoaderTests {
    /// Answers with the path, and holds the replies for `/held` back until the gate opens.
    private final class Service: OriginService {
        let paths = Locked<[String]>([])
        let arrival = Gate(opensAt: 1)
        let gate = OriginGate()

        func reply(to request: OriginRequest) -> OriginReply {
            paths.withLock { $0.append(request.path) }
            var reply = OriginReply.text(request.path, status: request.path == "/lost" ? 404 : 200)
            if request.path == "/held" {
                reply.gate = gate
                arrival.open()
            }
            return reply
        }
    }

    private let service = Service()
    private let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    private func loader(width: Int = 4, perHost: Int = 6) -> MemoryLoader {
        var options = TransferOptions(userAgent: "test")
        options.addressGuard.allowsPrivate = true
        options.addressGuard.ports = [Int(origin.port)]
        options.retry.retries = 0
        return MemoryLoader(width: width, hosts: HostRules(perHost: perHost), options: options)
    }

    private func address(_ path: String) -> String { "http://127.0.0.1:\(origin.port)/\(path)" }

    @Test("Each of a hundred callers gets its own bytes")
    func bytes() async throws {
        let loader = loader(width: 16, perHost: 3)
        let bodies = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 0..<100 {
                group.addTask { (number, try await loader.bytes(from: address("\(number)"))) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(bodies.count == 100)
        #expect(bodies.allSatisfy { $0.value == Array("/\($0.key)".utf8) })
    }

    @Test("A download waits for its host, and others pass it")
    func limits() async throws {
        let loader = loader(perHost: 1)
        let held = Task { try await loader.bytes(from: address("held")) }
        await service.arrival.pass(countingIn: false)
        let waiting = Task { try await loader.bytes(from: address("waiting")) }
        let other = try await loader.bytes(from: "http://localhost:\(origin.port)/other")
        #expect(other == Array("/other".utf8))
        #expect(service.paths.withLock(\.self) == ["/held", "/other"])
        service.gate.open()
        #expect(try await held.value == Array("/held".utf8))
        #expect(try await waiting.value == Array("/waiting".utf8))
    }

    @Test("A refusal is thrown with its cause")
    func failure() async {
        await #expect { try await loader().bytes(from: address("lost")) } throws: { error in
            (error as? Failure)?.cause == .httpClientError(404)
        }
    }

    @Test("Private addresses are refused unless the options allow them")
    func privateAddress() async {
        let loader = MemoryLoader(options: TransferOptions(userAgent: "test"))
        await #expect { try await loader.bytes(from: address("a")) } throws: { error in
            (error as? Failure)?.cause == .addressRefused
        }
        #expect(service.paths.withLock(\.isEmpty))
    }

    @Test("Cancelling the task ends a download that runs, and one that waits for a slot")
    func cancellation() async throws {
        defer { service.gate.open() }
        let loader = loader(width: 1)
        let running = Task { try await loader.bytes(from: address("held")) }
        await service.arrival.pass(countingIn: false)
        let waiting = Task { try await loader.bytes(from: address("a")) }
        // The gate lets it pass only when the task is cancelled.
        let early = Task {
            await Gate(opensAt: .max).pass()
            return try await loader.bytes(from: address("b"))
        }
        for task in [waiting, early, running] {
            // The first two have sent nothing when the last one ends.
            task.cancel()
            await #expect { try await task.value } throws: { error in (error as? Failure)?.cause == .cancelled }
        }
        #expect(service.paths.withLock(\.self) == ["/held"])
    }
}
