// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Service requests", .timeLimit(.minutes(5))) struct ServiceRequestTests {
    private static let stored = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func transfers() -> Transfers {
        var options = TransferOptions.patient
        options.http = .http1
        options.addressGuard = .open
        return Transfers(options)
    }

    @Test("Small and large bodies arrive whole", arguments: [0, 1, 32 << 10, (32 << 10) + 1, 700_001])
    func bodies(count: Int) async throws {
        let server = try RawServer(["/object": [.text(Self.stored), .again]])
        defer { server.stop() }
        let body = [UInt8](repeating: 0x61, count: count)
        let request = ServiceRequest("PUT", server.url("/object"), body: body)
        let transfers = transfers()
        let status = try await DedicatedThread.run {
            Result { () throws(Failure) in try transfers.send(request, token: CancellationToken()).status }
        }.get()
        #expect(status == 200)
        let received = try #require(server.requests.first)
        #expect(received.hasPrefix("PUT /object ") && received.contains("Content-Length: \(count)\r\n"))
        #expect(received.hasSuffix("\r\n\r\n" + String(repeating: "a", count: count)))
    }

    @Test("A large body is sent again from its beginning if the idle connection was closed")
    func rewinding() async throws {
        let server = try RawServer(sequences: [
            "/object": [[.text(Self.stored), .again], [.reset], [.text(Self.stored)]]
        ])
        defer { server.stop() }
        let body = (0..<500_000).map { UInt8(0x61 + $0 % 23) }
        let request = ServiceRequest("PUT", server.url("/object"), body: body)
        let transfers = transfers()
        try await DedicatedThread.run {
            Result { () throws(Failure) in
                for _ in 0..<2 { _ = try transfers.send(request, token: CancellationToken()) }
            }
        }.get()
        #expect(server.requests.count == 3)
        for received in server.requests {
            #expect(received.hasSuffix("\r\n\r\n" + String(decoding: body, as: UTF8.self)))
        }
    }
}
