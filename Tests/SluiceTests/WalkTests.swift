// SPDX-License-Identifier: MIT

import Foundation
import SluiceFeeds
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Reading a feed page by page during a run.
@Suite("Feed walk", .timeLimit(.minutes(10))) struct WalkTests {
    /// One more than a page of a list has.
    private static let count = 1001

    private let service = HeldPhotos()
    private let folder: TemporaryFolder
    private let origin: OriginServer

    init() throws {
        folder = try TemporaryFolder()
        origin = try OriginServer(service)
        let list = (1...Self.count).map { "\(origin.address)/\($0)\n" }.joined()
        try Data(list.utf8).write(to: folder.url.appending(path: "list"))
    }

    private func mirror(_ change: (inout MirrorOptions) -> Void = { _ in }) -> PhotoMirror {
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.concurrency = 4
        options.durability = .none
        options.writesGallery = false
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(origin.port)]
        change(&options)
        return PhotoMirror(of: folder.path("list"), into: folder.path("out"), options: options)
    }

    @Test("The next page is claimed while the items of the previous one wait for the pool")
    func ahead() async throws {
        let mirror = mirror()
        let events = mirror.events()
        async let running = mirror.run()
        for await event in events {
            // The gate opens only here, so the walk cannot have finished the page before.
            if case .pageLoaded(number: 2, _, _) = event { service.gate.open() }
        }
        #expect(try await running.done == Self.count)
    }

    @Test("A page beyond the limits is not claimed", arguments: [1000, 3])
    func enough(items: Int) async throws {
        service.gate.open()
        let summary = try await mirror { $0.maxItems = items }.run()
        #expect((summary.pages, summary.done) == (1, items))
    }

    @Test("Consecutive kept items end the walk before the next page is claimed")
    func seen() async throws {
        service.gate.open()
        #expect(try await mirror { $0.maxItems = 1000 }.run().done == 1000)
        let summary = try await mirror { $0.stopAfterSeen = 1000 }.run()
        #expect((summary.pages, summary.kept, summary.done) == (1, 1000, 0))
    }
}
