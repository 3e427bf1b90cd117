// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Shared content", .serialized, .timeLimit(.minutes(10))) struct SharedContentTests: MirrorSuite {
    let folder = TemporaryFolder()
    /// The colours of pictures that differ from the others.
    private let light = Locked<[String: UInt8]>([:])
    let origin: OriginServer

    init() throws {
        origin = try OriginServer(
            ScriptedService { [light] request in
                OriginReply(type: "image/png", png(light.withLock { $0[request.path] ?? 90 }))
            })
    }

    @discardableResult private func mirror(
        _ names: [String], _ change: (inout MirrorOptions) -> Void = { _ in }
    ) async throws -> Summary {
        try list(names)
        return try await run(change)
    }

    private var originals: [URL] {
        folder.names().filter { $0.hasPrefix("out/originals/") }.map { folder.url.appending(path: $0) }
    }

    /// Returns the number of distinct files (inodes) that the names refer to.
    private func files() throws -> Int {
        try Set(
            originals.map { url in
                try #require(FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber] as? Int)
            }
        ).count
    }

    private var leftovers: [String] { folder.names().filter { $0.hasPrefix("out/.sluice/partial/") } }

    @Test("Identical bytes are stored once, within a run and across runs", arguments: [1, 8])
    func once(width: Int) async throws {
        light.withLock { $0["/other"] = 10 }
        #expect(try await mirror(["a", "b", "other", "c"]) { $0.concurrency = width }.done == 4)
        #expect(originals.count == 4)
        #expect(try files() == 2)
        #expect(try await mirror(["a", "b", "other", "c", "d"]) { $0.concurrency = width }.done == 1)
        #expect(originals.count == 5 && leftovers == [])
        #expect(try files() == 2)
        #expect(try await Verification(of: folder.path("out")).run { _ in }.isSound)
    }

    @Test("A newer version of one photo leaves the others unchanged, and refreshed identical bytes stay shared")
    func refreshed() async throws {
        try await mirror(["a", "b", "c"])
        let before = try Data(contentsOf: originals[0])
        // The origin sends no validators: each photo is downloaded again with its old bytes.
        #expect(try await mirror(["a", "b", "c"]) { $0.refreshes = true }.done == 3)
        #expect(try files() == 1)
        #expect(leftovers == [])
        light.withLock { $0["/b"] = 200 }
        #expect(try await mirror(["a", "b", "c"]) { $0.refreshes = true }.done == 3)
        #expect(try Data(contentsOf: originals[0]) == before && Data(contentsOf: originals[2]) == before)
        #expect(try Data(contentsOf: originals[1]) != before)
        #expect(try files() == 2)
        #expect(leftovers == [])
        #expect(try await Verification(of: folder.path("out")).run { _ in }.isSound)
    }

    @Test("A file that does not match its receipt is not shared")
    func changed() async throws {
        try await mirror(["a"])
        let file = originals[0]
        let mine = Data(repeating: 7, count: try Data(contentsOf: file).count)
        try mine.write(to: file)
        try await mirror(["a", "b"])
        #expect(try Data(contentsOf: file) == mine && Data(contentsOf: originals[1]) != mine)
    }

    @Test("Sharing can be disabled")
    func unshared() async throws {
        try await mirror(["a", "b"]) { $0.sharesContent = false }
        #expect(try files() == 2)
    }
}
