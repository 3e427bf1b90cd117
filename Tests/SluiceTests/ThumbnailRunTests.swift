// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

/// Runs over local files in this process; `EndToEnd/Transcripts/thumbs.txt` has the others.
@Suite("Thumbnail run", .timeLimit(.minutes(10))) struct ThumbnailRunTests {
    private let folder = TemporaryFolder()
    private var out: String { folder.path("out") }

    init() throws {
        try folder.write(gradient(shade: 40), to: "in/lakes/dawn.jpg")
        try folder.write(gradient(shade: 80, .png), to: "in/lakes/dusk.png")
        try folder.write(gradient(shade: 120, .webp), to: "in/top.webp")
        try folder.write("no picture, however it is called", to: "in/lakes/notes.jpg")
    }

    private func run(
        _ names: [String] = ["in"], _ change: (inout ThumbnailRunOptions) -> Void = { _ in }
    ) async throws -> (summary: Summary, events: [Event]) {
        var options = ThumbnailRunOptions()
        options.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)]
        change(&options)
        let events = Locked<[Event]>([])
        let run = ThumbnailRun(of: names.map { "\(folder.path)/\($0)" }, into: out, options: options)
        let summary = try await run.run { event in events.withLock { $0.append(event) } }
        return (summary, events.withLock { $0 })
    }

    @Test("The events are also a sequence, and items can be cancelled, as those of a mirror")
    func sequence() async throws {
        let run = ThumbnailRun(of: [folder.path("in")], into: out)
        let events = run.events()
        let cancelled = Locked(0)
        let summary = try await run.run { event in
            guard case .itemStarted(let item) = event, run.cancel(item.id) else { return }
            cancelled.withLock { $0 += 1 }
        }
        var ended = 0
        var last: Event?
        for await event in events {
            if case .itemEnded = event { ended += 1 }
            last = event
        }
        #expect(ended == 3 && last == .runFinished(summary))
        // An item may end before its start is reported.
        #expect(summary.causes[.cancelled, default: 0] <= cancelled.withLock { $0 })
        #expect(!run.cancel(1), "it has ended")
    }

    @Test("All decodes together respect the memory limit, and one that exceeds it names the option")
    func memory() async throws {
        for index in 0..<12 { try folder.write(gradient(shade: index, .webp), to: "in/many/\(index).webp") }
        let summary = try await run {
            $0.jobs = 4
            $0.memory = 1_300_000
        }.summary
        #expect((summary.done, summary.failed) == (15, 0), "one at a time")
        let (refused, events) = try await run(["in/top.webp"]) {
            $0.thumbnails.quality = 7
            $0.memory = 1_000_000
        }
        #expect(refused.causes == [.decodeLimit: 1])
        for case .itemEnded(_, .failed(let receipt)) in events {
            #expect(receipt.failure?.detail == "needs about 2 MB to decode (limit 0)")
        }
    }

    @Test("An animation that exceeds the memory limit stays still")
    func stillAnimation() async throws {
        // Two frames of a pixel on a canvas of a megapixel.
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        let canvas: [UInt8] = [0xE8, 3, 0xE8, 3, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        try folder.write(Array("GIF89a".utf8) + canvas + frame + frame + [0x3B], to: "in/top.gif")
        let (summary, events) = try await run(["in/top.gif"]) {
            $0.thumbnails.animation = .keep
            $0.memory = 12_000_000
        }
        #expect((summary.done, summary.notes) == (1, 2))
        let notes = events.compactMap { if case .itemNoted(_, let text) = $0 { text } else { nil } }
        #expect(notes.last?.hasPrefix("not animated: takes about") == true, "\(notes)")
    }

    @Test("A stopped run ends every item once, and the next run processes the rest")
    func stopping() async throws {
        for index in 0..<60 { try folder.write(gradient(shade: index), to: "in/many/\(index).jpg") }
        let ends = Locked(0)
        let run = ThumbnailRun(of: [folder.path("in")], into: out)
        let stopped = try await run.run { event in
            guard case .itemEnded = event else { return }
            let isThird = ends.withLock { count in
                count += 1
                return count == 3
            }
            if isThird { run.stop(.signal(2)) }
        }
        #expect(stopped.stop == .signal(2) && stopped.done >= 3)
        #expect(stopped.ended == ends.withLock { $0 })
        let summary = try await ThumbnailRun(of: [folder.path("in")], into: out).run()
        #expect(summary.kept == stopped.done && summary.kept + summary.done == 63)
    }
}
