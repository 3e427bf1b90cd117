// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A loopback web server that serves a few files and logs the requested paths.
///
/// It does not run in the process that is killed, so its log survives each kill.
final class Origin: Sendable {
    private let files: Mutex<[String: Data]>
    private let listener: Int32
    private let log = Mutex<[String]>([])
    let port: UInt16

    /// Starts a server for files by their paths.
    init(_ files: [String: Data]) throws {
        self.files = Mutex(files)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, SOMAXCONN) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard listens else { throw RigError("cannot listen on a port: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
        Thread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                // Child processes must not inherit the connection.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread { [self] in serve(connection) }.start()
            }
        }.start()
    }

    func serve(_ others: [String: Data]) { files.withLock { $0 = others } }

    func address(of path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Returns the paths requested since the last call.
    func takeLog() -> [String] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var received = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            while !received.contains("\r\n\r\n") {
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else { return }
                received += String(decoding: buffer[..<count], as: UTF8.self)
            }
            let words = received.split(separator: " ", maxSplits: 2)
            received = ""
            guard words.count > 1, send(reply(to: String(words[1])), on: connection) else { return }
        }
    }

    private func reply(to path: String) -> Data {
        log.withLock { $0.append(path) }
        let file = files.withLock { $0[path] }
        let body = file ?? Data()
        let status = file == nil ? "404 Not Found" : "200 OK"
        let tag = "\"\(path)-\(body.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF })\""
        return Data("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\nETag: \(tag)\r\n\r\n".utf8) + body
    }

    private func send(_ data: Data, on connection: Int32) -> Bool {
        var rest = data[...]
        while !rest.isEmpty {
            // Clients are killed all the time: get an error instead of SIGPIPE.
            let count = rest.withUnsafeBytes {
                Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// A failure of the crash test itself.
struct RigError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
