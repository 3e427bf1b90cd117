// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Sluice
import SluiceEngine
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

/// Whole runs over local files in this process, with real folders, codecs and SQLite.
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

    private func outputs() -> [String] {
        folder.names().filter { $0.hasPrefix("out/32/") && $0.contains(".") }.map { String($0.dropFirst(7)) }
    }

    private func lines() throws -> [JSON] { try folder.manifest() }

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

    @Test("Every picture gets a thumbnail under its relative path, and other files are skipped")
    func wholeWay() async throws {
        let (summary, events) = try await run()
        #expect((summary.done, summary.failed, summary.skipped, summary.thumbs) == (3, 0, 0, 3))
        #expect(outputs() == ["lakes/dawn.jpg", "lakes/dusk.jpg", "top.jpg"])
        for line in try lines() {
            let thumb = try #require(line["thumbs"]?.elements?.first)
            let bytes = try folder.bytes(of: "out/\(try #require(thumb["file"]?.text))")
            #expect(sha256(bytes) == thumb["sha256"]?.text)
            #expect(line["width"]?.integer == 96 && line["phash"] != nil && line["etag"] == nil)
        }
        #expect(events.contains(.pageLoaded(number: 1, photos: 3, total: 3)))
        #expect(folder.names().contains("out/index.html"))
        #expect(folder.names().filter { $0.hasPrefix("out/.sluice/partial/") } == [])
    }

    @Test("A second run does nothing and leaves all files unchanged")
    func secondRun() async throws {
        _ = try await run()
        let before = try folder.bytes(of: "out/manifest.jsonl")
        let (summary, events) = try await run()
        #expect((summary.done, summary.kept) == (0, 3))
        #expect(!events.contains { if case .itemStarted = $0 { true } else { false } })
        #expect(try folder.bytes(of: "out/manifest.jsonl") == before)
    }

    @Test("A touched file is kept because of its content, and the next run does not read it")
    func touched() async throws {
        _ = try await run()
        let thumb = try modified("out/32/lakes/dawn.jpg")
        try folder.write(folder.bytes(of: "in/lakes/dawn.jpg"), to: "in/lakes/dawn.jpg")
        #expect(try await run().summary.kept == 3)
        let (_, events) = try await run()
        #expect(!events.contains { if case .itemStarted = $0 { true } else { false } })
        #expect(try modified("out/32/lakes/dawn.jpg") == thumb)
    }

    @Test("Changed content is processed, even if name, size and date are unchanged")
    func changed() async throws {
        try folder.write(try gradient(shade: 1, .png), to: "in/same.png")
        let date = try modified("in/same.png")
        var other = try gradient(shade: 1, .png)
        let old = other
        for shade in 2...250 where other == old || other.count != old.count { other = try gradient(shade: shade, .png) }
        try #require(other != old && other.count == old.count)
        _ = try await run()
        let before = try folder.bytes(of: "out/32/same.jpg")
        try folder.write(other, to: "in/same.png")
        try FileManager.default.setAttributes(
            [.modificationDate: date as Any], ofItemAtPath: folder.path("in/same.png"))
        #expect(try await run().summary.done == 1)
        #expect(try folder.bytes(of: "out/32/same.jpg") != before)
    }

    @Test("Changed options remake all thumbnails; another size is added, and removed when the content changes")
    func options() async throws {
        _ = try await run()
        #expect(try await run { $0.thumbnails.quality = 30 }.summary.done == 3)
        let sized = try await run {
            $0.thumbnails.quality = 30
            $0.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
        }
        #expect((sized.summary.done, sized.summary.thumbs) == (3, 3))
        #expect(try lines().allSatisfy { $0["thumbs"]?.elements?.compactMap { $0["size"]?.integer } == [16, 32] })
        try folder.write(gradient(shade: 200), to: "in/lakes/dawn.jpg")
        _ = try await run()
        #expect(!folder.names().contains("out/16/lakes/dawn.jpg"))
        #expect(folder.names().contains("out/16/top.jpg"))
        _ = try await run { $0.thumbnails.format = .webp }
        #expect(outputs() == ["lakes/dawn.webp", "lakes/dusk.webp", "top.webp"])
    }

    @Test("Only missing thumbnails are made again")
    func repairs() async throws {
        _ = try await run()
        try folder.remove("out/32/top.jpg")
        let (summary, _) = try await run()
        #expect((summary.done, summary.kept) == (1, 2))
        #expect(outputs().contains("top.jpg"))
    }

    @Test("Two files with the same output name both get thumbnails, for any number of jobs")
    func clash() async throws {
        try folder.write(gradient(shade: 9, .png), to: "in/lakes/dawn.png")
        try folder.write(gradient(shade: 99), to: "in/../in2/top.jpg")
        let (summary, _) = try await run(["in", "in2"]) { $0.jobs = 1 }
        #expect(summary.done == 5)
        let names = outputs()
        #expect(
            names.count == 5 && names.count { $0.hasPrefix("lakes/dawn") } == 2
                && names.count { $0.hasPrefix("top") } == 2)
        let manifest = try folder.bytes(of: "out/manifest.jsonl")
        try FileManager.default.removeItem(atPath: out)
        _ = try await run(["in", "in2"]) { $0.jobs = 8 }
        #expect(try folder.bytes(of: "out/manifest.jsonl") == manifest)
    }

    @Test("A file that replaces another one replaces its thumbnail and its item")
    func replaced() async throws {
        _ = try await run()
        try folder.remove("in/lakes/dawn.jpg")
        try folder.write(gradient(shade: 7, .png), to: "in/lakes/dawn.png")
        #expect(try await run().summary.done == 1)
        #expect(outputs() == ["lakes/dawn.jpg", "lakes/dusk.jpg", "top.jpg"])
        #expect(try lines().count == 3)
    }

    @Test("Only the bad files fail: a named file that is not a picture, and a truncated one")
    func failures() async throws {
        try folder.write(Array(folder.bytes(of: "in/lakes/dawn.jpg").dropLast(200)), to: "in/cut.jpg")
        let (summary, events) = try await run(["in/lakes/notes.jpg", "in"])
        #expect((summary.done, summary.failed, summary.stop) == (3, 2, nil))
        #expect(summary.causes == [.notAnImage: 1, .truncated: 1])
        for case .itemEnded(_, .failed(let receipt)) in events {
            #expect(receipt.failure?.finalURL == receipt.url && receipt.thumbs.isEmpty)
        }
    }

    @Test("A missing path is refused before anything is created")
    func missingPath() async throws {
        let error = await #expect(throws: MirrorError.self) { try await run(["in", "in/nowhere.jpg"]) }
        #expect(error?.code == .usage && !folder.names().contains { $0.hasPrefix("out") })
    }

    @Test("A salvaged truncated file is done and marked in the manifest, and fails without the option")
    func salvage() async throws {
        try folder.write(Array(folder.bytes(of: "in/lakes/dusk.png").dropLast(40)), to: "in/cut.png")
        let (summary, _) = try await run { $0.thumbnails.salvages = true }
        #expect((summary.done, summary.salvaged, summary.causes) == (4, 1, [:]))
        #expect(outputs().contains("cut.png"), "what lacks is transparent")
        let line = try #require(lines().first { $0["id"]?.text == "cut" })
        #expect(line["state"]?.text == "done" && line["cause"]?.text == "truncated")
        let again = try await run { $0.thumbnails.salvages = true }.summary
        #expect((again.kept, again.salvaged) == (4, 1))
        let strict = try await run().summary
        #expect((strict.kept, strict.failed, strict.causes) == (3, 1, [.truncated: 1]), "the others are not made again")
    }

    @Test("A file without its end marker is done with a note; a damaged one fails and names the option")
    func missingEnd() async throws {
        try folder.write(Array(folder.bytes(of: "in/lakes/dawn.jpg").dropLast(2)), to: "in/endless.jpg")
        try folder.write(Array(folder.bytes(of: "in/lakes/dusk.png").dropLast(12)), to: "in/endless.png")
        try folder.write(Array(folder.bytes(of: "in/lakes/dusk.png").dropLast(40)), to: "in/cut.png")
        let (summary, events) = try await run()
        #expect((summary.done, summary.failed, summary.salvaged, summary.notes) == (5, 1, 0, 2))
        for case .itemEnded(_, .failed(let receipt)) in events {
            #expect(receipt.failure?.cause == .truncated && receipt.failure?.hint == .salvage)
        }
        let line = try #require(lines().first { $0["id"]?.text == "endless" })
        #expect(line["state"]?.text == "done" && line["cause"] == nil)
    }

    @Test("Pictures of formats that Sluice cannot read fail by name")
    func unreadable() async throws {
        try folder.remove("in")
        try folder.write(Array("\0\0\0\u{18}ftypqt  ".utf8) + [UInt8](repeating: 0, count: 40), to: "in/a.MOV")
        try folder.write("%PDF-1.7\n", to: "in/b.pdf")
        try folder.write("%PDF-1.6\n", to: "in/d.jpg")
        try folder.write("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "in/c.svg")
        let (summary, events) = try await run()
        #expect((summary.done, summary.failed, summary.causes) == (0, 4, [.unsupported: 4]))
        #expect(summary.unsupportedFormats == ["mp4": 1, "pdf": 2, "svg": 1])
        let details = events.compactMap { event -> String? in
            if case .itemEnded(_, .failed(let receipt)) = event { receipt.failure?.detail } else { nil }
        }
        #expect(
            details.sorted() == [
                "Sluice cannot read MP4 or QuickTime video", "Sluice cannot read PDF", "Sluice cannot read PDF",
                "Sluice cannot read SVG",
            ])
    }

    @Test("Notes about a file are reported, and the file is done")
    func notes() async throws {
        let file = try folder.bytes(of: "in/lakes/dawn.jpg")
        try folder.write(
            file.prefix(2) + [0xFF, 0xE1, 0, 10] + Array("Exif\0\0??".utf8) + file.dropFirst(2), to: "in/odd.jpg")
        let (summary, events) = try await run()
        #expect((summary.done, summary.notes) == (4, 1))
        let notes = events.compactMap {
            if case .itemNoted(let item, let text) = $0 { (item.photo.id, text) } else { nil }
        }
        #expect(notes.map(\.0) == ["odd"] && notes.map(\.1) == ["EXIF ignored: the TIFF header is missing"])
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

    @Test("A damaged file leaves the thumbnails of its last version, and the failure is reported")
    func damagedLater() async throws {
        #expect(try await run().summary.done == 3)
        let before = try folder.bytes(of: "out/manifest.jsonl")
        try folder.write(gradient(shade: 90).dropLast(200), to: "in/lakes/dawn.jpg")
        let summary = try await run().summary
        #expect(summary.causes == [.truncated: 1] && summary.kept == 2)
        #expect(try folder.bytes(of: "out/manifest.jsonl") == before)
        #expect(try await Verification(of: out).run { _ in }.isSound)
    }

    /// Such files and folders failed by name.
    @Test("Files and folders whose names are not valid UTF-8 get thumbnails with escaped names")
    func invalidName() async throws {
        try folder.write(gradient(shade: 200), named: Array("in/c".utf8) + [0xE9] + Array(".jpg".utf8))
        try folder.write(gradient(shade: 220), named: Array("in/".utf8) + [0xFF] + Array("/50%.jpg".utf8))
        // The text of the first name is another file's name.
        try folder.write(gradient(shade: 240), to: "in/c%E9.jpg")
        for isRepeated in [false, true] {
            let summary = try await run().summary
            #expect((isRepeated ? summary.kept : summary.done) == 6 && summary.failed == 0, "\(summary)")
        }
        let made = outputs().filter { $0.contains("%") }
        #expect(made.count == 3 && made.contains("%FF/50%.jpg") && made.contains("c%E9.jpg"), "\(made)")
        let urls = try Set(lines().compactMap { $0["url"]?.text }.filter { $0.contains("%") })
        let place = URL(filePath: folder.path("in")).resolvingSymlinksInPath().path
        #expect(
            urls == ["file://\(place)/c%E9.jpg", "file://\(place)/%FF/50%25.jpg", "\(folder.path)/in/c%E9.jpg"])
        // The gallery's links lead to the files.
        let page = try folder.text("out/gallery/data/1.js")
        #expect(page.contains("/in/c%E9.jpg") && page.contains("/in/%FF/50%25.jpg"), "\(page)")
    }

    @Test("A file that is too large is not read")
    func tooLarge() async throws {
        try folder.write([], to: "in/huge.jpg")
        try FileHandle(forWritingTo: folder.url.appending(path: "in/huge.jpg")).truncate(atOffset: 1 << 40)
        let (summary, events) = try await run(["in/huge.jpg"])
        #expect(summary.causes == [.tooLarge: 1])
        for case .itemEnded(_, .failed(let receipt)) in events {
            #expect(receipt.failure?.detail == "1099511627776 bytes (limit 1073741824)")
        }
    }

    @Test("If a thumbnail's path is taken, only that item fails, and nothing is overwritten")
    func inTheWay() async throws {
        try folder.write(gradient(shade: 3), to: "in/deep/er.jpg")
        _ = try await run(["in/lakes"])
        try folder.makeFolder("out/32/top.jpg")
        try folder.write("mine", to: "out/32/deep")
        let (summary, _) = try await run()
        #expect(summary.causes == [.policy: 2] && summary.stop == nil && summary.done + summary.kept == 2)
        #expect(try folder.bytes(of: "out/32/deep") == Array("mine".utf8))
    }

    @Test("The output folder may be inside the input folder: no thumbnails are made of thumbnails")
    func within() async throws {
        for expected in [3, 0] {
            let inner = ThumbnailRun(of: [folder.path("in")], into: folder.path("in/small"))
            #expect(try await inner.run().done == expected)
        }
    }

    @Test("A symbolic link is followed if it was named, but not if it was found in a folder")
    func links() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("in/link.jpg"), withDestinationPath: "lakes/dawn.jpg")
        #expect(try await run().summary.ended == 3)
        #expect(try await run(["in/link.jpg"]).summary.done == 1)
        #expect(outputs().contains("link.jpg"))
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

    @Test("A folder with other files is refused, and the gallery can be rebuilt from the ledger")
    func folders() async throws {
        let refused = await #expect(throws: MirrorError.self) {
            try await ThumbnailRun(of: [folder.path("in")], into: folder.path("in/lakes")).run()
        }
        #expect(refused?.code == .usage)
        _ = try await run { $0.writesGallery = false }
        #expect(!folder.names().contains("out/index.html"))
        #expect(try PhotoMirror.rebuild(out) == RebuildReport(items: 3, done: 3, failed: 0))
        #expect(folder.names().contains("out/index.html"))
    }

    private func modified(_ name: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: folder.path(name))[.modificationDate] as? Date
    }
}
