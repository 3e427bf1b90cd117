// SPDX-License-Identifier: MIT

import Foundation

enum Tool {
    /// Runs a program until it exits or kills it after some seconds; a signal is a negative code.
    ///
    /// Its output goes to the file `out` or is discarded.
    @discardableResult
    static func run(_ words: [String], out: String? = nil, killedAfter seconds: Double? = nil) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardOutput = try out.map { try file($0) } ?? FileHandle.nullDevice
        try process.run()
        if let seconds {
            Thread.sleep(forTimeInterval: seconds)
            kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Runs a program and throws unless it succeeds.
    static func require(_ words: String...) throws { try require(words) }

    /// Runs a program and throws unless it succeeds.
    static func require(_ words: [String]) throws {
        let code = try run(words)
        guard code == 0 else { throw RigError("\(words.joined(separator: " ")) exited with code \(code)") }
    }

    private static func file(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw RigError("cannot write to \(path)") }
        return file
    }
}
