// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Retrying failed items, and diagnosing failures.
@Suite("Retrying", .serialized, .timeLimit(.minutes(10))) struct RetryTests {
    /// Responds with the status in a photo's name until `heal` is called.
    private final class Service: OriginService {
        let picture: [UInt8]
        private let isHealed = Locked(false)
        private let seen = Locked<[String]>([])

        init() throws {
            picture = try ImageEncoder(.png).encode([UInt8](repeating: 9, count: 4 * 64), width: 8, height: 8)
        }

        var requests: [String] { seen.withLock { $0.sorted() } }

        func heal() {
            isHealed.withLock { $0 = true }
            seen.withLock { $0 = [] }
        }

        func reply(to request: OriginRequest) -> OriginReply {
            seen.withLock { $0.append(request.path) }
            let status = Int(request.path.dropFirst().prefix { $0 != "-" }) ?? 200
            return status == 200 || isHealed.withLock { $0 } && status >= 500
                ? OriginReply(type: "image/png", picture) : .text("", status: status)
        }
    }

    private let folder: TemporaryFolder
    private let service: Service
    private let origin: OriginServer
    private var out: String { folder.path("out") }
    private var host: String { "http://127.0.0.1:\(origin.port)" }

    init() throws {
        folder = try TemporaryFolder()
        service = try Service()
        origin = try OriginServer(service)
        let names = ["200-a", "404-b", "500-c", "200-d", "500-e", "410-f"]
        let list = names.map { "http://127.0.0.1:\(origin.port)/\($0)" } + ["no address"]
        try Data(list.joined(separator: "\n").utf8).write(to: folder.url.appending(path: "list.txt"))
    }

    private func run(_ causes: String? = nil, _ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> (
        Summary, [Int]
    ) {
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.retries = 0
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(origin.port)]
        options.retriedCauses = causes.flatMap { CauseSet($0) }
        change(&options)
        let started = Locked<[Int]>([])
        let summary = try await PhotoMirror(of: folder.path("list.txt"), into: out, options: options).run { event in
            if case .itemStarted(let item) = event { started.withLock { $0.append(item.seq) } }
        }
        return (summary, started.withLock { $0.sorted() })
    }

    @Test("Only items with the given causes are retried, and the feed is not read")
    func causes() async throws {
        defer { origin.stop() }
        let first = try await run().0
        #expect((first.done, first.failed) == (2, 5))
        service.heal()
        try Data().write(to: folder.url.appending(path: "list.txt"))
        let (summary, started) = try await run("http-5xx")
        #expect(started == [3, 5] && summary.done == 2 && summary.failed == 0)
        #expect(service.requests == ["/.well-known/tdmrep.json", "/500-c", "/500-e", "/robots.txt"])
        let (rest, tried) = try await run("http-4xx,feed-parse")
        #expect(tried == [2, 6] && rest.causes == [.httpClientError(404): 1, .httpClientError(410): 1])
        #expect(try await run("dns").0.ended == 0)
    }

    @Test("Without causes, all items that are not done are retried")
    func usual() async throws {
        defer { origin.stop() }
        _ = try await run()
        #expect(try await run().1 == [2, 3, 5, 6])
    }

    @Test("Retrying requires an existing mirror and does not create one")
    func nothing() async throws {
        defer { origin.stop() }
        await #expect(throws: MirrorError.self) { try await run("dns") }
        #expect(!folder.names().contains("out"))
    }

    @Test("A diagnosis counts causes by host and estimates how much can be recovered")
    func diagnosis() async throws {
        defer { origin.stop() }
        _ = try await run()
        let diagnosis = try PhotoMirror.explain(out)
        #expect((diagnosis.done, diagnosis.failed, diagnosis.skipped, diagnosis.waiting) == (2, 5, 0, 0))
        #expect(diagnosis.groups.map(\.cause.name) == ["http-5xx", "feed-parse", "http-404", "http-410"])
        #expect(diagnosis.groups.map(\.count) == [2, 1, 1, 1])
        #expect(diagnosis.groups.map(\.host) == ["127.0.0.1", "", "127.0.0.1", "127.0.0.1"])
        #expect(diagnosis.groups[0].url == "\(host)/500-c" && diagnosis.groups[0].item == 3)
        #expect(diagnosis.success == 2.0 / 7 && diagnosis.ceiling == 4.0 / 7)
        #expect(diagnosis.runs.map(\.id) == [1])
    }

    @Test("Failures that an option can fix are counted separately from temporary ones")
    func options() async throws {
        defer { origin.stop() }
        let summary = try await run(nil) { $0.maxBytes = 20 }.0
        #expect(summary.causes[.tooLarge] == 2)
        let diagnosis = try PhotoMirror.explain(out)
        #expect(diagnosis.ceiling == 2.0 / 7 && diagnosis.ceilingWithOptions == 4.0 / 7)
        let (again, started) = try await run("too-large")
        #expect(started == [1, 4] && again.done == 2)
    }
}
