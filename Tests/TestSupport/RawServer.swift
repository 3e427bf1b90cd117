// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A loopback server that writes exactly the bytes of a test's script, also invalid HTTP.
///
/// A connection carries one request unless its script ends with ``Step/again``. The path selects the script. The server
/// stops when it is released.
public final class RawServer: Sendable {
    /// One step of a script, performed after the server has read a request.
    public enum Step: Sendable {
        /// Writes the text; `{port}` is replaced by the server's port.
        case text(String)
        /// Writes the bytes.
        case raw([UInt8])
        /// Writes a number of filler bytes.
        case bytes(Int)
        /// Writes the text repeatedly until the client closes the connection.
        case repeated(String)
        /// Writes filler bytes one at a time, each after a pause in milliseconds.
        case drip(Int, milliseconds: Int)
        /// Closes the connection with a TCP reset.
        case reset
        /// Writes bytes until the client closes the connection.
        case endless
        /// Reads another request on the same connection and performs its script.
        case again
        /// Keeps the connection open until the client closes it.
        case hang
        /// Continues once the condition is true.
        case until(@Sendable () -> Bool)
        /// Writes the bytes that the closure returns for the request's head.
        case reply(@Sendable (_ head: String) -> [UInt8])
    }

    private let listener: LoopbackListener
    private let scripts: Scripts

    /// The loopback address that the server listens on.
    public var host: String { listener.host }
    /// The port that the server listens on.
    public var port: UInt16 { listener.port }

    /// Starts the server with one script per path, on a free port unless one is given.
    public convenience init(_ scripts: [String: [Step]], host: String = "127.0.0.1", port: UInt16 = 0) throws {
        try self.init(sequences: scripts.mapValues { [$0] }, host: host, port: port)
    }

    /// Starts the server with a sequence of scripts per path, one per request; the last serves all later requests.
    public init(sequences: [String: [[Step]]], host: String = "127.0.0.1", port: UInt16 = 0) throws {
        listener = try LoopbackListener(host: host, port: port)
        scripts = Scripts(sequences, port: listener.port)
        listener.start { [listener, scripts] in scripts.serve($0, on: listener) }
    }

    deinit { stop() }

    /// Starts two servers on the same port of two loopback addresses.
    ///
    /// If the port is taken at the second address, tries another one.
    public static func neighbours(
        _ scripts: [String: [[Step]]], _ others: [String: [[Step]]], at host: String = "127.0.0.2"
    ) throws -> (RawServer, RawServer) {
        while true {
            let first = try RawServer(sequences: scripts)
            do {
                return (first, try RawServer(sequences: others, host: host, port: first.port))
            } catch let error as POSIXError where error.code == .EADDRINUSE {
                first.stop()
            }
        }
    }

    /// Stops listening; open connections finish by themselves.
    public func stop() { listener.stop() }

    /// The heads of the received requests, in order, each followed by its body.
    public var requests: [String] { scripts.received.withLock { $0 } }

    /// The number of accepted connections, with or without a request.
    public var connections: Int { listener.connections }

    /// The number of connections that both sides have closed.
    public var closedConnections: Int { listener.closedConnections }

    /// The URL of a path.
    public func url(_ path: String) -> String { "http://\(host):\(port)\(path)" }
}

/// The scripts of a server and its received requests, which outlive it until its connections have ended.
private final class Scripts: Sendable {
    typealias Step = RawServer.Step

    /// The scripts of each path, one per request in order; the last one serves all later requests.
    ///
    /// Other paths get status 404.
    private let scripts: [String: [[Step]]]
    private let port: UInt16
    let received = Locked<[String]>([])
    private let counts = Locked<[String: Int]>([:])

    init(_ scripts: [String: [[Step]]], port: UInt16) { (self.scripts, self.port) = (scripts, port) }

    func serve(_ connection: LoopbackConnection, on listener: LoopbackListener) {
        while let (head, script) = readRequest(on: connection) {
            var isOver = true
            for step in script {
                guard case .again = step else {
                    guard perform(step, head, on: connection, listener) else { return }
                    continue
                }
                isOver = false
            }
            if isOver { break }
        }
        connection.finish()
    }

    /// Reads a request and returns its head and script; `nil` if the client has closed the connection.
    private func readRequest(on connection: LoopbackConnection) -> (head: String, script: [Step])? {
        guard let head = connection.readHead() else { return nil }
        let length = head.lowercased().firstMatch(of: /\r\ncontent-length: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
        let body = String(decoding: connection.read(length), as: UTF8.self)
        received.withLock { $0.append(head + body) }
        let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let number = counts.withLock { counts in
            counts[path, default: 0] += 1
            return counts[path] ?? 1
        }
        let scripts = scripts[path] ?? [[.text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]]
        return (head, scripts[min(number, scripts.count) - 1])
    }

    private func perform(
        _ step: Step, _ head: String, on connection: LoopbackConnection, _ listener: LoopbackListener
    ) -> Bool {
        switch step {
        case .again: return true
        case .reply(let bytes): return connection.write(bytes(head))
        case .text(let text): return connection.write(text.replacing("{port}", with: "\(port)").utf8)
        case .raw(let bytes): return connection.write(bytes)
        case .bytes(let count): return connection.write(repeatElement(0x78, count: count))
        case .repeated(let text):
            let chunk = Array(String(repeating: text, count: 1 + 65536 / text.utf8.count).utf8)
            while connection.write(chunk) {}
            return false
        case .drip(let count, let milliseconds):
            for _ in 0..<count {
                // The pause itself is the step, so there is no event to wait for.
                usleep(UInt32(milliseconds) * 1000)
                guard connection.write([0x78]) else { return false }
            }
            return true
        case .reset:
            connection.resetWhenClosed()
            return false
        case .endless:
            let chunk = [UInt8](repeating: 0x78, count: 65536)
            while connection.write(chunk) {}
            return false
        case .until(let isSo):
            while !isSo() { if listener.isStopped { return false } else { usleep(1000) } }
            return true
        case .hang:
            while !connection.read(1).isEmpty {}
            return false
        }
    }
}
