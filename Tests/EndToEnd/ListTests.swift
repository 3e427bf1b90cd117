// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Lists and selections on the command line.
@Suite("Lists on the command line", .timeLimit(.minutes(10))) struct ListTests {
    private let folder = TemporaryFolder()

    @Test("A dry run of a hostile list prints escaped lines and creates no files")
    func hostile() throws {
        let list = """
            {"url":"https://a.test/1","id":"../../etc/passwd","caption":"\\u001b[31m\\u202egpj.exe\\u0007"}
            {"url":"https://a.test/2","title":null,"width":"null","author":[[[]]]}
            {"url":"javascript:alert(1)"}
            {"url":"https://a.test/\\u001b]0;x\\u0007"}
            \u{1B}[2J

            """
        try folder.write(list, to: "list.jsonl")
        let result = try Binary.run(["mirror", "list.jsonl", "--dry-run"], folder: folder.url)
        #expect(result.code == 3 && result.isPlain)
        #expect(result.out.split(separator: "\n").count == 5)
        #expect(!result.out.contains("\u{202E}"))
        #expect(result.err.hasSuffix("\ndry run: 5 photos listed, 2 to download, 3 failed\n"))
        #expect(folder.names() == ["list.jsonl"])
    }

    @Test("A list can come from standard input, compressed or not, and the selected photos are printed")
    func standardInput() throws {
        let lines = "printf 'https://a.test/%s\\n' 1 2 3 4"
        let plain = try Binary.shell("\(lines) | sluice mirror - --dry-run --range 2-3", folder: folder.url)
        #expect(
            plain.code == 0 && plain.out.split(separator: "\n").count == 2 && plain.out.contains("https://a.test/3"))
        let packed = try Binary.shell(
            "\(lines) | gzip | sluice mirror - --dry-run --filter 'url~/4'", folder: folder.url)
        #expect(
            packed.code == 0 && packed.out.contains("https://a.test/4") && packed.out.split(separator: "\n").count == 1)
        let named = try Binary.shell("\(lines) | sluice mirror - --dry-run --name '{foo}'", folder: folder.url)
        #expect(named.code == 2 && named.err.contains("invalid file name template '{foo}': unknown field {foo}"))
        let closed = try Binary.shell("\(lines) | sluice mirror - --dry-run | head -n 0; echo over", folder: folder.url)
        #expect(closed.out == "over\n")
    }

    @Test("A signal ends a run that waits for more lines of its list")
    func silence() throws {
        let fifo = folder.path("pipe")
        let made = unsafe mkfifo(fifo, 0o600)
        #expect(made == 0)
        // Open at both ends, so that a reader neither waits to open it nor finds its end.
        let descriptor = unsafe open(fifo, O_RDWR)
        defer { close(descriptor) }
        let text = (1...1001).map { "https://a.test/\($0)\n" }.joined()
        let written = unsafe write(descriptor, text, text.utf8.count)
        #expect(written == text.utf8.count)
        let run = try Running(["mirror", fifo, "--dry-run"], folder: folder.url)
        // The first page has arrived, so the run waits for the second.
        #expect(try run.line() != nil)
        run.send(SIGINT)
        #expect(try run.end().code == 130)
    }

    @Test(
        "A pipe that never has a writer does not keep a run from ending",
        arguments: [(["--max-time", "1s"], nil, 8), ([], SIGTERM, 143)] as [([String], Int32?, Int32)])
    func noWriter(arguments: [String], signal: Int32?, code: Int32) throws {
        let fifo = folder.path("pipe")
        let made = unsafe mkfifo(fifo, 0o600)
        #expect(made == 0)
        let run = try Running(["mirror", fifo, "--out", folder.path("out"), "--json"] + arguments, folder: folder.url)
        try run.wait(for: "run-started")
        if let signal { run.send(signal) }
        #expect(try run.end().code == code)
    }

    @Test(
        "Invalid lists and selections are refused with one message",
        arguments: [
            (["mirror", "nosuch.txt", "--dry-run"], "nosuch.txt"),
            (["mirror", "demo", "--filter", "width>>1"], "column 7"),
            (["mirror", "demo", "--range", "5-3"], "--range"), (["mirror", "demo", "--since", "soon"], "--since"),
            (["mirror", "iiif:x", "--dry-run"], "iiif:x"),
        ])
    func refused(arguments: [String], words: String) throws {
        let result = try Binary.run(arguments, folder: folder.url)
        #expect(
            result.code == 2 && result.err.contains(words) && result.err.split(separator: "\n").count == 1, "\(result)")
        #expect(result.out.isEmpty && folder.names().isEmpty)
    }

    @Test("An invalid feed exits with code 4; a truncated list keeps the lines read and exits with code 3")
    func broken() throws {
        try Binary.shell("printf '<html/>' > page.xml; sluice mirror page.xml --dry-run", folder: folder.url)
            .expect(4, err: "feed-parse: there are no photos here")
        try Binary.run(["mirror", "page.xml", "--out", "m"], folder: folder.url).expect(
            4, err: "name its RSS or Atom feed")
        let gallery = folder.names().filter { $0.hasPrefix("m/gallery") || $0 == "m/index.html" }
        #expect(gallery == [], "a feed that cannot be read leaves no empty gallery")
        try Binary.shell(
            "printf '[\"https://a.test/1\",' > l.json; sluice mirror l.json --dry-run", folder: folder.url
        ).expect(3, out: "https://a.test/1", err: "the array is not closed")
    }
}

/// Web pages and saved pages on the command line.
@Suite("Web pages on the command line", .timeLimit(.minutes(10))) struct WebPageCommandTests {
    private let folder = TemporaryFolder()

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
        let run = try Binary.run(["mirror", server.url("/"), "--dry-run"], folder: folder.url).expect(
            out: "/1.jpg", "/2.jpg")
        #expect(!run.out.contains("/3.jpg") && run.err.contains("left out 1 small image"))
        try Binary.run(["mirror", server.url("/"), "--dry-run", "--depth", "1"], folder: folder.url).expect(
            out: "/3.jpg")
        try Binary.run(["mirror", server.url("/map.xml"), "--dry-run"], folder: folder.url).expect(
            4, err: "lists 1 page and no pictures")
        try Binary.run(["mirror", server.url("/app"), "--dry-run"], folder: folder.url).expect(
            4, err: "no photos without its scripts")
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
        let run = try Binary.run(["mirror", server.url("/"), "--out", "m", "--json"], folder: folder.url)
        #expect(run.code == 0 && (run.out + run.err).contains("9x9 is smaller than 100"), "\(run)")
    }
}
