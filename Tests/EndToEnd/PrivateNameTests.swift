// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// SOURCEs whose names lead to private addresses, which their owners can arrange after the first run.
@Suite("Private names", .timeLimit(.minutes(10))) struct PrivateNameTests {
    private let folder = TemporaryFolder()
    private let server: RawServer
    /// The feed under a name that no name server knows.
    private let url: String
    /// The options that make the name lead to this machine.
    private let resolved: String

    /// Mirrors the feed as a user who names it for the first time, while its name is private.
    init() throws {
        let feed = """
            <rss version="2.0"><channel><title>a</title><item><guid>1</guid>
            <enclosure url="\(DemoPictures.path(0))" type="image/jpeg" length="1"/></item></channel></rss>
            """
        let pictures = try DemoPictures(1, in: folder)
        server = try RawServer(
            sequences: [
                "/feed.xml": [DemoPictures.reply("200 OK", Array(feed.utf8))],
                DemoPictures.path(0): [pictures.reply(0, headers: "")],
            ])
        url = "http://nas.invalid:\(server.port)/feed.xml"
        resolved = "--resolve nas.invalid:\(server.port):127.0.0.1 --retries 0"
        try run("mirror \(url) -o m --sizes none \(resolved)").require()
    }

    private func run(_ line: String) throws -> Binary.Result {
        try Binary.shell("sluice \(line) --no-robots", environment: ["HOME": folder.path("home")], folder: folder.url)
    }

    /// Replaces what this user remembers about the name.
    private func remember(_ reach: String) throws {
        let state = folder.url.appending(path: "home/.local/state/sluice/sources")
        let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
        #expect(names.count == 1)
        for name in names {
            let file = state.appending(path: name)
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 3 && lines[2] == "private")
            try Data("\(lines[0])\n\(lines[1])\n\(reach)".utf8).write(to: file)
        }
    }

    @Test("A name that was private when the user named it stays allowed, also for repeated commands")
    func confirmed() throws {
        let lines = ["mirror \(url) -o m --sizes none \(resolved)", "mirror -o m \(resolved)", "drift m \(resolved)"]
        for line in lines {
            let count = server.requests.count
            let result = try run(line)
            #expect(result.code == 0, "\(result.out)\(result.err)")
            #expect(server.requests.count > count)
        }
    }

    /// Each of these commands sent requests to the private address.
    @Test(
        "A name that was public, or of which that is unknown, is not contacted at a private address",
        arguments: ["public\n", ""])
    func turned(reach: String) throws {
        try remember(reach)
        let count = server.requests.count
        var lines = ["mirror -o m \(resolved)", "drift m \(resolved)"]
        if !reach.isEmpty { lines.append("mirror \(url) -o m --sizes none \(resolved)") }
        for line in lines {
            let result = try run(line)
            #expect(result.code != 0, "\(line)")
            #expect((result.out + result.err).contains("nas.invalid resolves to 127.0.0.1, which is loopback"))
            #expect(server.requests.count == count)
        }
        let hinted = try run("mirror -o m \(resolved)")
        #expect(hinted.err.contains("--allow-address 127.0.0.0/8"), "\(hinted.err)")
        let allowed = try run("mirror -o m \(resolved) --allow-address 127.0.0.0/8")
        #expect(allowed.code == 0 && server.requests.count > count, "\(allowed.err)")
    }
}
