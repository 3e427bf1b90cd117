// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The `sluice` executable that the build made.
enum Binary {
    /// Its path: it is in the same folder as the test executable.
    static let path: String = {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "sluice").path
    }()

    /// The exit code and the output of a finished process.
    struct Result: Equatable {
        var code: Int32
        var out: String
        var err: String

        /// Whether the output has no control characters except tabs and line breaks.
        var isPlain: Bool { !(out + err).unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.value < 0x20 } }
    }

    /// Runs the command until it exits.
    static func run(_ arguments: [String], folder: URL? = nil) throws -> Result {
        try Running(arguments, folder: folder).end()
    }

    /// Runs a line of shell in which `sluice` is the command, so that a test can set limits, pipes and folders.
    static func shell(_ line: String, environment: [String: String] = [:], folder: URL? = nil) throws -> Result {
        let arguments = ["-c", "sluice() { '\(path)' \"$@\"; }; \(line)"]
        return try Running(arguments, program: "/bin/sh", environment: environment, folder: folder).end()
    }
}
