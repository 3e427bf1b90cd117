// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Serving") struct ServingTests {
        /// libdispatch ended the process when connections had taken all descriptors.
        @Test("More connections without a request than descriptors neither block nor end the server")
        func crowd() throws {
            let mirror = try DemoMirror.finished()
            let line = "ulimit -n 64; exec '\(Binary.path)' serve '\(mirror.path)' --port 0 2>&1"
            let server = try Running(["-c", line], program: "/bin/sh")
            let message = try #require(try server.line())
            let port = try #require(message.firstMatch(of: /:(\d+)\/;/).flatMap { UInt16($0.1) }, "\(message)")
            OwnProcess.raiseDescriptorLimit()
            let crowd = try (0..<200).map { _ in
                let client = try Client(port)
                client.send("GET / HTTP/1.1\r\nX-Drip: ")
                return client
            }
            let client = try Client(port)
            client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
            #expect(client.readToEnd().hasPrefix("HTTP/1.1 200"))
            withExtendedLifetime(crowd) {}
            server.send(SIGTERM)
            #expect(try server.end().code == 0)
        }
    }
}

/// A connection to a local port.
private final class Client {
    private let descriptor: Int32

    init(_ port: UInt16) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // A server that never replies must not hang the test.
        var time = timeval(tv_sec: 60, tv_usec: 0)
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let code = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func readToEnd() -> String {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe recv(descriptor, &part, part.count, 0)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += part[..<count]
        }
    }
}
