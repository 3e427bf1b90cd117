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

    @Test("Only missing files are made again")
    func repairs() async throws {
        _ = try await run(.small())
        let before = try folder.bytes(of: "mirror/manifest.jsonl")
        let lines = try manifest()
        let original = try #require(lines[3]["file"]?.text)
        let thumb = try #require(lines[5]["thumbs"]?.elements?.first?["file"]?.text)
        for path in [original, thumb] { try FileManager.default.removeItem(atPath: "\(out)/\(path)") }
        let (summary, events) = try await run(.small())
        #expect((summary.done, summary.kept) == (2, 10))
        let started = events.compactMap { if case .itemStarted(let item) = $0 { item.seq } else { nil } }
        #expect(started.sorted() == [4, 6])
        #expect(try folder.bytes(of: "mirror/manifest.jsonl") == before)
    }

    @Test("Refreshing revalidates every photo and downloads only changed ones")
    func refreshing() async throws {
        _ = try await run(.small())
        let before = try folder.bytes(of: "mirror/manifest.jsonl")
        let (summary, events) = try await run(.small { $0.refreshes = true })
        #expect((summary.done, summary.kept, summary.bytesReceived) == (0, 12, 0))
        #expect(events.count { if case .itemStarted = $0 { true } else { false } } == 12)
        #expect(try folder.bytes(of: "mirror/manifest.jsonl") == before)
    }

    @Test("A photo that is too small or of the wrong aspect ratio is skipped without downloading most of it")
    func rules() async throws {
        let (small, _) = try await run(
            .small {
                ($0.variant, $0.maxItems) = ("full", 1)
                $0.minSize = ThumbnailSize(width: 9000, height: nil)
            })
        #expect((small.skipped, small.failed, small.causes) == (1, 0, [.policy: 1]))
        #expect(small.bytesSaved > 0 && small.bytesReceived == 0)
        let (square, _) = try await run(.small { $0.aspect = 0.99...1.01 })
        #expect(square.skipped + square.done == 12 && square.skipped > 0)
        #expect(folder.names().filter { $0.hasPrefix("mirror/.sluice/partial/") } == [])
    }

    @Test("Of the partial files of earlier runs, only resumable ones are kept, for a limited time")
    func leftovers() async throws {
        _ = try await run(.small())
        for name in ["1", "2", "2.note", "3.note", "4-64", "5", "5.note"] {
            let file = try folder.write("x", to: "mirror/.sluice/partial/\(name)")
            let date = name.hasPrefix("5") ? Date(timeIntervalSinceNow: -31 * 86400) : Date()
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
        }
        _ = try await run(.small())
        let left = folder.names().filter { $0.hasPrefix("mirror/.sluice/partial/") }
        #expect(left == ["mirror/.sluice/partial/2", "mirror/.sluice/partial/2.note"])
    }

    @Test("Another size is made from the existing originals without a download")
    func anotherSize() async throws {
        _ = try await run(.small())
        let originals = folder.names().filter { $0.hasPrefix("mirror/originals/") }
        let dates = try originals.map { try modified($0) }
        let (summary, _) = try await run(.small { $0.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)] })
        #expect((summary.done, summary.thumbs) == (12, 12))
        #expect(try originals.map { try modified($0) } == dates)
        #expect(try manifest().allSatisfy { $0["thumbs"]?.elements?.compactMap { $0["size"]?.integer } == [32, 64] })
    }

    @Test("Thumbnails are made again when the options change, without a download")
    func otherOptions() async throws {
        _ = try await run(.small())
        let before = try manifest()
        let otherwise = MirrorOptions.small { $0.thumbnails.quality = 20 }
        let (summary, _) = try await run(otherwise)
        #expect(summary.done == 12)
        let after = try manifest()
        #expect(after.map { $0["sha256"] } == before.map { $0["sha256"] })
        #expect(zip(before, after).allSatisfy { $0["thumbs"] != $1["thumbs"] })
        #expect(try await run(otherwise).summary.kept == 12)
    }

    @Test("A damaged original is salvaged only on request, and is marked as damaged")
    func salvage() async throws {
        _ = try await run(.small())
        let file = try #require(manifest().first?["file"]?.text)
        // Of unchanged length, like a file whose last blocks were lost by the disk.
        let bytes = try folder.bytes(of: "mirror/\(file)")
        let damaged = bytes.prefix(bytes.count / 2) + [UInt8](repeating: 0, count: bytes.count - bytes.count / 2)
        try folder.write(damaged, to: "mirror/\(file)")
        try folder.remove("mirror/thumbs")
        #expect(try await run(.small()).summary.causes == [.truncated: 1])
        let salvaged = try await run(.small { $0.thumbnails.salvages = true }).summary
        #expect((salvaged.done, salvaged.kept, salvaged.salvaged, salvaged.causes) == (1, 11, 1, [:]))
        let line = try #require(manifest().first)
        #expect(line["state"]?.text == "done" && line["cause"]?.text == "truncated" && line["thumbs"] != nil)
        // Without the option, the photo is downloaded again.
        let whole = try await run(.small { $0.thumbnails.sizes = [] }).summary
        #expect((whole.done, whole.salvaged, whole.causes) == (1, 0, [:]))
        #expect(try folder.bytes(of: "mirror/\(file)") == bytes)
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

    @Test("Without originals only thumbnails are kept, without sizes only originals")
    func parts() async throws {
        _ = try await run(.small { $0.keepsOriginals = false })
        #expect(!folder.names().contains { $0.hasPrefix("mirror/originals/") })
        let (again, _) = try await run(.small { $0.keepsOriginals = false })
        #expect(again.kept == 12)
        try FileManager.default.removeItem(atPath: out)
        _ = try await run(.small { $0.thumbnails.sizes = [] })
        #expect(!folder.names().contains { $0.hasPrefix("mirror/thumbs") })
        #expect(folder.names().count { $0.hasPrefix("mirror/originals/") } == 12)
    }

    /// Everything was downloaded again, and the originals belonged to no photo.
    @Test("A mirror continued without originals makes new thumbnails from the originals it has, and keeps them")
    func laterWithoutOriginals() async throws {
        func options(_ side: Int, keepsOriginals: Bool) -> MirrorOptions {
            .small {
                ($0.pages, $0.variant, $0.keepsOriginals) = (1, nil, keepsOriginals)
                $0.thumbnails.sizes = [ThumbnailSize(width: side, height: side)]
            }
        }
        #expect(try await run(options(64, keepsOriginals: true)).summary.done == 6)
        #expect(try await run(options(64, keepsOriginals: false)).summary.kept == 6)
        let (summary, _) = try await run(options(16, keepsOriginals: false))
        #expect((summary.done, summary.reused, summary.bytesReceived) == (6, 6, 0))
        #expect(try await Verification(of: out).run { _ in }.isSound)
        #expect(folder.names().count { $0.hasPrefix("mirror/originals/") } == 6)
        #expect(try await run(options(16, keepsOriginals: false)).summary.kept == 6)
    }

    @Test("The limit on items is respected")
    func maxItems() async throws {
        let (summary, _) = try await run(.small { $0.maxItems = 8 })
        #expect(summary.done == 8)
    }

    @Test("Photos without the wanted variant fail, with a list of the existing ones")
    func noVariant() async throws {
        let (summary, events) = try await run(.small { ($0.variant, $0.maxItems) = ("huge", 1) })
        #expect(summary.causes == [.policy: 1])
        let end = events.compactMap { if case .itemEnded(_, let end) = $0 { end } else { nil } }.first
        #expect(end?.receipt.failure?.detail.contains("raw, full, regular, small, thumb") == true)
    }

    @Test("A run with too many failures stops and gives the likely reason")
    func tooManyFailures() async throws {
        let (summary, _) = try await run(.small { ($0.variant, $0.limits.failures) = ("huge", .count(2)) })
        guard case .failing(let words, _)? = summary.stop else {
            Issue.record("it stopped with \(String(describing: summary.stop))")
            return
        }
        #expect(words.contains("photos failed (limit 2), most of them with policy"))
        #expect(summary.failed >= 3 && summary.failed < 90)
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

    @Test("The gallery's appearance is stored until it is changed")
    func remembersLook() async throws {
        let style = folder.path("my.css")
        try Data("a { color: red }".utf8).write(to: URL(filePath: style))
        var options = MirrorOptions.small()
        options.appearance.title = "Lakes & <hills>"
        options.appearance.style = try GalleryAppearance.style(in: style)
        _ = try await run(options)
        _ = try await run(.small())
        func page() throws -> String { try folder.text("mirror/index.html") }
        #expect(try page().contains("<h1 dir=\"auto\">Lakes &amp; &lt;hills&gt;</h1>"))
        #expect(try folder.bytes(of: "mirror/gallery/user.css") == Array("a { color: red }".utf8))
        var look = GalleryAppearance()
        (look.theme, look.title, look.style) = (.dark, "", "")
        _ = try PhotoMirror.rebuild(out, appearance: look)
        _ = try PhotoMirror.rebuild(out)
        #expect(try page().contains("<h1 dir=\"auto\">Demo</h1>"))
        #expect(try page().contains("content=\"dark\""))
        #expect(!folder.names().contains("mirror/gallery/user.css"))
    }

    @Test(
        "A file that is not a style sheet is refused",
        arguments: [nil, [0xFF, 0xFE], [0x61, 0], [UInt8](repeating: 0x20, count: 1_048_577)])
    func refusesStyle(bytes: [UInt8]?) throws {
        let style = folder.path("my.css")
        if let bytes { try Data(bytes).write(to: URL(filePath: style)) }
        #expect { try GalleryAppearance.style(in: style) } throws: { ($0 as? MirrorError)?.code == .usage }
    }

    private func modified(_ name: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: folder.path(name))[.modificationDate] as? Date
    }
}
