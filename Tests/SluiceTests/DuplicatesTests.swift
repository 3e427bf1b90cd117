// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Duplicates", .serialized, .timeLimit(.minutes(10))) struct DuplicatesTests {
    /// Serves the same picture for URLs with `same`, and a different one for every other URL.
    private final class Service: OriginService {
        func reply(to request: OriginRequest) -> OriginReply {
            let seed = request.path.hasPrefix("/same") ? 7 : request.path.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
            let pixels = (0..<(32 * 32)).flatMap { place -> [UInt8] in
                let light = UInt8(
                    truncatingIfNeeded: (place % 32) * (seed % 13 + 1) * 3 + (place / 32) * (seed % 7) * 5)
                return [light, light &+ UInt8(truncatingIfNeeded: seed), light, 255]
            }
            let bytes = try? ImageEncoder(.png).encode(pixels, width: 32, height: 32)
            return OriginReply(type: "image/png", bytes ?? [])
        }
    }

    private let folder = TemporaryFolder()

    private func mirror(_ names: [String]) async throws {
        let origin = try OriginServer(Service())
        let options = MirrorOptions.loopback(origin.port) {
            $0.sharesContent = false
            $0.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
        }
        let list = names.map { "http://127.0.0.1:\(origin.port)/\($0)" }.joined(separator: "\n")
        try folder.write(list, to: "list.txt")
        let summary = try await PhotoMirror(of: folder.path("list.txt"), into: folder.path("out"), options: options)
            .run()
        try #require(summary.done == names.count)
    }

    private var originals: [URL] {
        folder.names().filter { $0.hasPrefix("out/originals/") }.map { folder.url.appending(path: $0) }
    }

    /// The file's inode number: hard links have the same one.
    private func inode(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber] as? Int)
    }

    @Test("Photos with the same bytes form a group, and five from one host are a likely placeholder")
    func same() async throws {
        try await mirror(["same-1", "x", "same-2", "same-3", "same-4"])
        let few = try DuplicateSearch(in: folder.path("out")).run().groups.filter(\.isIdentical)
        #expect(few.map { $0.members.map(\.item).sorted() } == [[1, 3, 4, 5]] && few[0].placeholderHost == nil)
        // The service now has another port, so these are additional photos.
        try await mirror(["same-5", "y"])
        let many = try DuplicateSearch(in: folder.path("out")).run().groups.filter(\.isIdentical)
        #expect(many.first?.members.count == 5 && many.first?.placeholderHost == "127.0.0.1")
    }

    @Test("--merge links files with the same bytes, and only files that match their receipts")
    func merging() async throws {
        try await mirror(["same-1", "same-2", "other", "same-3"])
        let files = originals
        try Data("changed".utf8).write(to: files[3])
        let before = try Set(files.map(inode)).count
        #expect(before == 4)
        let report = try PhotoMirror.deduplicate(in: folder.path("out"))
        #expect(report.merged == 1 && report.left == 0)
        #expect(try Data(contentsOf: files[3]) == Data("changed".utf8))
        #expect(try Data(contentsOf: files[0]) == Data(contentsOf: files[1]))
        // Only the changed file has a fault, and its repair changes no other file.
        let verification = Verification(of: folder.path("out"))
        var faults: [FileFault] = []
        _ = try await verification.run { faults.append($0) }
        #expect(faults.map(\.item) == [4])
        #expect(folder.names().filter { $0.hasPrefix("out/.sluice/partial/") } == [])
    }

    @Test("Similar hashes are found as by comparing all pairs", arguments: [0, 1, 3, 4, 7])
    func near(distance: Int) {
        var random = SystemRandomNumberGenerator()
        var hashes: Set<UInt64> = []
        for _ in 0..<60 {
            // Groups whose members differ by up to eight bits.
            let parent = UInt64.random(in: .min ... .max, using: &random)
            for _ in 0..<5 {
                var child = parent
                for _ in 0..<Int.random(in: 0...8, using: &random) {
                    child ^= 1 << UInt64.random(in: 0..<64, using: &random)
                }
                hashes.insert(child)
            }
        }
        let all = hashes.sorted()
        var groups = all.indices.map { Set([$0]) }
        for (first, hash) in all.enumerated() {
            for (second, other) in all.enumerated()
            where second > first && (hash ^ other).nonzeroBitCount <= distance {
                let joined = groups.filter { $0.contains(first) || $0.contains(second) }
                groups.removeAll { joined.contains($0) }
                groups.append(joined.reduce(into: []) { $0.formUnion($1) })
            }
        }
        let wanted = groups.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
        #expect(HammingIndex(all, distance: distance).groups() == wanted)
    }
}

@Suite("Searches for copies", .serialized, .timeLimit(.minutes(10))) struct DuplicateSearchTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.makeFolder("in")
    }

    private func write(
        _ name: String, _ width: Int, _ height: Int, seed: Int = 1, format: ImageFormat = .jpeg, quality: Int = 90,
        _ place: (Double, Double) -> (Double, Double) = { ($0, $1) }
    ) throws {
        try TestScene(seed: seed).write(folder.path("in/\(name)"), width, height, format, quality: quality, place)
    }

    @discardableResult private func mirror(_ name: String = "m") async throws -> Summary {
        try await PhotoMirror(of: folder.path("in"), into: folder.path(name)).run()
    }

    private func search(
        _ name: String = "m", _ change: (inout DuplicateOptions) -> Void = { _ in }
    ) throws -> [DuplicateGroup] {
        var options = DuplicateOptions()
        change(&options)
        return try DuplicateSearch(in: folder.path(name), options: options).run().groups
    }

    private func originals(_ name: String = "m") -> [String] {
        folder.names().filter { $0.hasPrefix("\(name)/originals/") }
    }

    @Test("Scaled, re-encoded, turned and mirrored copies form one group with the best first")
    func copies() async throws {
        try write("a.jpg", 240, 160)
        try write("b.png", 480, 320, format: .png)
        try write("c.jpg", 480, 320, quality: 30)
        try write("d.jpg", 480, 320) { (1 - $0, $1) }
        try write("e.jpg", 320, 480) { (1 - $1, $0) }
        try write("g.jpg", 480, 320, seed: 2)
        try await mirror()
        let groups = try search()
        #expect(groups.count == 1)
        let members = try #require(groups.first).members
        #expect(members[0].item == 2 && members[0].relation == .best && members[0].reason == nil)
        let relations = Dictionary(uniqueKeysWithValues: members.map { ($0.item, $0.relation) })
        #expect(relations == [1: .copy, 2: .best, 3: .copy, 4: .turned, 5: .turned])
        let reasons = Dictionary(uniqueKeysWithValues: members.map { ($0.item, $0.reason) })
        #expect(reasons[1] == "more detail" && reasons[3] == "lossless", "\(reasons)")
    }

    /// The brightness of a scene, whose discs have detail up to the limit of the pixels.
    private func scene(_ width: Int, _ height: Int) -> [Double] {
        (0..<width * height).map { place in
            TestScene(seed: 3).light(
                (Double(place % width) + 0.5) / Double(width), (Double(place / width) + 0.5) / Double(height))
        }
    }

    private func write(_ name: String, _ values: [Double], _ width: Int, quality: Int = 90) throws {
        let pixels = values.flatMap { value in
            let light = UInt8(min(max(value, 0), 255))
            return [light, light, light, 255]
        }
        let format = name.hasSuffix("png") ? ImageFormat.png : .jpeg
        var encoder = ImageEncoder(format)
        encoder.quality = quality
        try folder.write(encoder.encode(pixels, width: width, height: values.count / width), to: "in/\(name)")
    }

    /// Copies that are larger, sharper or of a finer quality were preferred.
    @Test(
        "The original is better than its copies",
        arguments: [
            ("scaled", "not scaled up"), ("blurred", "not blurred"), ("sharpened", "not sharpened"),
            ("brightened", "fewer clipped tones"), ("marked", "without a mark"), ("recompressed", "finer JPEG"),
        ])
    func betterCopy(kind: String, reason: String) async throws {
        let (width, height) = (320, 240)
        let original = scene(width, height)
        func value(_ x: Int, _ y: Int) -> Double {
            original[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
        }
        let blurred = original.indices.map { place in
            var sum = 0.0
            for row in -1...1 { for column in -1...1 { sum += value(place % width + column, place / width + row) } }
            return sum / 9
        }
        var (copy, copyWidth, quality) = (original, width, 95)
        switch kind {
        case "scaled":
            copyWidth = width * 3 / 2
            copy = (0..<copyWidth * height * 3 / 2).map { place in
                let x = (Double(place % copyWidth) + 0.5) / 1.5 - 0.5
                let y = (Double(place / copyWidth) + 0.5) / 1.5 - 0.5
                let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
                let (across, down) = (x - Double(left), y - Double(top))
                let upper = value(left, top) * (1 - across) + value(left + 1, top) * across
                let lower = value(left, top + 1) * (1 - across) + value(left + 1, top + 1) * across
                return upper * (1 - down) + lower * down
            }
        case "blurred": copy = blurred
        case "sharpened": copy = zip(original, blurred).map { $0 + ($0 - $1) }
        case "brightened": copy = original.map { $0 * 1.1 + 20 }
        case "marked":
            quality = 90
            for place in copy.indices where (200..<260).contains(place % width) && (205..<215).contains(place / width) {
                copy[place] += place % 6 < 3 ? 30 : -30
            }
        default: quality = 60
        }
        try write("a.jpg", copy, copyWidth, quality: quality)
        try write("b.jpg", original, width)
        try await mirror()
        let members = try #require(try search().first).members
        #expect(members.map(\.item) == [2, 1] && members[1].reason == reason, "\(members.map(\.reason))")
    }

    @Test("A PNG that was made from a JPEG is its copy")
    func converted() async throws {
        let original = scene(320, 240)
        try write("b.jpg", original, 320, quality: 85)
        var options = ThumbnailOptions()
        (options.sizes, options.format) = ([ThumbnailSize(width: 320, height: 240)], .fixed(.png))
        let decoded = try Thumbnailer(options).thumbnails(of: Array(folder.bytes(of: "in/b.jpg")))
        try folder.write(decoded.thumbnails[0].bytes, to: "in/a.png")
        try await mirror()
        let members = try #require(try search().first).members
        #expect(members.map(\.item) == [2, 1] && members[1].reason == "source of the copy")
    }

    @Test("A part of a photo is no copy of it")
    func parts() async throws {
        try write("a.jpg", 480, 320)
        try write("b.jpg", 612, 408) { (0.1 + 0.85 * $0, 0.05 + 0.85 * $1) }
        try await mirror()
        #expect(try search() == [])
    }

    /// The hashes of such pictures are nearly equal, and were all that counted.
    @Test("Pictures with nearly equal hashes and other pixels are no copies")
    func falsePositives() async throws {
        for (name, phase) in [("a.png", 0.0), ("b.png", 0.5)] {
            var pixels: [UInt8] = []
            for row in 0..<256 {
                for column in 0..<256 {
                    // The same large shapes, and stripes at other places.
                    let (x, y) = (Double(column) / 256, Double(row) / 256)
                    let stripe = Int((y * 16 + phase).rounded(.down)) % 2 == 0 ? 0.0 : 90
                    let value = UInt8(min(255, TestScene(seed: 3).light(x * 0.4, y * 0.4) * 0.5 + stripe))
                    pixels += [value, value, value, 255]
                }
            }
            let bytes = try ImageEncoder(.png).encode(pixels, width: 256, height: 256)
            try folder.write(bytes, to: "in/\(name)")
        }
        try await mirror()
        let opened = try MirrorFolder.open(reading: folder.path("m"))
        let first = try PhotoClusters(of: opened.ledger, distance: 7).first(of: 2)
        opened.close()
        try #require(first == 1)
        #expect(try search() == [])
    }

    @Test("An ignored pair forms no group")
    func ignored() async throws {
        try write("a.jpg", 240, 160)
        try write("b.jpg", 480, 320)
        try await mirror()
        let members = try #require(search().first).members
        let pairs = try IgnoredPairs("\(members[1].sha256) \(members[0].sha256)")
        #expect(try search { $0.ignored = pairs } == [])
    }

    @Test("Moved copies stay away from later runs, and come back with --retry")
    func moving() async throws {
        try write("a.jpg", 240, 160)
        try write("b.jpg", 480, 320)
        try write("c.jpg", 480, 320, seed: 2)
        try await mirror()
        let before = originals()
        let result = try PhotoMirror.moveCopies(of: search(), in: folder.path("m"), to: folder.path("copies"))
        #expect(result.moved.count == 1 && result.refused.isEmpty)
        let moved = folder.names().filter { $0.hasPrefix("copies/") }
        #expect(moved.count == 1)
        let copy = try Data(contentsOf: folder.url.appending(path: try #require(moved.first)))
        #expect(try copy == Data(contentsOf: folder.url.appending(path: "in/a.jpg")))
        #expect(originals().count == 2)
        let again = try await mirror()
        #expect(again.skipped == 1 && again.kept == 2 && originals().count == 2)
        #expect(again.causes == [Cause.duplicate: 1])
        var options = MirrorOptions()
        options.retriedCauses = CauseSet("duplicate")
        let retried = try await PhotoMirror(of: folder.path("in"), into: folder.path("m"), options: options).run()
        #expect(retried.done == 1 && originals() == before)
    }

    @Test("No copy is moved if the best photo's file has changed")
    func changed() async throws {
        try write("a.jpg", 240, 160)
        try write("b.jpg", 480, 320)
        try await mirror()
        let groups = try search()
        let best = try #require(groups.first?.members.first?.path)
        try folder.write("changed", to: "m/\(best)")
        let result = try PhotoMirror.moveCopies(of: groups, in: folder.path("m"), to: folder.path("copies"))
        #expect(result.moved.isEmpty && result.refused.count == 1 && originals().count == 2)
        #expect(throws: MirrorError.self) {
            try PhotoMirror.moveCopies(of: groups, in: folder.path("m"), to: folder.path("m/copies"))
        }
    }

    @Test("Photos of the reference are best, even if they are smaller, and stay")
    func reference() async throws {
        try write("a.jpg", 240, 160)
        try await mirror("other")
        try write("b.jpg", 480, 320)
        try await mirror()
        let before = try Tree.bytes(below: folder.url.appending(path: "other/originals"))
        let groups = try search { $0.reference = folder.path("other") }
        let members = try #require(groups.first).members
        #expect(groups.count == 1 && members.map(\.isReference) == [true, false, false])
        #expect(members.dropFirst().allSatisfy { $0.reason == "in the reference" })
        let result = try PhotoMirror.moveCopies(
            of: groups, in: folder.path("m"), to: folder.path("copies"), reference: folder.path("other"))
        #expect(result.moved.count == 2 && originals().isEmpty)
        #expect(try Tree.bytes(below: folder.url.appending(path: "other/originals")) == before)
    }

    /// The files of a folder.
    private enum Tree {
        static func bytes(below folder: URL) throws -> [String: Data] {
            var files: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                files[name] = try Data(contentsOf: folder.appending(path: name))
            }
            return files
        }
    }
}

@Suite("Runs that skip similar photos", .serialized, .timeLimit(.minutes(10))) struct SimilarPhotosTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.makeFolder("in")
    }

    private func write(_ name: String, _ width: Int, seed: Int = 1) throws {
        try TestScene(seed: seed).write(folder.path("in/\(name)"), width, width * 2 / 3)
    }

    @discardableResult private func mirror(skipsSimilar: Bool = true) async throws -> Summary {
        var options = MirrorOptions()
        options.skipsSimilar = skipsSimilar
        return try await PhotoMirror(of: folder.path("in"), into: folder.path("m"), options: options).run()
    }

    private func originals() -> [String] {
        folder.names().filter { $0.hasPrefix("m/originals/") }.map { String($0.dropFirst(12)) }.sorted()
    }

    /// The causes and details of the photos that are not done, by their positions.
    private func skipped() throws -> [Int: String] {
        let mirror = try MirrorFolder.open(reading: folder.path("m"))
        var found: [Int: String] = [:]
        var batches = mirror.ledger.batches()
        while let entries = try batches.next() {
            for entry in entries where entry.receipt?.state == .skipped {
                found[entry.item.seq] = entry.receipt?.failure?.description
            }
        }
        mirror.close()
        return found
    }

    @Test("The best of new copies stays, the others are recorded as skipped, and no later run reads them again")
    func newCopies() async throws {
        try write("a.jpg", 240)
        try write("b.jpg", 480)
        try write("c.jpg", 480, seed: 2)
        let first = try await mirror()
        #expect((first.done, first.skipped, first.copies, first.causes) == (2, 1, 1, [.duplicate: 1]))
        let before = originals()
        #expect(try before.count == 2 && skipped() == [1: "duplicate: a copy of 2"])
        let again = try await mirror()
        #expect(again.done == 0 && again.skipped == 1 && again.kept == 2 && again.copies == 0 && originals() == before)
        #expect(!folder.names().contains("m/.sluice/similar"))
    }

    @Test("Photos of earlier runs stay, also those that are copies of each other or smaller than a new copy")
    func earlierPhotos() async throws {
        try write("a.jpg", 240)
        try write("b.jpg", 300)
        try await mirror(skipsSimilar: false)
        let before = originals()
        try write("c.jpg", 480)
        try write("d.jpg", 480, seed: 2)
        try await mirror()
        #expect(originals().count == 3 && Set(originals()).isSuperset(of: before))
        #expect(try skipped().keys.sorted() == [3])
    }

    @Test("The photos of a run that ended before the comparison are compared by the next one")
    func interrupted() async throws {
        try write("a.jpg", 240)
        try write("b.jpg", 480)
        try await mirror(skipsSimilar: false)
        // The state of a run that was killed.
        try folder.write("1\n", to: "m/.sluice/similar")
        let summary = try await mirror()
        #expect((summary.done, summary.kept, summary.skipped, summary.copies) == (0, 1, 1, 1))
        #expect(try originals().count == 1 && skipped() == [1: "duplicate: a copy of 2"])
    }
}
