// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Loader", .timeLimit(.minutes(10))) struct LoaderTests {
    private let folder = TemporaryFolder()

    /// Responds with the path; `/gone` is a 404, and `/held...` waits at the gate.
    private struct Service: OriginService {
        var gate = OriginGate()

        func reply(to request: OriginRequest) -> OriginReply {
            var reply = OriginReply.text(request.path, status: request.path == "/gone" ? 404 : 200)
            if request.path.hasPrefix("/held") { reply.gate = gate }
            return reply
        }
    }

    /// How downloads ended, by name; the gate opens after `target` of them.
    private struct Ends: Sendable {
        let causes = Locked<[String: Cause?]>([:])
        let events = Locked<[String: [String]]>([:])
        let reachedTarget = Gate(opensAt: .max)
        var target = Int.max

        func record(_ event: LoaderEvent) {
            switch event {
            case .started(let download): events.withLock { $0[download.name, default: []].append("started") }
            case .transferEvent(let download, _): events.withLock { $0[download.name, default: []].append("event") }
            case .ended(let download, let result):
                events.withLock { $0[download.name, default: []].append("ended") }
                let cause: Cause? = if case .failure(let failure) = result { failure.cause } else { nil }
                let count = causes.withLock { causes in
                    causes[download.name] = cause
                    return causes.count
                }
                if count == target { reachedTarget.open() }
            }
        }
    }

    private func loader(into folder: TemporaryFolder, width: Int, perHost: Int, _ ends: Ends) throws -> Loader {
        try Loader(
            into: folder.path, width: width, hosts: HostRules(perHost: perHost), options: .open(retries: 1),
            flushing: false,
            recording: ends.record)
    }

    @Test("Each download becomes a file or fails, and reports its events in order")
    func loads() async throws {
        let origin = try OriginServer(Service())
        let ends = Ends()
        let loader = try loader(into: folder, width: 4, perHost: 2, ends)
        for number in 0..<20 { await loader.load(Request("\(origin.address)/\(number)"), as: "\(number)") }
        await loader.load(Request("\(origin.address)/gone"), as: "gone")
        await loader.load(Request("http://127.0.0.1:1/"), as: "unreachable")
        await loader.waitUntilIdle()
        #expect(folder.names() == (0..<20).map(String.init).sorted())
        #expect(try (0..<20).allSatisfy { try folder.bytes(of: "\($0)") == Array("/\($0)".utf8) })
        let failed = ends.causes.withLock { $0.compactMapValues(\.self) }
        #expect(failed == ["gone": .httpClientError(404), "unreachable": .connect])
        let events = ends.events.withLock(\.self)
        #expect(events["7"] == ["started", "ended"] && events["unreachable"] == ["started", "event", "ended"])
    }

    @Test("An interrupted download is resumed")
    func resumes() async throws {
        let cut = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 6\r\n\r\nabc"
        let rest =
            "HTTP/1.1 206 Rest\r\nETag: \"v1\"\r\nContent-Range: bytes 3-5/6\r\nContent-Length: 3\r\n\r\ndef"
        let server = try RawServer(sequences: ["/x": [[.text(cut)], [.text(cut)], [.text(rest)]]])
        for kept in [["x.part", "x.part.note"], ["x"]] {
            let loader = try loader(into: folder, width: 1, perHost: 1, Ends())
            await loader.load(Request(server.url("/x")), as: "x")
            await loader.waitUntilIdle()
            #expect(folder.names() == kept)
        }
        #expect(try folder.bytes(of: "x") == Array("abcdef".utf8))
    }

    /// Fault A7, with half of all slots.
    @Test("A silent host with half of all slots and a long queue does not slow down another host")
    func silentHost() async throws {
        let service = Service()
        let good = try OriginServer(service)
        // Each path is different, because downloads of the same address are shared.
        let scripts = (0..<8).map { ("/\($0)", [RawServer.Step.hang]) }
        let silent = try RawServer(Dictionary(uniqueKeysWithValues: scripts), host: "127.0.0.2")
        defer {
            good.stop()
            silent.stop()
        }
        let ends = Ends(target: 100)
        let loader = try loader(into: folder, width: 8, perHost: 4, ends)
        // Four items are at the silent host, and four more in its queue.
        for number in 0..<8 { await loader.load(Request(silent.url("/\(number)")), as: "silent\(number)") }
        try await wait(for: "4 requests at the silent host") { silent.requests.count >= 4 }
        for number in 0..<4 { await loader.load(Request("\(good.address)/held\(number)"), as: "good\(number)") }
        try await wait(for: "4 requests at the good host") { service.gate.waiting >= 4 }
        service.gate.open()
        for number in 4..<100 {
            await loader.load(Request(silent.url("/line/\(number)")), as: "line\(number)")
            await loader.load(Request("\(good.address)/\(number)"), as: "good\(number)")
        }
        await ends.reachedTarget.pass(countingIn: false)
        #expect(Set(ends.causes.withLock { $0.keys }) == Set((0..<100).map { "good\($0)" }))
        #expect(ends.causes.withLock { $0.values.allSatisfy { $0 == nil } })
        #expect(silent.requests.count == 4)
        loader.cancel(host: silent.host)
        await loader.waitUntilIdle()
        #expect(ends.causes.withLock { $0.count { $0.value == .cancelled } } == 104)
    }

    @Test("Cancelling one download or one host ends those immediately, and no others")
    func cancelling() async throws {
        // 200 is the limit: each download uses three descriptors here. With about 1,300 of them, Foundation's
        // `Process`, which other tests use at the same time, reads beyond the end of its list.
        OwnProcess.raiseDescriptorLimit()
        let service = Service()
        let origins = try (1...5).map { number in
            var options = OriginOptions()
            options.host = "127.0.0.\(number)"
            return try OriginServer(service, options: options)
        }
        let ends = Ends(target: 41)
        let loader = try loader(into: folder, width: 200, perHost: 40, ends)
        var ids: [Loader.ID] = []
        for number in 0..<200 {
            ids.append(await loader.load(Request("\(origins[number % 5].address)/held\(number)"), as: "\(number)"))
        }
        // Wait until all two hundred requests have reached their servers.
        try await wait(for: "200 requests") { service.gate.waiting >= 200 }
        loader.cancel(ids[7])
        loader.cancel(host: origins[3].host)
        // No request has been answered yet, so these downloads ended without a byte from their hosts.
        await ends.reachedTarget.pass(countingIn: false)
        let cancelled = (0..<200).filter { $0 == 7 || $0 % 5 == 3 }.map(String.init)
        #expect(Set(ends.causes.withLock { $0.keys }) == Set(cancelled))
        service.gate.open()
        await loader.waitUntilIdle()
        let causes = ends.causes.withLock(\.self)
        #expect(causes.count == 200 && causes.filter { $0.value == .cancelled }.count == 41)
        #expect(folder.names() == (0..<200).map(String.init).filter { !cancelled.contains($0) }.sorted())
    }
}

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
