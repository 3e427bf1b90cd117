// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import TestSupport
import Testing

@testable import Sluice

/// Runs whose workers are not what they should be; those whose are, see `IsolationTests`.
@Suite("Workers", .timeLimit(.minutes(10))) struct WorkerTests {
    @Test(
        "A run without workers tells so once, and decodes all the same",
        arguments: [
            ("/nowhere/sluice", "/nowhere/sluice: No such file or directory"),
            ("/bin/true", "it ended before its first word"),
        ])
    func missing(executable: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        for shade in 0..<3 {
            let pixels = [UInt8](repeating: UInt8(40 * shade), count: 96 * 64 * 4)
            let picture = Data(try PictureEncoder(.jpeg).encode(pixels, width: 96, height: 64))
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
        let told = notes.withLock { $0 }
        #expect(told == ["pictures are decoded in the main process, because a worker cannot be started: \(reason)"])
    }

    @Test("The doctor names what a worker could not give up")
    func findings() {
        var confinement = Confinement(hasNoNewPrivileges: true, hasLimits: true, landlock: 7, filtersCalls: true)
        #expect(IsolationCheck.finding(confinement).verdict == .ok)
        confinement.landlock = 0
        confinement.filtersCalls = false
        let finding = IsolationCheck.finding(confinement)
        #expect(finding.verdict == .warning && finding.advice != nil)
        #expect(finding.detail.contains("without Landlock and a filter of system calls"))
        let none = IsolationCheck.findings(.workers(executable: "/nowhere/sluice"))
        #expect(none.map(\.verdict) == [.warning])
    }
}
