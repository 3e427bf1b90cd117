// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A web server on this machine that serves a few files and remembers who was asked for.
///
/// It is outside of the process that is killed, so its log outlives each kill.
final class Origin: Sendable {
    private let files: Mutex<[String: Data]>
    private let listener: Int32
    private let log = Mutex<[String]>([])
    let port: UInt16

    /// Serves the files by their paths.
    init(_ files: [String: Data]) throws {
        self.files = Mutex(files)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 256) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard listens else { throw Trouble("no port can be listened on: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
        Thread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                // No mirror is to inherit it.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread { [self] in serve(connection) }.start()
            }
        }.start()
    }

    /// Serves other bytes from now on.
    func serve(_ others: [String: Data]) { files.withLock { $0 = others } }

    func address(of path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// What was asked for since the last call.
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
            // The other side is killed all the time: no signal, only an end.
            let count = rest.withUnsafeBytes {
                Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// What makes the test itself impossible, in a sentence.
struct Trouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
