// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine
@testable import SluiceLedger

/// Photos that arrive damaged, or that the service removes later.
@Suite("Verification", .serialized, .timeLimit(.minutes(10))) struct VerificationTests: MirrorSuite {
    let folder = TemporaryFolder()
    let origin: OriginServer
    private let picture = Locked(png(9))
    private let isGone = Locked(false)

    /// Serves one photo, which a test may remove.
    init() throws {
        origin = try OriginServer(
            ScriptedService { [picture, isGone] _ in
                if isGone.withLock(\.self) { return .text("", status: 404) }
                return OriginReply(type: "image/png", picture.withLock(\.self))
            })
        try list(["a.png"])
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
        self.picture.withLock { $0 = picture }
        let summary = try await run()
        try #require(summary.done == 1, "\(summary)")
        #expect(try await verify().1 == [])
        let (report, faults) = try await verify(isDeep: true)
        #expect(faults.map(\.kind) == [.damaged] && !report.isSound && report.faults == [.damaged: 1])
        #expect(faults.first?.detail.hasPrefix("corrupt") == true, "\(faults)")
    }

    @Test("A fault that cannot be repaired keeps its file and receipt, and is found again")
    func gone() async throws {
        try await run()
        let options = options()
        let name = try #require(folder.names().first { $0.hasPrefix("out/originals/") })
        try folder.write("bad", to: name)
        let manifest = try folder.bytes(of: "out/manifest.jsonl")
        let (report, faults) = try await verify()
        let broken = try #require(report.broken.values.first)
        #expect(broken.items == [1])
        isGone.withLock { $0 = true }
        let repair = PhotoMirror(
            of: folder.path("list.txt"), into: folder.path("out"), options: options, repairing: broken)
        #expect(try await repair.run().causes == [.httpClientError(404): 1])
        #expect(try folder.bytes(of: name) == Array("bad".utf8))
        #expect(try folder.bytes(of: "out/manifest.jsonl") == manifest)
        #expect(try await verify([1]).1 == faults)
        // The list is not read again: the URLs come from the ledger.
        try folder.remove("list.txt")
        try folder.write([], to: "list.txt")
        isGone.withLock { $0 = false }
        let second = PhotoMirror(
            of: folder.path("list.txt"), into: folder.path("out"), options: options, repairing: broken)
        #expect(try await second.run().done == 1)
        #expect(try await verify().0.isSound)
    }

    @Test("A stopped verification reports that it was stopped")
    func stopped() async throws {
        try await run()
        let verification = Verification(of: folder.path("out"))
        verification.stop()
        let report = try await verification.run { _ in }
        #expect(report.isStopped && !report.isSound && report.items == 0)
    }
}

/// Damage of the ledger that a run meets after its start.
@Suite("Ledger damage", .timeLimit(.minutes(10))) struct LedgerDamageTests {
    private let folder = TemporaryFolder()

    /// Overwrites the root page of a table.
    private func damage(_ table: String) throws {
        let ledger = try Ledger(in: Folder(folder.path("out")))
        let (page, size) = try ledger.connection.withLock { (connection) throws(LedgerError) in
            let root = try connection.database.count("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
            return (root, try connection.database.setting("page_size"))
        }
        ledger.close()
        let file = try FileHandle(forUpdating: folder.url.appending(path: "out/\(Ledger.name)"))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0x2A, count: size))
        try file.close()
    }

    /// The run ended with exit code 5, and advised to run again.
    @Test(
        "Damage that an item meets stops the run as damage, with one sentence", arguments: ["names"])
    func midRun(table: String) async throws {
        _ = try await PhotoMirror(of: "demo", into: folder.path("out"), options: .small()).run()
        try damage(table)
        let options = MirrorOptions.small { $0.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)] }
        let stops = Locked<[StopReason]>([])
        let summary = try await PhotoMirror(of: "demo", into: folder.path("out"), options: options).run { event in
            if case .stopping(let reason) = event { stops.withLock { $0.append(reason) } }
        }
        guard case .damaged(let failure) = summary.stop else {
            Issue.record("\(String(describing: summary.stop))")
            return
        }
        #expect(failure.detail.contains("ledger") && failure.hint == .rebuildLedger, "\(failure)")
        #expect(stops.withLock { $0.count } == 1)
    }
}
