// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A running chromedriver, which goes with its owner.
final class DriverProcess {
    /// Where it listens.
    let port: UInt16
    private let process: Process

    init() throws {
        guard let driver = Browser.driver else {
            throw BrowserError(description: "chromedriver is not installed: Scripts/setup --browser")
        }
        (process, port) = try Self.start(driver, attempts: 5)
    }

    // Not waited for: Foundation waits by running the thread's run loop, which a pool's thread never leaves. And not
    // asked: the driver inherits the tests' signal mask, which keeps a mere request from it.
    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Starts it, and again where it ends at once: it takes a port that is free for IPv4, and gives up if that is not
    /// free for IPv6 as well.
    private static func start(_ driver: String, attempts: Int) throws -> (Process, UInt16) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: driver)
        process.arguments = ["--port=0"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        do {
            return (process, try port(saidBy: output))
        } catch {
            guard attempts > 1 else { throw error }
            return try start(driver, attempts: attempts - 1)
        }
    }

    /// The driver takes a free port and says which.
    private static func port(saidBy output: Pipe) throws -> UInt16 {
        var said = ""
        while true {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BrowserError(description: "chromedriver did not start: \(said)") }
            said += String(decoding: more, as: UTF8.self)
            let digits = said.firstMatch(of: /successfully on port (\d+)\./)?.output.1
            if let port = digits.flatMap({ UInt16($0) }) { return port }
        }
    }
}
