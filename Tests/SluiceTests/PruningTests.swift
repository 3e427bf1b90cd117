// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Pruning photos that are no longer in the feed, and skipping photos whose files the user deleted.
@Suite("Pruning", .serialized, .timeLimit(.minutes(10))) struct PruningTests: MirrorSuite {
    let folder = TemporaryFolder()
    let origin: OriginServer
    private let notes = Locked<[String]>([])

    init() throws { origin = try OriginServer(ScriptedService { _ in OriginReply(type: "image/png", png()) }) }

    func prepare(_ options: inout MirrorOptions) {
        options.thumbnails.sizes = [ThumbnailSize(width: 4, height: 4)]
        options.prune = PruneOptions()
    }

    private func run(_ name: String = "list.txt", _ change: (inout MirrorOptions) -> Void = { _ in }) async throws
        -> Summary
    {
        notes.withLock { $0 = [] }
        return try await mirror(name, change: change).run { [notes] event in
            if case .note(let text, _) = event { notes.withLock { $0.append(text) } }
        }
    }

    private func pictures() -> Int {
        folder.names().count { ($0.hasSuffix(".png") || $0.hasSuffix(".jpg")) && !$0.contains("gallery/") }
    }

    @Test("A photo that left the feed is pruned with its files, and returns with its old name and number")
    func prunes() async throws {
        try list(1...20)
        _ = try await run()
        let before = try folder.bytes(of: "out/manifest.jsonl")
        try list((1...20).filter { $0 != 7 && $0 != 12 })
        #expect(try await run().kept == 18)
        #expect(notes.withLock { $0 } == ["pruned 2 of 20 photos that are no longer in the feed"])
        #expect(pictures() == 36)
        let lines = try folder.bytes(of: "out/manifest.jsonl").split(separator: 10)
        #expect(lines.count == 18)
        #expect(try await Verification(of: out).run { _ in }.faults == [:])
        try list(1...20)
        #expect(try await run().done == 2)
        #expect(try folder.bytes(of: "out/manifest.jsonl") == before)
    }

    @Test("Pruning more than the limit is refused without changes, and the limit can be raised")
    func limit() async throws {
        try list(1...20)
        _ = try await run()
        try list(1...2)
        let summary = try await run()
        let words = "prune-refused: 18 of 20 photos would be removed (limit 10 %)"
        #expect(summary.stop == .limit(words, hint: .raisePruneLimit) && pictures() == 40)
        let (rehearsal, lines) = try await mirror().rehearsed()
        #expect(rehearsal.stop == .limit(words, hint: .raisePruneLimit) && lines.count == 18)
        #expect(try await run("list.txt") { $0.prune?.limit = 90 }.stop == nil)
        #expect(pictures() == 4)
    }

    @Test("A dry run lists the photos to prune and changes nothing")
    func rehearsal() async throws {
        try list(1...20)
        _ = try await run()
        try list((1...21).filter { $0 != 5 })
        let before = folder.names()
        let files = before.map { try? folder.bytes(of: $0) }
        let (rehearsal, lines) = try await mirror().rehearsed()
        #expect((rehearsal.kept, rehearsal.causes) == (19, [.deferred: 1]) && rehearsal.stop == nil)
        #expect(lines.compactMap { $0["seq"]?.integer } == [21, 5])
        #expect(folder.names() == before)
        #expect(before.map { try? folder.bytes(of: $0) } == files)
    }

    @Test("A run that did not reach the feed's end, or reads another source, prunes nothing")
    func partial() async throws {
        try list(1...20)
        _ = try await run()
        _ = try await run { $0.maxItems = 3 }
        _ = try await run { $0.pages = 1 }
        try list(100...119, as: "other.txt")
        _ = try await run("other.txt")
        #expect(pictures() == 80)
    }

    @Test("A photo with a deleted file is skipped permanently on request, and otherwise fetched again")
    func deletions() async throws {
        try list(1...4)
        _ = try await run()
        let original = try #require(folder.names().first { $0.hasPrefix("out/originals/00002") })
        try folder.remove(original)
        for _ in 1...2 {
            let summary = try await run { $0.skipsDeleted = true }
            #expect((summary.kept, summary.skipped, summary.done) == (3, 1, 0))
            #expect(pictures() == 6)
        }
        #expect(try await Verification(of: out).run { _ in }.isSound)
        #expect(try await run().done == 1)
        #expect(pictures() == 8)
    }
}
