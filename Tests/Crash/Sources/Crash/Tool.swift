// SPDX-License-Identifier: MIT

import Foundation

/// A program that is run, killed or not.
enum Tool {
    /// Runs a program to its end; a signal that ended it is a negative number.
    ///
    /// What it prints goes to a file, or nowhere.
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

    /// Runs a program that must do what it is asked.
    static func must(_ words: String...) throws { try must(words) }

    /// Runs a program that must do what it is asked.
    static func must(_ words: [String]) throws {
        let code = try run(words)
        guard code == 0 else { throw Trouble("\(words.joined(separator: " ")) ended with \(code)") }
    }

    private static func file(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw Trouble("\(path) cannot be written") }
        return file
    }
}
