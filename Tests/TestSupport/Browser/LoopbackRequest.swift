// SPDX-License-Identifier: MIT

internal import Foundation

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
