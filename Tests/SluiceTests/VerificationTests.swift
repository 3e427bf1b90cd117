// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Photos that arrive damaged, or that the service removes later.
@Suite("Verification", .serialized, .timeLimit(.minutes(10))) struct VerificationTests {
    /// Serves one photo, which a test may remove.
    private final class Service: OriginService {
        let picture: [UInt8]
        let isGone = Locked(false)

        init(_ picture: [UInt8]) { self.picture = picture }

        func reply(to request: OriginRequest) -> OriginReply {
            isGone.withLock { $0 } ? .text("", status: 404) : OriginReply(type: "image/png", picture)
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mirror(_ service: Service) async throws -> (Summary, OriginServer, MirrorOptions) {
        let origin = try OriginServer(service)
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(origin.port)]
        let list = Data("http://127.0.0.1:\(origin.port)/a.png\n".utf8)
        try list.write(to: folder.url.appending(path: "list.txt"))
        return (
            try await PhotoMirror(of: folder.path("list.txt"), into: folder.path("out"), options: options).run(),
            origin,
            options
        )
    }

    private func verify(isDeep: Bool = false, _ items: [Int]? = nil) async throws -> (VerificationReport, [FileFault]) {
        var faults: [FileFault] = []
        let report = try await Verification(of: folder.path("out"), isDeep: isDeep, items: items).run {
            faults.append($0)
        }
        return (report, faults)
    }

    @Test("A picture that arrived damaged matches its receipt, and only a deep verification finds the damage")
    func deep() async throws {
        var picture = try ImageEncoder(.png).encode(
            (0..<(4 * 64 * 64)).map { UInt8($0 * 7 & 0xFF) }, width: 64, height: 64)
        picture[picture.count / 2] ^= 0x55
        let (summary, origin, _) = try await mirror(Service(picture))
        origin.stop()
        try #require(summary.done == 1, "\(summary)")
        #expect(try await verify().1 == [])
        let (report, faults) = try await verify(isDeep: true)
        #expect(faults.map(\.kind) == [.damaged] && !report.isSound && report.faults == [.damaged: 1])
        #expect(faults.first?.detail.hasPrefix("corrupt") == true, "\(faults)")
    }

    @Test("A fault that cannot be repaired keeps its file and receipt, and is found again")
    func gone() async throws {
        let service = Service(
            try ImageEncoder(.png).encode([UInt8](repeating: 9, count: 4 * 64), width: 8, height: 8))
        let (_, origin, options) = try await mirror(service)
        defer { origin.stop() }
        let name = try #require(folder.names().first { $0.hasPrefix("out/originals/") })
        try Data("bad".utf8).write(to: folder.url.appending(path: name))
        let manifest = try folder.bytes(of: "out/manifest.jsonl")
        let (report, faults) = try await verify()
        let broken = try #require(report.broken.values.first)
        #expect(broken.items == [1])
        service.isGone.withLock { $0 = true }
        let repair = PhotoMirror(
            of: folder.path("list.txt"), into: folder.path("out"), options: options, repairing: broken)
        #expect(try await repair.run().causes == [.httpClientError(404): 1])
        #expect(try folder.bytes(of: name) == Array("bad".utf8))
        #expect(try folder.bytes(of: "out/manifest.jsonl") == manifest)
        #expect(try await verify([1]).1 == faults)
        // The list is not read again: the URLs come from the ledger.
        try FileManager.default.removeItem(atPath: folder.path("list.txt"))
        try Data().write(to: folder.url.appending(path: "list.txt"))
        service.isGone.withLock { $0 = false }
        let second = PhotoMirror(
            of: folder.path("list.txt"), into: folder.path("out"), options: options, repairing: broken)
        #expect(try await second.run().done == 1)
        #expect(try await verify().0.isSound)
    }

    @Test("A stopped verification reports that it was stopped")
    func stopped() async throws {
        let service = Service(
            try ImageEncoder(.png).encode([UInt8](repeating: 9, count: 4 * 64), width: 8, height: 8))
        let (_, origin, _) = try await mirror(service)
        origin.stop()
        let verification = Verification(of: folder.path("out"))
        verification.stop()
        let report = try await verification.run { _ in }
        #expect(report.isStopped && !report.isSound && report.items == 0)
    }
}
