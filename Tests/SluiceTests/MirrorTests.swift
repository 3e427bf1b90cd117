// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Whole runs against the demo service, inside this process: real HTTP, real codecs, real SQLite.
///
/// Serialized, because each run keeps every core busy. Many concurrent runs under a sanitizer would exceed the
/// timeouts.
@Suite("PhotoMirror", .serialized, .timeLimit(.minutes(10))) struct MirrorTests {
    private let folder = TemporaryFolder()
    private var out: String { folder.path("mirror") }

    private func run(_ options: MirrorOptions) async throws -> (summary: Summary, events: [Event]) {
        let events = Locked<[Event]>([])
        let summary = try await PhotoMirror(of: "demo", into: out, options: options).run { event in
            events.withLock { $0.append(event) }
        }
        return (summary, events.withLock { $0 })
    }

    private func manifest() throws -> [JSON] { try folder.manifest(of: "mirror") }

    @Test("Every photo is mirrored in feed order, and every file matches the manifest")
    func wholeWay() async throws {
        let (summary, _) = try await run(.small())
        #expect((summary.pages, summary.done, summary.thumbs, summary.failed) == (2, 12, 12, 0))
        let lines = try manifest()
        #expect(lines.compactMap { $0["seq"]?.integer } == Array(1...12))
        for line in lines {
            let file = try #require(line["file"]?.text)
            let bytes = try folder.bytes(of: "mirror/\(file)")
            #expect(bytes.count == line["bytes"]?.integer)
            #expect(sha256(bytes) == line["sha256"]?.text)
            #expect(line["phash"]?.text?.count == 16)
            #expect(line["placeholder"] != nil && line["color"]?.text?.hasPrefix("#") == true)
            let thumb = try #require(line["thumbs"]?.elements?.first)
            let small = try folder.bytes(of: "mirror/\(try #require(thumb["file"]?.text))")
            #expect(sha256(small) == thumb["sha256"]?.text)
            #expect(max(thumb["width"]?.integer ?? 0, thumb["height"]?.integer ?? 0) == 64)
        }
        #expect(folder.names().filter { $0.hasPrefix("mirror/.sluice/partial/") } == [])
        #expect(folder.names().contains("mirror/index.html"))
    }

    @Test("A second run downloads nothing and leaves all files unchanged")
    func secondRun() async throws {
        _ = try await run(.small())
        let before = try folder.bytes(of: "mirror/manifest.jsonl")
        let (summary, events) = try await run(.small())
        #expect((summary.done, summary.kept, summary.bytesReceived) == (0, 12, 0))
        #expect(!events.contains { if case .itemStarted = $0 { true } else { false } })
        #expect(try folder.bytes(of: "mirror/manifest.jsonl") == before)
    }

    @Test("The manifest does not depend on the concurrency")
    func deterministic() async throws {
        _ = try await run(.small { $0.concurrency = 1 })
        let one = try folder.bytes(of: "mirror/manifest.jsonl")
        try FileManager.default.removeItem(atPath: out)
        _ = try await run(.small { ($0.concurrency, $0.perHost) = (12, 12) })
        #expect(try folder.bytes(of: "mirror/manifest.jsonl") == one)
    }

    @Test(
        "Events are in order: the run's begin and end enclose all, a page precedes its items, and each item ends once")
    func order() async throws {
        let (summary, events) = try await run(.small())
        guard case .runStarted? = events.first, case .runFinished(let last)? = events.last else {
            Issue.record("the run's own events are not the first and the last")
            return
        }
        #expect(last == summary)
        var loaded = 0
        var started: Set<Int> = []
        var ended: [Int] = []
        for event in events {
            switch event {
            case .pageLoaded(let number, _, _): loaded = number
            case .itemStarted(let item):
                #expect(item.page <= loaded && !ended.contains(item.seq))
                started.insert(item.seq)
            case .itemEnded(let item, _):
                #expect(started.contains(item.seq))
                ended.append(item.seq)
            default: break
            }
        }
        #expect(ended.sorted() == Array(1...12))
    }

    @Test("Stopping ends every item once, and the next run processes the rest")
    func stopping() async throws {
        let ends = Locked(0)
        let mirror = PhotoMirror(of: "demo", into: out, options: .small { ($0.perPage, $0.concurrency) = (30, 2) })
        let stopped = try await mirror.run { event in
            guard case .itemEnded = event else { return }
            if ends.withLock({
                $0 += 1
                return $0
            }) == 3 {
                mirror.stop(.signal(2))
            }
        }
        #expect(stopped.stop == .signal(2))
        #expect(stopped.done >= 3 && stopped.skipped > 0)
        #expect(stopped.ended == ends.withLock { $0 })
        let (summary, _) = try await run(.small { $0.perPage = 30 })
        #expect(folder.names().filter { $0.hasPrefix("mirror/.sluice/partial/") } == [])
        #expect(summary.kept == stopped.done)
        #expect(summary.kept + summary.done == 60)
    }

    @Test(
        "Failures are limited by number, or by percentage of a sufficient sample",
        arguments: [
            (FailureLimit.count(2), 2, 100, false), (.count(2), 3, 3, true), (.percent(30), 19, 19, false),
            (.percent(30), 6, 20, false), (.percent(30), 7, 20, true), (.percent(0), 1, 20, true),
        ])
    func failureLimit(limit: SluiceEngine.FailureLimit, failed: Int, tried: Int, stops: Bool) {
        var summary = Summary()
        (summary.failed, summary.done, summary.kept) = (failed, tried - failed, 500)
        summary.causes = [.httpClientError(403): failed, .timeout: 1]
        let reason = limit.stopReason(for: summary)
        #expect((reason != nil) == stops)
        if case .failing(let words, _)? = reason, failed > 1 {
            #expect(words.contains("http-403: the host refuses access; a key"))
        }
    }

    @Test("A run that cannot begin throws an error and changes nothing")
    func refusals() async throws {
        await #expect(throws: MirrorError.self) { try await PhotoMirror(of: "nowhere", into: out).run() }
        #expect(!FileManager.default.fileExists(atPath: out))
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
        try folder.write("mine", to: "mirror/notes.txt")
        let full = await #expect(throws: MirrorError.self) { try await run(.small()) }
        #expect(full?.code == .usage && folder.names() == ["mirror", "mirror/notes.txt"])
        let file = await #expect(throws: MirrorError.self) {
            try await PhotoMirror(of: "demo", into: folder.path("mirror/notes.txt")).run()
        }
        #expect(file?.code == .local)
    }

    @Test("A mirror that another run holds is refused, and the error names the process")
    func locked() async throws {
        _ = try await run(.small())
        let lock = try FolderLock(".sluice/lock", in: Folder(out))
        let refused = await #expect(throws: MirrorError.self) { try await run(.small()) }
        #expect(refused?.code == .locked)
        #expect(refused?.message.contains("process \(getpid())") == true)
        lock.release()
        #expect(try await run(.small()).summary.kept == 12)
    }

    @Test("The gallery and the manifest can be rebuilt from the ledger")
    func rebuild() async throws {
        _ = try await run(.small())
        let names = ["mirror/manifest.jsonl", "mirror/manifest.csv", "mirror/index.html"]
        let before = try names.map { try folder.bytes(of: $0) }
        for name in names { try folder.remove(name) }
        #expect(try PhotoMirror.rebuild(out) == RebuildReport(items: 12, done: 12, failed: 0))
        #expect(try names.map { try folder.bytes(of: $0) } == before)
        #expect(throws: MirrorError.self) { try PhotoMirror.rebuild(folder.path("nowhere")) }
    }
}
