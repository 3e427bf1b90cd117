// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Runs without working workers.
///
/// `IsolationTests` covers runs with them.
@Suite("Workers", .timeLimit(.minutes(10))) struct WorkerTests {
    private let folder = TemporaryFolder()

    private func makePictures(in folder: TemporaryFolder) throws {
        for shade in 0..<3 {
            let pixels = [UInt8](repeating: UInt8(40 * shade), count: 96 * 64 * 4)
            let picture = Data(try ImageEncoder(.jpeg).encode(pixels, width: 96, height: 64))
            try folder.write(picture, to: "in/\(shade).jpg")
        }
    }

    /// Such a run decoded in the main process.
    @Test(
        "A run that cannot start workers stops, names the option, and decodes nothing",
        arguments: [
            ("/nowhere/sluice", "/nowhere/sluice: No such file or directory"),
            ("/bin/true", "it exited or sent nothing"),
        ])
    func missing(executable: String, reason: String) async throws {
        try makePictures(in: folder)
        var options = ThumbnailRunOptions()
        options.isolation = .workers(executable: executable)
        options.jobs = 1
        let run = ThumbnailRun(of: [folder.path("in")], into: folder.path("out"), options: options)
        let summary = try await run.run()
        let text = "cannot start a decode worker: \(reason)"
        #expect(summary.stop == .local(Failure(.disk, text, scope: .run, hint: .decodeInProcess)))
        #expect(summary.done == 0 && summary.thumbs == 0 && summary.causes[.decoderCrashed] == nil)
        #expect(folder.names().allSatisfy { !$0.hasPrefix("out/256/") })
        options.isolation = .none
        let next = try await ThumbnailRun(of: [folder.path("in")], into: folder.path("out"), options: options).run()
        #expect(next.done == 3)
    }

    @Test("A verification that decodes stops if no worker can be started, and finds no picture damaged")
    func verification() async throws {
        try makePictures(in: folder)
        _ = try await ThumbnailRun(of: [folder.path("in")], into: folder.path("out")).run()
        let verification = Verification(
            of: folder.path("out"), isDeep: true, isolation: .workers(executable: "/bin/true"))
        let faults = Locked<[FileFault]>([])
        let error = await #expect(throws: MirrorError.self) {
            try await verification.run { fault in faults.withLock { $0.append(fault) } }
        }
        #expect(error?.code == .local && error?.hint == .decodeInProcess)
        #expect(faults.withLock { $0 } == [])
    }

    @Test("The record of a crash is read once, and only items of the ledger are counted")
    func crashRecord() async throws {
        try makePictures(in: folder)
        let run = { try await ThumbnailRun(of: [folder.path("in")], into: folder.path("out")).run() }
        _ = try await run()
        let record = folder.url.appending(path: "out/.sluice/crashed-decodes")
        for _ in 0..<2 {
            try Data("2\n2\n77\nx\n".utf8).write(to: record)
            #expect(try await run().kept == 3)
            #expect(!FileManager.default.fileExists(atPath: record.path))
        }
        let ledger = try Ledger(in: Folder(folder.path("out")))
        #expect(try ledger.claim(positions: 1...4).map(\.crashes) == [0, 2, 0])
    }

    @Test("The doctor lists the protections that a worker lacks")
    func findings() {
        var protections = SandboxProtections(hasNoNewPrivileges: true, hasLimits: true, landlock: 7, filtersCalls: true)
        #expect(IsolationCheck.result(for: protections).verdict == .ok)
        protections.landlock = 0
        #expect(IsolationCheck.result(for: protections).verdict == .warning)
        protections.filtersCalls = false
        let result = IsolationCheck.result(for: protections)
        #expect(result.verdict == .problem && result.advice != nil)
        #expect(result.detail.contains("without Landlock and a system call filter"))
        let none = IsolationCheck.run(.workers(executable: "/nowhere/sluice"))
        #expect(none.map(\.verdict) == [.problem])
    }
}
