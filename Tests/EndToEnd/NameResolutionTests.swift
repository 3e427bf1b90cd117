// SPDX-License-Identifier: MIT

import Foundation
import SluiceTransfer
import TestSupport
import Testing

/// Name resolution options on the command line.
@Suite("Name resolution on the command line", .timeLimit(.minutes(10))) struct NameResolutionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// One transparent pixel.
    private static let png = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

    private func mirror(_ urls: String..., with words: [String]) throws -> Binary.Result {
        try Data(urls.map { "\($0)\n" }.joined().utf8).write(to: folder.url.appending(path: "list.txt"))
        let mirror = ["mirror", "list.txt", "--out", "out", "--sizes", "none", "--no-robots", "--json"]
        return try Binary.run(mirror + words, folder: folder.url)
    }

    @Test("--resolve overrides the address of one port, keeps the Host header, and leaves other ports to DNS")
    func resolve() throws {
        let png = try [UInt8](#require(Self.png))
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(png.count)\r\n\r\n"
        let server = try RawServer(["/a.png": [.text(head), .raw(png)]])
        defer { server.stop() }
        let (port, other) = (server.port, server.port ^ 1)
        let ports = ["--allow-port", "\(port)", "--allow-port", "\(other)", "--allow-private", "--retries", "0"]
        // No name server knows a name below .invalid (RFC 6761).
        let urls = ["http://photos.invalid:\(port)/a.png", "http://photos.invalid:\(other)/a.png"]
        let result = try mirror(urls[0], urls[1], with: ports + ["--resolve", "photos.invalid:\(port):127.0.0.1"])
        let events = try RunEvent.all(in: result.out)
        #expect(result.code == 3 && events.ended("done") == [1] && events.ended("failed") == [2], "\(result)")
        #expect(server.requests.count == 1 && server.requests[0].contains("\r\nHost: photos.invalid:\(port)\r\n"))
        #expect(events.contains { $0.name == "item-ended" && $0[text: "cause"] == "dns" })
    }

    @Test(
        "--dns-server is refused with a message where libcurl cannot use other name servers",
        .disabled(if: Transfers.canChooseNameServers, "this libcurl has c-ares"))
    func nameServer() throws {
        let result = try mirror("http://photos.invalid/a.png", with: ["--dns-server", "127.0.0.1"])
        #expect(result.code == 2 && result.out.isEmpty)
        let words =
            "cannot use other DNS servers: this libcurl has no c-ares and supports only the system's DNS servers"
        #expect(result.err == "sluice: \(words)\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }
}
