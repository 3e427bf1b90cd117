// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Row E4 of the fault table: a good copy is kept until a better one is complete, and the ledger matches the files.
@Suite("Refreshing", .serialized, .timeLimit(.minutes(10))) struct RefreshTests: MirrorSuite {
    enum Answer: Sendable {
        case photo, gone, trouble, truncated, small, busy
    }

    private final class Service: OriginService {
        let answer = Locked(Answer.photo)
        let asked = Locked(0)
        private let photo: [UInt8]

        init() throws {
            photo = try ImageEncoder(.png).encode(
                (0..<(4 * 64 * 64)).map { UInt8($0 * 7 & 0xFF) }, width: 64, height: 64)
        }

        func reply(to request: OriginRequest) -> OriginReply {
            asked.withLock { $0 += 1 }
            return switch answer.withLock({ $0 }) {
            case .photo: OriginReply(type: "image/png", photo)
            case .gone: .text("", status: 404)
            case .trouble: .text("", status: 500)
            // Longer than a run waits.
            case .busy: .text("", status: 429, headers: [OriginHeader("Retry-After", "86400")])
            case .truncated: OriginReply(type: "image/png", Array(photo.dropLast(100)))
            case .small: OriginReply(type: "image/png", Self.dot)
            }
        }

        private static let dot = (try? ImageEncoder(.png).encode([1, 2, 3, 255], width: 1, height: 1)) ?? []
    }

    let folder = TemporaryFolder()
    private let service: Service
    let origin: OriginServer

    init() throws {
        service = try Service()
        origin = try OriginServer(service)
        try list(["a.png"])
    }

    func prepare(_ options: inout MirrorOptions) {
        options.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
        options.retries = 0
        options.minSize = ThumbnailSize(width: 2, height: 2)
    }

    private func files() throws -> [String: [UInt8]] {
        let names = folder.names().filter { name in
            ["out/originals/", "out/thumbs/16/", "out/manifest."].contains { name.hasPrefix($0) }
        }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try folder.bytes(of: $0)) })
    }

    /// A failed refresh used to mark an intact photo as failed in the receipt and the manifest.
    @Test(
        "After a failed refresh the photo is still done with all its files, and the failure is reported",
        arguments: [Answer.gone, .trouble, .truncated, .small])
    func fails(as answer: Answer) async throws {
        #expect(try await run().done == 1)
        let before = try files()
        service.answer.withLock { $0 = answer }
        let summary = try await run { $0.refreshes = true }
        #expect(summary.done == 0 && summary.kept == 0)
        #expect(answer == .small ? summary.skipped == 1 : summary.failed == 1, "\(summary)")
        #expect(try files() == before)
        #expect(try await Verification(of: out).run { _ in }.isSound)
        #expect(try PhotoMirror.explain(out).done == 1)
        // Without a refresh, no host is contacted for a done photo.
        let asked = service.asked.withLock { $0 }
        #expect(try await run().kept == 1)
        #expect(service.asked.withLock { $0 } == asked)
    }

    /// Its receipt was replaced by the failure, and its files belonged to no photo.
    @Test(
        "A done photo whose new address or variant fails is still done with all its files",
        arguments: [Answer.gone, .trouble, .truncated, .small])
    func failsElsewhere(as answer: Answer) async throws {
        func list(_ signature: Int) throws {
            let text = "id,url\na,http://127.0.0.1:\(origin.port)/a.png?\(signature)\n"
            try folder.write(text, to: "list.txt")
        }
        try list(1)
        #expect(try await run().done == 1)
        let before = try files()
        service.answer.withLock { $0 = answer }
        try list(2)
        let summary = try await run()
        #expect(answer == .small ? summary.skipped == 1 : summary.failed == 1, "\(summary)")
        #expect(try await run { $0.variant = "huge" }.causes == [.policy: 1])
        #expect(try files() == before)
        #expect(try await Verification(of: out).run { _ in }.isSound)
        #expect(try PhotoMirror.explain(out).done == 1)
    }

    @Test("Done photos whose host is given up before they start are still done with all their files")
    func hostGivenUp() async throws {
        func list(_ signature: Int) throws {
            let lines = (0..<4).map { "\($0),http://127.0.0.1:\(origin.port)/\($0).png?\(signature)\n" }
            try folder.write("id,url\n" + lines.joined(), to: "list.txt")
        }
        try list(1)
        #expect(try await run().done == 4)
        let before = try files()
        service.answer.withLock { $0 = .busy }
        try list(2)
        let asked = service.asked.withLock { $0 }
        let summary = try await run { ($0.perHost, $0.retries) = (1, 0) }
        #expect(summary.failed == 4 && service.asked.withLock { $0 } == asked + 1, "\(summary)")
        #expect(try files() == before)
        #expect(try PhotoMirror.explain(out).done == 4)
    }

    @Test("If the existing copy is missing, a failed refresh fails the photo")
    func nothingStands() async throws {
        #expect(try await run().done == 1)
        for name in folder.names() where name.hasPrefix("out/originals/") {
            try folder.remove(name)
        }
        service.answer.withLock { $0 = .gone }
        #expect(try await run { $0.refreshes = true }.failed == 1)
        #expect(try PhotoMirror.explain(out).failed == 1)
    }

    /// A run that was killed at that moment used to leave a photo of the same size with the old checksum in the
    /// manifest.
    @Test("A file is verified if a run ended after renaming it and before recording its receipt")
    func doubt() async throws {
        #expect(try await run().done == 1)
        let name = try #require(folder.names().first { $0.hasPrefix("out/originals/") })
        let bytes = try folder.bytes(of: name)
        func doubt() throws {
            let ledger = try Ledger(in: Folder(out))
            let item = try #require(try ledger.entry(at: 1)?.item)
            try ledger.markInDoubt([item], flushed: true)
        }
        // As if the run had ended before the file was renamed.
        try doubt()
        #expect(try await run().kept == 1)
        let other = bytes.map { ~$0 }
        try folder.write(other, to: name)
        // If the item is not marked as in doubt, a file of the right size is kept.
        #expect(try await run().kept == 1)
        try doubt()
        #expect(try await run().done == 1)
        #expect(try folder.bytes(of: name) == bytes)
    }
}
