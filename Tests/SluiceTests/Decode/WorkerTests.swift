// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import TestSupport
import Testing

@testable import Sluice

/// Runs without working workers.
///
/// `IsolationTests` covers runs with them.
@Suite("Workers", .timeLimit(.minutes(10))) struct WorkerTests {
    @Test(
        "A run that cannot start workers reports that once and decodes in the main process",
        arguments: [
            ("/nowhere/sluice", "/nowhere/sluice: No such file or directory"),
            ("/bin/true", "it exited or sent nothing"),
        ])
    func missing(executable: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        for shade in 0..<3 {
            let pixels = [UInt8](repeating: UInt8(40 * shade), count: 96 * 64 * 4)
            let picture = Data(try ImageEncoder(.jpeg).encode(pixels, width: 96, height: 64))
            try picture.write(to: folder.url.appending(path: "in/\(shade).jpg"))
        }
        var options = ThumbnailRunOptions()
        options.isolation = .workers(executable: executable)
        options.jobs = 1
        let notes = Locked<[String]>([])
        let run = ThumbnailRun(of: [folder.path("in")], into: folder.path("out"), options: options)
        let summary = try await run.run { event in
            if case .note(let words) = event { notes.withLock { $0.append(words) } }
        }
        #expect(summary.done == 3)
        #expect(
            notes.withLock { $0 } == [
                "cannot start a decode worker: \(reason); pictures are decoded in the main process"
            ])
    }

    @Test("The doctor lists the protections that a worker lacks")
    func findings() {
        var protections = SandboxProtections(hasNoNewPrivileges: true, hasLimits: true, landlock: 7, filtersCalls: true)
        #expect(IsolationCheck.result(for: protections).verdict == .ok)
        protections.landlock = 0
        protections.filtersCalls = false
        let result = IsolationCheck.result(for: protections)
        #expect(result.verdict == .warning && result.advice != nil)
        #expect(result.detail.contains("without Landlock and a system call filter"))
        let none = IsolationCheck.run(.workers(executable: "/nowhere/sluice"))
        #expect(none.map(\.verdict) == [.warning])
    }
}
