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
/// A connection carries one request unless its script ends with ``Step/again``. The path selects the script.
public final class RawServer: Sendable {
    /// One step of a script, performed after the server has read a request's head.
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
    }

    /// The scripts of each path, one per request in order; the last one serves all later requests.
    ///
    /// Other paths get status 404.
    private let scripts: [String: [[Step]]]
    private let listener: Int32
    private let heads = Locked<[String]>([])
    private let accepted = Locked(0)
    private let closed = Locked(0)
    private let counts = Locked<[String: Int]>([:])
    private let isStopped = Locked(false)

    /// The loopback address that the server listens on.
    public let host: String
    /// The port that the server listens on.
    public let port: UInt16

    /// Starts the server with one script per path, on a free port unless one is given.
    public convenience init(_ scripts: [String: [Step]], host: String = "127.0.0.1", port: UInt16 = 0) throws {
        try self.init(sequences: scripts.mapValues { [$0] }, host: host, port: port)
    }

    /// Starts the server with a sequence of scripts per path, one per request; the last serves all later requests.
    public init(sequences: [String: [[Step]]], host: String = "127.0.0.1", port: UInt16 = 0) throws {
        self.scripts = sequences
        self.host = host
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = unsafe inet_addr(host)
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard code else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.listener = listener
        self.port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [self] in acceptAll() }
        thread.start()
    }

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
    public func stop() {
        // Only the accepting thread closes the descriptor. Otherwise its number could be reused by another server while
        // this thread still accepts on it; for the same reason a second call does nothing.
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    /// The heads of the received requests, in order.
    public var requests: [String] {
        heads.withLock { $0 }
    }

    /// The number of accepted connections, with or without a request.
    public var connections: Int {
        accepted.withLock { $0 }
    }

    /// The number of connections that both sides have closed.
    public var closedConnections: Int {
        closed.withLock { $0 }
    }

    /// The URL of a path.
    public func url(_ path: String) -> String { "http://\(host):\(port)\(path)" }

    private func acceptAll() {
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            if connection < 0, errno == EMFILE || errno == ENFILE, !isStopped.withLock({ $0 }) {
                // Other tests hold all descriptors; the connection stays in the backlog until one is free.
                usleep(10_000)
                continue
            }
            guard connection >= 0 else {
                close(listener)
                return
            }
            accepted.withLock { $0 += 1 }
            Thread { [self] in serve(connection) }.start()
        }
    }

    private func serve(_ connection: Int32) {
        defer {
            close(connection)
            closed.withLock { $0 += 1 }
        }
        while let script = readRequest(on: connection) {
            var isOver = true
            for step in script {
                if case .again = step { isOver = false } else if !perform(step, on: connection) { return }
            }
            if isOver { break }
        }
        shutdown(connection, Int32(SHUT_WR))
        // Read the rest first: closing with unread input would reset the connection before the client has read the
        // reply.
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe read(connection, &buffer, buffer.count) > 0 {}
    }

    /// Reads a request's head and returns its script; `nil` if the client has closed the connection.
    private func readRequest(on connection: Int32) -> [Step]? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard unsafe read(connection, &byte, 1) > 0 else { return nil }
            head.append(byte)
        }
        let text = String(decoding: head, as: UTF8.self)
        heads.withLock { $0.append(text) }
        let path = text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let number = counts.withLock { counts in
            counts[path, default: 0] += 1
            return counts[path] ?? 1
        }
        let scripts = scripts[path] ?? [[.text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]]
        return scripts[min(number, scripts.count) - 1]
    }

    private func perform(_ step: Step, on connection: Int32) -> Bool {
        switch step {
        case .again: return true
        case .text(let text): return write(Array(text.replacing("{port}", with: "\(port)").utf8), to: connection)
        case .raw(let bytes): return write(bytes, to: connection)
        case .bytes(let count): return write([UInt8](repeating: 0x78, count: count), to: connection)
        case .repeated(let text):
            let chunk = Array(String(repeating: text, count: 1 + 65536 / text.utf8.count).utf8)
            while write(chunk, to: connection) {}
            return false
        case .drip(let count, let milliseconds):
            for _ in 0..<count {
                // The pause itself is the step, so there is no event to wait for.
                usleep(UInt32(milliseconds) * 1000)
                guard write([0x78], to: connection) else { return false }
            }
            return true
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            return false
        case .endless:
            let chunk = [UInt8](repeating: 0x78, count: 65536)
            while write(chunk, to: connection) {}
            return false
        case .until(let isSo):
            while !isSo() { if isStopped.withLock({ $0 }) { return false } else { usleep(1000) } }
            return true
        case .hang:
            var byte: UInt8 = 0
            while unsafe read(connection, &byte, 1) > 0 {}
            return false
        }
    }

    private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe send(
                    connection, buffer.baseAddress.map { unsafe $0 + sent }, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }
}
