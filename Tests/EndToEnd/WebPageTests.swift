// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Web pages and saved pages on the command line.
@Suite("Web pages on the command line", .timeLimit(.minutes(10))) struct WebPageCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reply(_ body: String, _ type: String) -> [RawServer.Step] {
        [.text("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    @Test("A page, its next page and its links are read, and a note counts the pictures that are left out")
    func page() throws {
        let server = try RawServer([
            "/": reply(
                "<img src=/1.jpg><img src=t.gif width=1 height=1><link rel=next href='/?page=2'><a href=/deep>d</a>",
                "text/html"),
            "/?page=2": reply("<img src=/2.jpg>", "text/html"), "/deep": reply("<img src=/3.jpg>", "text/html"),
            "/map.xml": reply("<urlset><url><loc>https://a.test/1</loc></url></urlset>", "text/xml"),
            "/app": reply("<html><script src=app.js></script></html>", "text/html"),
        ])
        defer { server.stop() }
        let run = try Binary.run(["mirror", server.url("/"), "--dry-run"], folder: folder.url)
        #expect(run.code == 0 && run.out.contains("/1.jpg") && run.out.contains("/2.jpg"), "\(run)")
        #expect(!run.out.contains("/3.jpg") && run.err.contains("left out 1 small image"))
        let deep = try Binary.run(["mirror", server.url("/"), "--dry-run", "--depth", "1"], folder: folder.url)
        #expect(deep.code == 0 && deep.out.contains("/3.jpg"), "\(deep)")
        let map = try Binary.run(["mirror", server.url("/map.xml"), "--dry-run"], folder: folder.url)
        #expect(map.code == 4 && map.err.contains("lists 1 page and no pictures"), "\(map)")
        let app = try Binary.run(["mirror", server.url("/app"), "--dry-run"], folder: folder.url)
        #expect(app.code == 4 && app.err.contains("no photos without its scripts"), "\(app)")
    }

    @Test("Photos that turn out to be smaller than icons are skipped, unless the user allows them")
    func icons() throws {
        // A GIF of 9x9 pixels, whose size the page does not state.
        let gif: [UInt8] = [
            0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 9, 0, 9, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0, 9, 0,
            9,
            0, 0, 2, 9, 0x84, 0x8F, 0xA9, 0xCB, 0xED, 0x0F, 0xA3, 0x9C, 0x2B, 0, 0x3B,
        ]
        let server = try RawServer([
            "/": reply("<img src=/a.gif>", "text/html"),
            "/a.gif": [
                .text("HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\nContent-Length: \(gif.count)\r\n\r\n"), .raw(gif),
            ],
        ])
        defer { server.stop() }
        let run = try Binary.run(["mirror", server.url("/"), "--out", "m", "--json"], folder: folder.url)
        #expect(run.code == 0 && (run.out + run.err).contains("9x9 is smaller than 100"), "\(run)")
    }
}
