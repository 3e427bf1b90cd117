// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
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

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mirror(_ names: [String]) async throws {
        let origin = try OriginServer(Service())
        defer { origin.stop() }
        var options = MirrorOptions()
        options.sharesContent = false
        options.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(origin.port)]
        let list = names.map { "http://127.0.0.1:\(origin.port)/\($0)" }.joined(separator: "\n")
        try Data(list.utf8).write(to: folder.url.appending(path: "list.txt"))
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
