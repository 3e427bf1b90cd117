// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A loopback server that writes exactly the bytes that a test wrote down, however wrong they are.
///
/// One connection carries one request, unless its script ends with ``Step/again``; scripts are chosen by the path.
public final class RawServer: Sendable {
    /// What the server does once it has read a request's head.
    public enum Step: Sendable {
        /// Writes the text as it is, but for `{port}`, which stands for the server's own.
        case text(String)
        /// Writes the bytes as they are.
        case raw([UInt8])
        /// Writes so many bytes.
        case bytes(Int)
        /// Writes the text again and again until the other side has enough.
        case repeated(String)
        /// Writes so many bytes, one after so many milliseconds each.
        case drip(Int, milliseconds: Int)
        /// Ends the connection in the rudest way that there is.
        case reset
        /// Writes bytes until the other side has enough.
        case endless
        /// Reads another request on the same connection, and goes on with its script.
        case again
        /// Holds the connection open until the other side closes it.
        case hang
        /// Goes on once that is so.
        case until(@Sendable () -> Bool)
    }

    /// The scripts of each path, for one request after the other; the last is for all that follow.
    ///
    /// Other paths are 404.
    private let scripts: [String: [[Step]]]
    private let listener: Int32
    private let heads = Locked<[String]>([])
    private let accepted = Locked(0)
    private let counts = Locked<[String: Int]>([:])
    private let isStopped = Locked(false)

    /// The loopback address that it listens on.
    public let host: String
    /// The port that it listens on.
    public let port: UInt16

    /// Starts to listen, on a free port unless one is given.
    public convenience init(_ scripts: [String: [Step]], host: String = "127.0.0.1", port: UInt16 = 0) throws {
        try self.init(sequences: scripts.mapValues { [$0] }, host: host, port: port)
    }

    /// Starts to listen; the requests for a path have scripts of their own, the last for all that follow.
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
                unsafe bind(listener, pointer, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard code else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.listener = listener
        self.port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [self] in acceptAll() }
        thread.start()
    }

    /// Two servers on one port, here and at another address of this machine; a port that somebody else has there is given
    /// back for the next.
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

    /// Stops listening; connections end by themselves.
    public func stop() {
        // Closed by the thread that accepts, and by nobody else: until it has seen the end, the number must not be
        // another server's, whose requests it would answer. Nor is what may be another's by then stopped again.
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    /// The heads of the requests that came, in their order.
    public var requests: [String] {
        heads.withLock { $0 }
    }

    /// How many connections were made, with a request or without.
    public var connections: Int {
        accepted.withLock { $0 }
    }

    /// The address of a path.
    public func url(_ path: String) -> String { "http://\(host):\(port)\(path)" }

    private func acceptAll() {
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard connection >= 0 else {
                close(listener)
                return
            }
            accepted.withLock { $0 += 1 }
            Thread { [self] in serve(connection) }.start()
        }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        while let script = readRequest(on: connection) {
            var isOver = true
            for step in script {
                if case .again = step { isOver = false } else if !perform(step, on: connection) { return }
            }
            if isOver { break }
        }
        shutdown(connection, Int32(SHUT_WR))
        // What the other side still says is read, or closing would reset what it has not read yet.
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe read(connection, &buffer, buffer.count) > 0 {}
    }

    /// Reads a request's head, and gives its script; `nil` if the other side has closed.
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
                // Slowness is what is asked for: there is nothing to wait for but time.
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
            while !isSo() { usleep(1000) }
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
