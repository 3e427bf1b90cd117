// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Runs that a timer starts.
@Suite("Scheduled runs", .timeLimit(.minutes(10))) struct ScheduledRunTests {
    @Test("With --if-changed, a run that finds nothing new prints nothing, and one that does prints its summary")
    func news() throws {
        let folder = try TemporaryFolder()
        func mirror(_ pages: Int, _ more: String...) throws -> Binary.Result {
            try Binary.run(
                [
                    "mirror", "demo", "-o", "m", "--per-page", "2", "--pages", "\(pages)", "--sizes", "64",
                    "--if-changed",
                ]
                    + more, folder: folder.url)
        }
        let first = try mirror(1)
        #expect(first.code == 0 && first.err.hasPrefix("2 photos: 2 done") && first.out.isEmpty, "\(first.err)")
        let second = try mirror(1)
        #expect(second.code == 0 && second.err.isEmpty && second.out.isEmpty, "\(second.err)")
        let third = try mirror(2)
        #expect(third.err.hasPrefix("4 photos: 2 done, 2 kept"), "\(third.err)")
    }

    private static let verifier = "/usr/bin/systemd-analyze"

    @Test(
        "systemd accepts the documented units",
        .enabled(if: FileManager.default.isExecutableFile(atPath: verifier), "systemd-analyze is missing"))
    func units() throws {
        let folder = try TemporaryFolder()
        let document = DocumentedCommand.repository.appending(path: "Documentation/upkeep.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let start = try #require(text.range(of: "    # photos.service\n"))
        let units = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.isEmpty || $0.hasPrefix("    ") }.map { $0.dropFirst(4) }.joined(separator: "\n")
            .replacing("=sluice ", with: "=\(Binary.path) ").split(separator: "# photos.timer\n")
        try #require(units.count == 2)
        for (unit, name) in zip(units, ["photos.service", "photos.timer"]) {
            try Data(unit.utf8).write(to: folder.url.appending(path: name))
        }
        let result = try Running(
            ["--user", "verify", "photos.service", "photos.timer"], program: Self.verifier,
            environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], folder: folder.url
        ).end()
        #expect(result.code == 0 && result.err.isEmpty, "\(result.err)")
    }

    @Test("With --wait, a run starts when the other one has ended, or exits with 6 after the time")
    func waiting() async throws {
        let folder = try TemporaryFolder()
        let words = ["mirror", "demo", "-o", "m", "--pages", "1", "--per-page", "1", "--sizes", "64"]
        #expect(try Binary.run(words, folder: folder.url).code == 0)
        // flock(1) holds the mirror's lock as another run does.
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/env")
        holder.arguments = ["flock", folder.path("m/.sluice/lock"), "sh", "-c", "echo ready; read line"]
        let (input, output) = (Pipe(), Pipe())
        (holder.standardInput, holder.standardOutput) = (input, output)
        try holder.run()
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        let refused = try Binary.run(words + ["--wait", "300ms"], folder: folder.url)
        #expect(refused.code == 6 && refused.err.contains("another sluice"), "\(refused.err)")
        async let waiting = Binary.run(words + ["--wait", "5m"], folder: folder.url)
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        holder.waitUntilExit()
        let result = try await waiting
        #expect(result.code == 0, "\(result.err)")
    }
}
