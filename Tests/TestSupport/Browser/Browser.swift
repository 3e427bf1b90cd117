// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The installed Chromium and its driver; `Scripts/setup --browser` installs them.
public enum Browser {
    /// The path of chromedriver, or `nil` if it is not installed.
    public static let driver: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/chromedriver" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Whether a missing browser fails the tests, as in CI, instead of skipping them.
    public static let isRequired = ProcessInfo.processInfo.environment["SLUICE_REQUIRE_BROWSER"] == "1"

    /// The path of axe-core's script, which `Scripts/setup --browser` downloads.
    public static let axe = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.build/browser/axe.min.js").standardized.path

    /// Whether tests that need axe-core run.
    public static let axeIsWanted = isRequired || FileManager.default.fileExists(atPath: axe)

    /// Whether tests of `--browser` run: Chromium is there, or required, and the system permits its sandbox.
    ///
    /// Containers often forbid the namespaces of users that it needs, and then nothing can be tested.
    public static let isChromiumWanted: Bool = {
        let isThere = ["/usr/bin/chromium", "/usr/bin/google-chrome"].contains {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        guard isRequired || isThere else { return false }
        let user = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        let isPermitted = unsafe system("exec \(user)unshare -Urn true") == 0
        if !isPermitted { print("skipped the tests of --browser: the system forbids Chromium's sandbox") }
        return isPermitted
    }()

    /// Whether tests that need a browser run.
    public static let isWanted = driver != nil || isRequired
}

/// A failure of the browser or its driver.
public struct BrowserError: Error, CustomStringConvertible {
    /// One sentence.
    public let description: String
}

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

#if canImport(Darwin)
    internal import Darwin
    private let stream = SOCK_STREAM
#else
    internal import Glibc
    private let stream = Int32(SOCK_STREAM.rawValue)
#endif

/// One HTTP request to a server on this machine.
///
/// Foundation's client rejects the driver's replies, because their headers have no space after the colon.
struct LoopbackRequest {
    var port: UInt16
    var method: String
    var path: String
    var body: Data

    /// Sends the request and returns the reply's status and content.
    func send() throws -> (status: Int, content: Data) {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw BrowserError(description: "cannot create a socket") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try join(descriptor)
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        try handle.write(contentsOf: Data(head.utf8) + body)
        return try reply(from: handle)
    }

    private func join(_ descriptor: Int32) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
        }
        guard result == 0 else { throw BrowserError(description: "cannot connect to port \(port)") }
    }

    /// Reads `Content-Length` bytes: the driver does not close the connection despite `Connection: close`.
    private func reply(from handle: FileHandle) throws -> (Int, Data) {
        var received = Data()
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let head = received.range(of: end) {
                let text = String(decoding: received[..<head.lowerBound], as: UTF8.self)
                let length = text.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.output.1) } ?? 0
                if received.count >= head.upperBound + length {
                    let status = text.firstMatch(of: /^HTTP\S+ (\d+)/).flatMap { Int($0.output.1) } ?? 0
                    return (status, received[head.upperBound..<head.upperBound + length])
                }
            }
            let more = handle.availableData
            guard !more.isEmpty else { throw BrowserError(description: "the driver closed the connection") }
            received += more
        }
    }
}
