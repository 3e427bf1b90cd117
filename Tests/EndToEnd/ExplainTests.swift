// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import TestSupport
import Testing

/// The causes and the commands that `sluice explain` prints.
@Suite("explain", .timeLimit(.minutes(10))) struct ExplainTests {
    private let folder = TemporaryFolder()
    private var names: String { "list of 'mine'.txt" }

    init() throws {
        // Nothing listens on the first address, and the second is private.
        let list = "http://127.0.0.1:9/a\nhttp://127.0.0.1:9/b\nhttp://10.0.0.1/c\n"
        try folder.write(list, to: names)
    }

    private func mirror() throws -> Binary.Result {
        let words = ["--allow-address", "127.0.0.1", "--allow-port", "9", "--retries", "0", "--sizes", "none"]
        return try Binary.run(["mirror", names, "-o", "my mirror"] + words, folder: folder.url)
    }

    @Test("The printed command works in a shell from any folder, and retries the photos it names")
    func commands() throws {
        #expect(try mirror().code == 3)
        let result = try Binary.run(["explain", folder.path("my mirror"), "--json"])
        let event = try RunEvent(try #require(result.out.split(separator: "\n").first))
        let commands = try #require(event.members["commands"] as? [String])
        #expect(commands.count == 1 && commands[0].contains("--retry=connect"), "\(commands)")
        let again = try Binary.shell("\(commands[0]) --json").expect(3)
        #expect(try RunEvent.all(in: again.out).started == [1, 2])
    }

    @Test("Incomplete photos can be salvaged, as the message, explain and the report say")
    func salvage() throws {
        let picture = try ImageEncoder(.png).encode([UInt8](repeating: 90, count: 64 * 64 * 4), width: 64, height: 64)
        try folder.write(picture.dropLast(20), to: "in/cut.png")
        let made = try Binary.run(["thumbs", "in", "-o", "t"], folder: folder.url)
        let reason = "truncated: no PNG end chunk, at in/cut.png; use --salvage"
        #expect(made.code == 3 && made.err.contains(reason), "\(made.err)")
        let explained = try Binary.run(["explain", "t"], folder: folder.url)
        #expect(explained.out.contains("the photo is incomplete; temporary, or --salvage"), "\(explained.out)")
        #expect(explained.out.contains("1 photo may be recovered with --salvage:"), "\(explained.out)")
        #expect(!explained.out.contains("with a retry"), "\(explained.out)")
        let report = try folder.text("t/report.html")
        #expect(report.contains("retry, or --salvage"))
    }

    @Test("A photo over the pixel limit is kept, and the command that explain prints makes its thumbnail")
    func largePhoto() throws {
        let picture = try ImageEncoder(.png).encode([UInt8](repeating: 90, count: 64 * 64 * 4), width: 64, height: 64)
        try folder.write(picture, to: "in/large.png")
        let made = try Binary.run(
            ["mirror", "in", "-o", "m", "--sizes", "32", "--max-pixels", "4095"], folder: folder.url)
        let reason = "too-many-pixels: 64x64 (limit 4095); use --max-pixels=1G for a thumbnail"
        #expect(made.code == 0 && made.err.contains("kept without a thumbnail: "), "\(made.err)")
        #expect(made.err.contains(reason) && made.err.contains("1 without a thumbnail (1 over a limit)"), "\(made.err)")
        let explained = try Binary.run(["explain", folder.path("m")])
        #expect(explained.out.contains("kept without a thumbnail, which --max-pixels=1G may make"), "\(explained.out)")
        let advice = "1 photo may get thumbnails with --max-pixels=1G:\n  "
        #expect(explained.out.hasSuffix("all 1 selected photo are done\n"), "\(explained.out)")
        let command = explained.out.firstRange(of: advice).map { explained.out[$0.upperBound...].prefix { $0 != "\n" } }
        let again = try Binary.shell("\(try #require(command)) --json")
        let events = try RunEvent.all(in: again.out)
        #expect(again.code == 0 && events.ended("done") == [1], "\(again)")
        #expect(folder.names().contains("m/thumbs/32/00001-large.png"), "\(folder.names())")
    }
}

/// Inputs that people try first, and what the command makes of them.
@Suite("Inputs on the command line", .timeLimit(.minutes(10))) struct FrontDoorTests {
    private let folder = TemporaryFolder()

    private func dryRun(_ words: String...) throws -> Binary.Result {
        try Binary.run(["mirror"] + words + ["--dry-run"], folder: folder.url)
    }

    @Test("The address of a list is a source, and other replies are reported with their reason")
    func address() throws {
        func reply(_ body: String, _ type: String) -> [RawServer.Step] {
            [.text("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
        }
        let server = try RawServer([
            "/photos.csv": reply("nr,picture\n1,https://a.test/1.jpg\n2,https://a.test/2.jpg\n", "text/plain"),
            "/empty.csv": reply("", "text/csv"), "/empty": reply("", "text/plain"),
            "/login.csv": reply("<html>log in</html>", "text/html"),
            "/api": reply("{\"results\":[]}", "application/json"),
            "/photos": reply("{\"results\":[{\"image\":{\"url\":\"https://a.test/3.jpg\"}}]}", "application/json"),
        ])
        try dryRun(server.url("/photos.csv")).expect(out: "/1.jpg", "/2.jpg")
        try dryRun(server.url("/photos")).expect(out: "/3.jpg", err: "only this reply is read")
        for (path, words) in [
            ("/empty.csv", "/empty.csv' is empty"), ("/empty", "/empty' is empty"),
            ("/login.csv", "XML or HTML, not a list"), ("/api", "without a recipe"),
        ] {
            try dryRun(server.url(path)).expect(4, err: words)
        }
    }

    @Test("A photo is mirrored like a folder with this file, and a mirror as a source is refused with a hint")
    func photo() throws {
        try Binary.run(["mirror", "demo", "--pages", "1", "--per-page", "2", "--out", "m"], folder: folder.url).expect()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("m/originals")).sorted()
        let picture = try #require(names.first { $0.hasSuffix(".jpg") })
        try Binary.run(["mirror", "m/originals/\(picture)", "--out", "one"], folder: folder.url).expect()
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path("one/originals"))
        #expect(copies.count == 1)
        try Binary.run(["mirror", "m", "--out", "two"], folder: folder.url).expect(
            2, err: "name 'm/originals' to copy its photos")
        #expect(!folder.contains("two"))
    }
}
