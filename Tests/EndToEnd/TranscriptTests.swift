// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Runs the lines of shell in `Transcripts/`, and compares what they print with what the files say.
///
/// A line of shell follows two blanks and a dollar sign. Its output is indented, too, and ends with the exit code in
/// brackets unless that is 0. Other lines are comments. All lines of a file run in one folder, which is FOLDER in the
/// output. `SLUICE_UPDATE_GOLDENS=1` stores the current output.
@Suite("Transcripts", .timeLimit(.minutes(10))) struct TranscriptTests {
    private static let isUpdate = ProcessInfo.processInfo.environment["SLUICE_UPDATE_GOLDENS"] == "1"
    private static let place = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")
    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path))?.sorted() ?? []

    private let folder = TemporaryFolder()

    /// Returns the lines that a line of shell prints.
    private func output(of line: Substring) throws -> [String] {
        let result = try Binary.shell("{ \(line)\n} 2>&1", folder: folder.url)
        var text = result.out.replacing("/private\(folder.path)", with: "FOLDER").replacing(folder.path, with: "FOLDER")
        while text.hasSuffix("\n") { text.removeLast() }
        let lines = text.isEmpty ? [] : text.components(separatedBy: "\n").map { $0.isEmpty ? "" : "  \($0)" }
        return lines + (result.code == 0 ? [] : ["  [\(result.code)]"])
    }

    @Test("Each command prints what its transcript says", arguments: names)
    func transcript(name: String) throws {
        let file = Self.place.appending(path: name)
        let expected = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").dropLast()
        var found: [String] = []
        var isOutput = false
        for line in expected {
            if line.hasPrefix("  $ ") {
                found += try [line] + output(of: line.dropFirst(4))
                isOutput = true
            } else if !line.isEmpty, !line.hasPrefix("  ") {
                found += isOutput ? ["", line] : [line]
                isOutput = false
            } else if !isOutput {
                found.append(line)
            }
        }
        if Self.isUpdate { return try Data((found.joined(separator: "\n") + "\n").utf8).write(to: file) }
        for (index, (wanted, line)) in zip(expected, found).enumerated() where wanted != line {
            Issue.record("\(name):\(index + 1): expected '\(wanted)', found '\(line)'")
            return
        }
        #expect(expected.count == found.count && found.contains { $0.hasPrefix("  $ ") }, "\(name)")
    }

    @Test("There are transcripts") func existence() { #expect(!Self.names.isEmpty) }
}
