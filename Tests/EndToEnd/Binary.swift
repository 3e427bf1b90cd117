// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The command as it is built, run through a shell so that a test can arrange what is around it.
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
    }

    /// Runs a line of shell in which `sluice` is the command.
    static func shell(_ line: String, environment: [String: String] = [:], folder: URL? = nil) throws -> Result {
        try #require(FileManager.default.isExecutableFile(atPath: path), "there is no \(path)")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "sluice() { '\(path)' \"$@\"; }; \(line)"]
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        process.currentDirectoryURL = folder ?? FileManager.default.temporaryDirectory
        let out = Foundation.Pipe()
        let err = Foundation.Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = out
        process.standardError = err
        try process.run()
        // No test writes more to standard error than a pipe holds.
        let data = try out.fileHandleForReading.readToEnd() ?? Data()
        let words = try err.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            code: process.terminationStatus, out: String(decoding: data, as: UTF8.self),
            err: String(decoding: words, as: UTF8.self))
    }
}
