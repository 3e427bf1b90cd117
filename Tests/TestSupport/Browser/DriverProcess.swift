// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A running chromedriver, killed with its owner.
final class DriverProcess {
    /// The port that the driver listens on.
    let port: UInt16
    private let process: Process

    init() throws {
        guard let driver = Browser.driver else {
            throw BrowserError(description: "chromedriver is not installed: Scripts/setup --browser")
        }
        (process, port) = try Self.start(driver, attempts: 5)
    }

    // Does not wait: Foundation waits by running the thread's run loop, which never ends on a pool thread. SIGKILL,
    // because the driver inherits the tests' signal mask, which blocks SIGTERM.
    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Starts the driver, with several attempts: it picks a port that is free for IPv4 and exits if the same port is
    /// taken for IPv6.
    private static func start(_ driver: String, attempts: Int) throws -> (Process, UInt16) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: driver)
        process.arguments = ["--port=0"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        do {
            return (process, try port(printedTo: output))
        } catch {
            guard attempts > 1 else { throw error }
            return try start(driver, attempts: attempts - 1)
        }
    }

    /// Reads the port that the driver chose from its output.
    private static func port(printedTo output: Pipe) throws -> UInt16 {
        var text = ""
        while true {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BrowserError(description: "chromedriver did not start: \(text)") }
            text += String(decoding: more, as: UTF8.self)
            let digits = text.firstMatch(of: /successfully on port (\d+)\./)?.output.1
            if let port = digits.flatMap({ UInt16($0) }) { return port }
        }
    }
}
