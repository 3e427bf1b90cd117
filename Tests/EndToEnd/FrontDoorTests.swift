// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Inputs that people try first, and what the command makes of them.
@Suite("Inputs on the command line", .timeLimit(.minutes(10))) struct FrontDoorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: folder.url.appending(path: name))
    }

    private func dryRun(_ words: String...) throws -> Binary.Result {
        try Binary.run(["mirror"] + words + ["--dry-run"], folder: folder.url)
    }

    @Test("An empty list ends with exit code 4 and names it")
    func empty() throws {
        try write("", "x.csv")
        try write("url,title\n", "head.csv")
        for name in ["x.csv", "head.csv"] {
            let run = try dryRun(name)
            #expect(run.code == 4 && run.err.contains("'\(name)' is empty"), "\(run)")
        }
        let real = try Binary.run(["mirror", "x.csv", "--out", "m"], folder: folder.url)
        #expect(real.code == 4 && real.err.contains("'x.csv' is empty"), "\(real)")
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
        defer { server.stop() }
        let list = try dryRun(server.url("/photos.csv"))
        #expect(list.code == 0 && list.out.contains("/1.jpg") && list.out.contains("/2.jpg"), "\(list)")
        let service = try dryRun(server.url("/photos"))
        #expect(service.code == 0 && service.out.contains("/3.jpg"), "\(service)")
        #expect(service.err.contains("only this reply is read"), "\(service)")
        for (path, words) in [
            ("/empty.csv", "/empty.csv' is empty"), ("/empty", "/empty' is empty"),
            ("/login.csv", "XML or HTML, not a list"), ("/api", "without a recipe"),
        ] {
            let run = try dryRun(server.url(path))
            #expect(run.code == 4 && run.err.contains(words), "\(run)")
        }
    }

    @Test("The column whose values are addresses is found, whatever its name")
    func columns() throws {
        try write(
            "nr,picture_file,seite\n1,https://a.test/1.jpg,https://a.test/p\n2,https://a.test/2.jpg,https://a.test/q\n",
            "t.csv")
        let table = try dryRun("t.csv")
        #expect(table.code == 0 && table.out.contains("/1.jpg") && table.out.contains("/2.jpg"), "\(table)")
        try write("{\"nr\":1,\"picture_file\":\"https://a.test/1.jpg\"}\n", "t.jsonl")
        let lines = try dryRun("t.jsonl")
        #expect(lines.code == 0 && lines.out.contains("/1.jpg"), "\(lines)")
        try write("nr,name\n1,a\n2,b\n", "none.csv")
        let none = try dryRun("none.csv")
        #expect(none.code == 4 && none.err.contains("the columns are nr, name"), "\(none)")
        #expect(none.err.contains("--url-column"))
        try write("{\"nr\":1,\"name\":\"a\"}\n{\"nr\":2,\"name\":\"b\"}\n", "none.jsonl")
        let members = try dryRun("none.jsonl")
        #expect(members.code == 4 && members.err.contains("the members are nr, name"), "\(members)")
        try write("a,b\nhttps://a.test/x,https://a.test/y\n", "two.csv")
        let two = try dryRun("two.csv")
        #expect(two.code == 4 && two.err.contains("several columns hold addresses: a, b"), "\(two)")
    }

    @Test("A photo is mirrored like a folder with this file, and a mirror as a source is refused with a hint")
    func photo() throws {
        let demo = try Binary.run(
            ["mirror", "demo", "--pages", "1", "--per-page", "2", "--out", "m"], folder: folder.url)
        #expect(demo.code == 0, "\(demo)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("m/originals")).sorted()
        let picture = try #require(names.first { $0.hasSuffix(".jpg") })
        let run = try Binary.run(["mirror", "m/originals/\(picture)", "--out", "one"], folder: folder.url)
        #expect(run.code == 0, "\(run)")
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path("one/originals"))
        #expect(copies.count == 1)
        let mirror = try Binary.run(["mirror", "m", "--out", "two"], folder: folder.url)
        #expect(mirror.code == 2 && mirror.err.contains("name 'm/originals' to copy its photos"), "\(mirror)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("two")))
    }
}
