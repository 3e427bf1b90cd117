// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Searches for copies", .serialized, .timeLimit(.minutes(10))) struct DuplicateSearchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
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
        #expect(reasons[1] == "more pixels" && reasons[3] == "lossless")
    }

    @Test("A crop is found with --crops alone, and the photo that shows more is best, even if it is smaller")
    func crops() async throws {
        try write("a.jpg", 480, 320)
        try write("b.jpg", 612, 408) { (0.1 + 0.85 * $0, 0.05 + 0.85 * $1) }
        try await mirror()
        let members = try #require(search { $0.findsCrops = true }.first).members
        #expect(members.map(\.item) == [1, 2] && members.map(\.relation) == [.best, .crop])
        #expect(members[1].reason == "shows more")
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
            try Data(bytes).write(to: folder.url.appending(path: "in/\(name)"))
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
        try Data("changed".utf8).write(to: folder.url.appending(path: "m/\(best)"))
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
