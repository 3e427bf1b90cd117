// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceFeeds
import SluiceFiles
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

/// Whole runs over a local folder of photos.
@Suite("Mirrors of folders", .timeLimit(.minutes(10))) struct FolderMirrorTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write(gradient(shade: 40), to: "in/lakes/deep/dawn.jpg")
        try folder.write(gradient(shade: 80, .png), to: "in/lakes/dusk.png")
        try folder.write(gradient(shade: 120), to: "in/top.jpg")
        try folder.write(gradient(shade: 120), to: "in/.hidden.jpg")
        try folder.write("no picture, however it is called", to: "in/notes.jpg")
        try folder.write(Array(gradient(shade: 160).prefix(400)), to: "in/zz-half.jpg")
        try FileManager.default.createSymbolicLink(atPath: folder.path("in/link.jpg"), withDestinationPath: "top.jpg")
    }

    private func mirror(_ source: String, _ change: (inout MirrorOptions) -> Void = { _ in }) -> PhotoMirror {
        var options = MirrorOptions()
        options.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)]
        change(&options)
        return PhotoMirror(of: source, into: folder.path("in/mirror"), options: options)
    }

    private func run(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> Summary {
        try await mirror(folder.path("in"), change).run()
    }

    private func manifest() throws -> [JSON] { try folder.manifest(of: "in/mirror") }

    /// A JPEG with the facts of a camera, and with a place.
    private func photograph() throws -> [UInt8] {
        func numbers(_ values: [Int], _ size: Int) -> [UInt8] {
            values.flatMap { value in (0..<size).reversed().map { UInt8(value >> (8 * $0) & 255) } }
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            numbers([tag, type], 2) + numbers([count], 4) + value
        }
        let main =
            numbers([3], 2) + entry(0x010F, 2, 4, Array("Ada\0".utf8)) + entry(0x8769, 4, 1, numbers([50], 4))
            + entry(0x8825, 4, 1, numbers([68], 4))
        let date = Array("2010:06:01 12:00:00\0".utf8)
        let details = numbers([1], 2) + entry(0x9003, 2, date.count, numbers([170], 4))
        let place =
            numbers([4], 2) + entry(1, 2, 2, Array("N\0\0\0".utf8)) + entry(2, 5, 3, numbers([122], 4))
            + entry(3, 2, 2, Array("E\0\0\0".utf8)) + entry(4, 5, 3, numbers([146], 4))
        let block =
            Array("MM\0*".utf8) + numbers([8], 4) + main + numbers([0], 4) + details + numbers([0], 4) + place
            + numbers([0], 4) + numbers([48, 1, 30, 1, 0, 1, 11, 1, 15, 1, 0, 1], 4) + date
        let plain = try gradient(shade: 200)
        return plain[..<2] + [0xFF, 0xE1] + numbers([block.count + 8], 2) + Array("Exif\0\0".utf8) + block + plain[2...]
    }

    @Test("The gallery has the facts of the camera, and the place only if it is kept", arguments: [false, true])
    func camera(keepsPlace: Bool) async throws {
        try folder.write(photograph(), to: "in/top.jpg")
        let place = keepsPlace ? #"\"GPSLatitude\":\"48.500000\",\"GPSLongitude\":\"11.250000\","# : ""
        let facts = #"{\"DateTimeOriginal\":\"2010:06:01 12:00:00\",\#(place)\"Make\":\"Ada\"}"#
        func check(_ name: String) throws {
            let data = try folder.text(name)
            #expect(data.split(separator: #""exif":"# + "\"").count == 2 && data.contains(facts), "\(data)")
        }
        _ = try await run { $0.thumbnails.keptMetadata = keepsPlace ? [.gps] : [] }
        try check("in/mirror/gallery/data/1.js")
        // An unchanged original keeps its facts when it gets other thumbnails.
        _ = try await run {
            $0.thumbnails.keptMetadata = keepsPlace ? [.gps] : []
            $0.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
        }
        try check("in/mirror/gallery/data/1.js")
        #expect(try !manifest().contains { $0["exif"] != nil })
        let dates = try manifest().map { $0["date"]?.text }
        #expect(dates.count { $0 == "1275393600" } == 1 && !dates.contains(nil), "\(dates)")

        var options = ThumbnailRunOptions()
        options.thumbnails.keptMetadata = keepsPlace ? [.gps] : []
        _ = try await ThumbnailRun(of: [folder.path("in/top.jpg")], into: folder.path("thumbs"), options: options).run()
        try check("thumbs/gallery/data/1.js")
    }

    /// Such files failed with `feed-parse`.
    @Test("Photos whose names are not valid UTF-8 are copied, and kept by the next run")
    func invalidNames() async throws {
        try folder.write(gradient(shade: 200), named: Array("in/caf".utf8) + [0xE9] + Array(" 1.jpg".utf8))
        try folder.write(gradient(shade: 220), named: Array("in/a".utf8) + [0xFF] + Array("/b/photo.jpg".utf8))
        #expect(try await run().done == 5)
        let lines = try manifest().filter { $0["url"]?.text?.hasPrefix("file:///") == true }
        #expect(lines.compactMap { $0["caption"]?.text } == ["photo", "caf%E9 1"])
        #expect(lines.compactMap { $0["collection"]?.text } == ["a%FF/b"])
        #expect(lines.allSatisfy { $0["id"]?.text == $0["url"]?.text && $0["state"]?.text == "done" })
        #expect(lines.allSatisfy { $0["url"]?.text?.hasSuffix("/in/caf%E9 1.jpg") == ($0["caption"]?.text != "photo") })
        let second = try await run()
        #expect(second.kept == 5 && second.done == 0)
        try folder.write(gradient(shade: 230), named: Array("in/caf".utf8) + [0xE9] + Array(" 1.jpg".utf8))
        #expect(try await run().done == 1)
    }

    @Test("A file that is not in the ledger is never replaced, however often the run is repeated")
    func foreignFile() async throws {
        func repeated() async throws -> Summary { try await run { $0.name = "{seq:05}" } }
        #expect(try await repeated().done == 3)
        let mine = "in/mirror/originals/00005.jpg"
        try folder.write("mine", to: mine)
        try folder.write(gradient(shade: 200), to: "in/zzz.jpg")
        for _ in 0..<3 {
            let summary = try await repeated()
            #expect(summary.causes[.policy] == 1 && summary.stop == nil)
            #expect(try folder.bytes(of: mine) == Array("mine".utf8))
        }
        // Identical bytes are no loss, for example after a power cut that took the newest part of the ledger.
        try folder.write(gradient(shade: 200), to: mine)
        #expect(try await repeated().done == 1)
        #expect(try folder.bytes(of: mine) == gradient(shade: 200))
    }

    /// Thumbnails of another format stayed without a receipt, and would be in the way of later ones.
    @Test("Thumbnails in another format replace the earlier ones") func otherFormat() async throws {
        #expect(try await run().done == 3)
        for (format, quality) in [(ThumbnailOptions.Format.webp, 80), (.jpeg, 30), (.png, 80), (.auto, 50)] {
            let summary = try await run { ($0.thumbnails.format, $0.thumbnails.quality) = (format, quality) }
            #expect(summary.done == 3 && summary.causes[.policy] == nil)
            #expect(folder.names().count { $0.hasPrefix("in/mirror/thumbs/32/") && !$0.hasSuffix("/") } == 3)
        }
    }

    @Test("A mirror whose ledger is lost is refused, and its files stay")
    func lostLedger() async throws {
        _ = try await run()
        try folder.remove("in/mirror/.sluice/ledger.sqlite")
        let before = folder.names()
        let error = await #expect(throws: MirrorError.self) { try await run() }
        #expect(error?.code == .damaged && error?.hint == .rebuildLedger)
        #expect(folder.names().filter { !$0.hasSuffix("/lock") } == before.filter { !$0.hasSuffix("/lock") })
    }

    /// Such a folder was taken for a mirror that has lost its ledger.
    @Test("A run that was killed while it checked its folder is no obstacle to the next")
    func killedBeforeTheLedger() async throws {
        let probe = "in/mirror/\(Folder.probePrefix)4711\(NewFile.suffix)"
        try folder.write([0], to: probe)
        try folder.makeFolder("in/mirror/.sluice")
        #expect(try await run().done == 3)
        #expect(!folder.names().contains(probe))
    }

    @Test(
        "A folder's pictures are copied; hidden files, links, other files and the mirror itself are skipped"
    )
    func whole() async throws {
        let summary = try await run()
        #expect((summary.done, summary.failed, summary.thumbs) == (3, 1, 3))
        let lines = try manifest()
        #expect(lines.map { $0["caption"]?.text } == ["dawn", "dusk", "top", "zz-half"])
        #expect(lines.map { $0["collection"]?.text } == ["lakes/deep", "lakes", nil, nil])
        #expect(lines.map { $0["cause"]?.text } == [nil, nil, nil, "truncated"])
        for line in lines.prefix(3) {
            // The URL is the file's path, and the bytes are the same.
            let path = try #require(line["url"]?.text)
            let copy = try folder.bytes(of: "in/mirror/\(try #require(line["file"]?.text))")
            #expect(path.hasPrefix("/"))
            #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == copy)
            #expect(line["sha256"]?.text == sha256(copy) && line["status"] == nil && line["feed"]?.text == "files")
        }
        #expect(!folder.names().contains { $0.hasPrefix("in/mirror/.sluice/partial/") })
    }

    @Test("The next run keeps unchanged files and copies changed ones, or all with --refresh")
    func next() async throws {
        _ = try await run()
        let before = try folder.bytes(of: "in/mirror/manifest.jsonl")
        // Unchanged files take no slot: earlier, each was opened, claimed and committed again.
        let started = Locked<[String]>([])
        let second = try await mirror(folder.path("in")).run { event in
            if case .itemStarted(let item) = event { started.withLock { $0.append(item.photo.id) } }
        }
        #expect(started.withLock(\.self) == ["zz-half.jpg"].map { folder.path("in/\($0)") })
        #expect((second.done, second.kept, second.failed) == (0, 3, 1))
        #expect(try folder.bytes(of: "in/mirror/manifest.jsonl") == before)
        try folder.write(gradient(shade: 200), to: "in/lakes/deep/dawn.jpg")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: folder.path("in/lakes/deep/dawn.jpg"))
        let third = try await run()
        #expect((third.done, third.kept) == (1, 2))
        #expect(try manifest()[0]["sha256"]?.text == sha256(gradient(shade: 200)))
        let fourth = try await run { $0.refreshes = true }
        #expect((fourth.done, fourth.kept) == (3, 0))
    }

    @Test("Without originals, the next run keeps the thumbnails")
    func thumbnailsAlone() async throws {
        #expect(try await run { $0.keepsOriginals = false }.done == 3)
        let second = try await run { $0.keepsOriginals = false }
        #expect((second.done, second.kept) == (0, 3))
    }

    @Test("Selections, rules and limits apply as for any feed")
    func selecting() async throws {
        let mirror = mirror(folder.path("in")) { options in
            options.selection.positions = PositionRanges("2-")
            options.selection.filter = try? Filter("collection~lakes || caption=top")
            options.selection.since = 1_000_000
        }
        let (rehearsal, lines) = try await mirror.rehearsed()
        #expect((rehearsal.causes[.deferred], rehearsal.failed, rehearsal.notes) == (2, 0, 0))
        #expect(!folder.names().contains("in/mirror"), "a rehearsal touches nothing")
        #expect(lines.contains { $0["caption"]?.text == "dusk" })
        let small = try await run { $0.minSize = ThumbnailSize(width: 97, height: 1) }
        #expect((small.done, small.skipped, small.failed) == (0, 3, 1))
        let few = try await run { $0.maxBytes = 10 }
        #expect((few.done, few.causes[.tooLarge]) == (0, 4))
    }

    @Test("A list cannot refer to local files")
    func feedsOpenNothing() async throws {
        let path = folder.path("in/top.jpg")
        try folder.write("[\"file://\(path)\", \"\(path)\", {\"url\": \"\(path)\"}]", to: "list.json")
        let summary = try await mirror(folder.path("list.json")).run()
        #expect((summary.done, summary.failed) == (0, 3))
        #expect(try manifest().allSatisfy { $0["file"] == nil && $0["cause"]?.text == "feed-parse" })
    }
}
