// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The command as it is built.
enum Binary {
    /// Beside the tests' own program.
    static let path: String = {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "sluice").path
    }()

    /// What a command line ended with and wrote.
    struct Result: Equatable {
        var code: Int32
        var out: String
        var err: String

        /// Whether nothing in it commands a terminal.
        var isPlain: Bool { !(out + err).unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.value < 0x20 } }
    }

    /// Runs the command to its end.
    static func run(_ arguments: [String], folder: URL? = nil) throws -> Result {
        try Running(arguments, folder: folder).end()
    }

    /// Runs a line of shell in which `sluice` is the command, so that a test can arrange what is around it.
    static func shell(_ line: String, environment: [String: String] = [:], folder: URL? = nil) throws -> Result {
        let arguments = ["-c", "sluice() { '\(path)' \"$@\"; }; \(line)"]
        return try Running(arguments, program: "/bin/sh", environment: environment, folder: folder).end()
    }
}
