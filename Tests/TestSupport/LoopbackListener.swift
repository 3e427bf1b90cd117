// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Accepts connections on a loopback address, and serves each one on a thread of its own.
final class LoopbackListener: Sendable {
    let host: String
    let port: UInt16
    private let descriptor: Int32
    private let accepted = Locked(0)
    private let closed = Locked(0)
    private let stopped = Locked(false)

    /// Listens on a free port unless one is given; throws if it is taken.
    init(host: String = "127.0.0.1", port: UInt16 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in(loopback: host, port: port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && listen(descriptor, 4096) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening else {
            let code = errno
            close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
        self.host = host
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// Begins to accept; a connection is closed after `serve` has returned.
    func start(serving serve: @escaping @Sendable (LoopbackConnection) -> Void) {
        Thread { [self] in acceptAll(serving: serve) }.start()
    }

    /// Stops listening; open connections finish by themselves.
    func stop() {
        // Only the accepting thread closes the descriptor. Otherwise its number could be reused by another server while
        // this thread still accepts on it; for the same reason a second call does nothing.
        let isFirst = stopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    var isStopped: Bool { stopped.withLock { $0 } }
    /// The number of accepted connections, with or without a request.
    var connections: Int { accepted.withLock { $0 } }
    /// The number of connections that both sides have closed.
    var closedConnections: Int { closed.withLock { $0 } }

    private func acceptAll(serving serve: @escaping @Sendable (LoopbackConnection) -> Void) {
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            if connection < 0, errno == EMFILE || errno == ENFILE, !isStopped {
                // Other tests hold all descriptors; the connection stays in the backlog until one is free.
                usleep(10_000)
                continue
            }
            guard connection >= 0 else {
                close(descriptor)
                return
            }
            accepted.withLock { $0 += 1 }
            Thread { [self] in
                serve(LoopbackConnection(connection))
                close(connection)
                closed.withLock { $0 += 1 }
            }.start()
        }
    }
}

/// An open connection, whose owner closes it.
struct LoopbackConnection: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a port of this machine; `nil` if nothing listens there.
    init?(to port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in(loopback: "127.0.0.1", port: UInt16(port))
        let isConnected = unsafe withUnsafePointer(to: &address) { [descriptor] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            disconnect()
            return nil
        }
    }

    func disconnect() { close(descriptor) }

    /// Reads the head of an HTTP message with the empty line after it; `nil` if the connection ends before.
    func readHead() -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard unsafe recv(descriptor, &byte, 1, 0) > 0 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// Reads up to `limit` bytes, fewer only at the end of the input.
    func read(_ limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
        while bytes.count < limit {
            let count = unsafe recv(descriptor, &buffer, min(buffer.count, limit - bytes.count), 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Writes all bytes; returns false if the peer has closed the connection.
    func write(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// Ends the output, and reads until the peer ends the input.
    ///
    /// Closing with unread input would reset the connection before the peer has read the output.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
        while !read(4096).isEmpty {}
    }

    /// Makes closing the connection reset it.
    func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}

extension sockaddr_in {
    /// An address of this machine.
    init(loopback host: String, port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_addr.s_addr = unsafe inet_addr(host)
        sin_port = port.bigEndian
    }
}
