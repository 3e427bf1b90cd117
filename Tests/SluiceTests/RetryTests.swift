// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine
@testable import SluiceLedger

/// Retrying failed items, and diagnosing failures.
@Suite("Retrying", .serialized, .timeLimit(.minutes(10))) struct RetryTests: MirrorSuite {
    let folder = TemporaryFolder()
    private let service: ScriptedService
    let origin: OriginServer
    private let isHealed = Locked(false)

    /// Serves photos with the status in their names until `heal` is called.
    init() throws {
        service = ScriptedService { [isHealed] request in
            let status = Int(request.path.dropFirst().prefix { $0 != "-" }) ?? 200
            return status == 200 || isHealed.withLock { $0 } && status >= 500
                ? OriginReply(type: "image/png", png(9)) : .text("", status: status)
        }
        origin = try OriginServer(service)
        let names = ["200-a", "404-b", "500-c", "200-d", "500-e", "410-f"]
        let list = names.map(address) + ["no address"]
        try folder.write(list.joined(separator: "\n"), to: "list.txt")
    }

    private func heal() {
        isHealed.withLock { $0 = true }
        service.forget()
    }

    func prepare(_ options: inout MirrorOptions) { options.retries = 0 }

    private func run(_ causes: String? = nil, _ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> (
        Summary, [Int]
    ) {
        let started = Locked<[Int]>([])
        let mirror = mirror {
            $0.retriedCauses = causes.flatMap { CauseSet($0) }
            change(&$0)
        }
        let summary = try await mirror.run { event in
            if case .itemStarted(let item) = event { started.withLock { $0.append(item.seq) } }
        }
        return (summary, started.withLock { $0.sorted() })
    }

    @Test("Only items with the given causes are retried, and the feed is not read")
    func causes() async throws {
        let first = try await run().0
        #expect((first.done, first.failed) == (2, 5))
        heal()
        try folder.write([], to: "list.txt")
        let (summary, started) = try await run("http-5xx")
        #expect(started == [3, 5] && summary.done == 2 && summary.failed == 0)
        #expect(
            service.requests.map(\.path).sorted() == ["/.well-known/tdmrep.json", "/500-c", "/500-e", "/robots.txt"])
        let (rest, tried) = try await run("http-4xx,feed-parse")
        #expect(tried == [2, 6] && rest.causes == [.httpClientError(404): 1, .httpClientError(410): 1])
        #expect(try await run("dns").0.ended == 0)
    }

    @Test("Without causes, all items that are not done are retried")
    func usual() async throws {
        _ = try await run()
        #expect(try await run().1 == [2, 3, 5, 6])
    }

    @Test("Retrying requires an existing mirror and does not create one")
    func nothing() async throws {
        await #expect(throws: MirrorError.self) { try await run("dns") }
        #expect(!folder.names().contains("out"))
    }

    @Test("A diagnosis counts causes by host and estimates how much can be recovered")
    func diagnosis() async throws {
        _ = try await run()
        let diagnosis = try PhotoMirror.explain(out)
        #expect((diagnosis.done, diagnosis.failed, diagnosis.skipped, diagnosis.waiting) == (2, 5, 0, 0))
        #expect(diagnosis.groups.map(\.cause.name) == ["http-5xx", "feed-parse", "http-404", "http-410"])
        #expect(diagnosis.groups.map(\.count) == [2, 1, 1, 1])
        #expect(diagnosis.groups.map(\.host) == ["127.0.0.1", "", "127.0.0.1", "127.0.0.1"])
        #expect(diagnosis.groups[0].url == address("500-c") && diagnosis.groups[0].item == 3)
        #expect(diagnosis.success == 2.0 / 7 && diagnosis.ceiling == 4.0 / 7)
        #expect(diagnosis.runs.map(\.id) == [1])
    }

    @Test("Failures that an option can fix are counted separately from temporary ones")
    func options() async throws {
        let summary = try await run(nil) { $0.maxBytes = 20 }.0
        #expect(summary.causes[.tooLarge] == 2)
        let diagnosis = try PhotoMirror.explain(out)
        #expect(diagnosis.ceiling == 2.0 / 7 && diagnosis.ceilingWithOptions == 4.0 / 7)
        let (again, started) = try await run("too-large")
        #expect(started == [1, 4] && again.done == 2)
    }
}

/// Whether a failure concerns its item or stops the run.
@Suite("Failure scope", .timeLimit(.minutes(10))) struct FailureScopeTests {
    private let folder = TemporaryFolder()

    @Test("A failure concerns its item unless it states otherwise")
    func standard() {
        #expect(Failure(.timeout, "").scope == .item)
        #expect(Failure(.disk, "unreadable").scope == .item)
        #expect(Failure(ImagingError(.corrupt, "")).scope == .item)
    }

    @Test("Errors in the run's own folder and ledger stop the run")
    func ownFolder() {
        let full = FileError(code: ENOSPC, operation: "write", path: "/m/a")
        #expect(Failure(full).scope == .run)
        #expect(Failure(LedgerError(code: .diskFull, number: 0, reason: "", path: "/m")).scope == .run)
        guard case .local(let failure) = StopReason(MirrorError(full)) else {
            Issue.record("a full disk is a local problem")
            return
        }
        #expect(failure.scope == .run)
    }

    @Test("An input file that cannot be read fails alone")
    func inputFile() async throws {
        // A symbolic link to itself exists, but cannot be opened.
        let looping = folder.path("loop.jpg")
        try FileManager.default.createSymbolicLink(atPath: looping, withDestinationPath: looping)
        let run = ThumbnailRun(of: [looping], into: folder.path("out"))
        let failures = Locked<[Failure]>([])
        let summary = try await run.run { event in
            guard case .itemEnded(_, .failed(let receipt)) = event, let failure = receipt.failure else { return }
            failures.withLock { $0.append(failure) }
        }
        #expect(summary.stop == nil && summary.failed == 1)
        let failure = try #require(failures.withLock { $0.first })
        #expect(failure.cause == .disk && failure.scope == .item && failure.finalURL == looping)
    }
}
