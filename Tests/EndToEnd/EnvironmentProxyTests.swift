// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Row B3 of the fault table: a proxy hides the addresses from the guard, so only the user may choose one.
@Suite("Proxies in the environment", .timeLimit(.minutes(10))) struct EnvironmentProxyTests {
    private static let png = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

    private func picture() throws -> [RawServer.Step] {
        let bytes = try [UInt8](#require(Self.png))
        return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n"), .raw(bytes)]
    }

    @Test("They are used only if the user asks for it, and a note reports either", arguments: [nil, "none", "env"])
    func environment(choice: String?) throws {
        let folder = try TemporaryFolder()
        let server = try RawServer(["/a.png": picture()])
        let url = server.url("/a.png")
        let proxy = try RawServer([url: picture()], host: "127.0.0.2")
        defer { for server in [server, proxy] { server.stop() } }
        try Data("\(url)\n".utf8).write(to: folder.url.appending(path: "list.txt"))
        let words = [
            "mirror", "list.txt", "--out", "out", "--sizes", "none", "--no-robots", "--allow-private", "--allow-port",
            "\(server.port)",
        ]
        let environment = ["http_proxy": proxy.url(""), "all_proxy": proxy.url("")]
        let result = try Running(
            words + (choice.map { ["--proxy", $0] } ?? []), environment: environment, folder: folder.url
        ).end()
        #expect(result.code == 0, "\(result)")
        #expect(proxy.connections == (choice == "env" ? 1 : 0) && server.connections == (choice == "env" ? 0 : 1))
        #expect(result.err.contains("the proxies in the environment are not used") == (choice == nil))
        #expect(result.err.contains("transfers use the proxy 127.0.0.2") == (choice == "env"))
    }
}
