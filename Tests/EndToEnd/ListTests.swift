// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Lists and selections on the command line.
@Suite("Lists on the command line", .timeLimit(.minutes(10))) struct ListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A dry run of a hostile list prints escaped lines and creates no files")
    func hostile() throws {
        let list = """
            {"url":"https://a.test/1","id":"../../etc/passwd","caption":"\\u001b[31m\\u202egpj.exe\\u0007"}
            {"url":"https://a.test/2","title":null,"width":"null","author":[[[]]]}
            {"url":"javascript:alert(1)"}
            {"url":"https://a.test/\\u001b]0;x\\u0007"}
            \u{1B}[2J

            """
        try Data(list.utf8).write(to: folder.url.appending(path: "list.jsonl"))
        let result = try Binary.run(["mirror", "list.jsonl", "--dry-run"], folder: folder.url)
        #expect(result.code == 3 && result.isPlain)
        #expect(result.out.split(separator: "\n").count == 5)
        #expect(!result.out.contains("\u{202E}"))
        #expect(result.err == "dry run: 2 photos would be downloaded, 3 invalid records\n")
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
        let feed = try Binary.shell("printf '<html/>' > page.xml; sluice mirror page.xml --dry-run", folder: folder.url)
        #expect(feed.code == 4 && feed.err.contains("feed-parse: there are no photos here"))
        let run = try Binary.run(["mirror", "page.xml", "--out", "m"], folder: folder.url)
        #expect(run.code == 4 && run.err.contains("name its RSS or Atom feed"), "\(run.err)")
        let gallery = folder.names().filter { $0.hasPrefix("m/gallery") || $0 == "m/index.html" }
        #expect(gallery == [], "a feed that cannot be read leaves no empty gallery")
        let list = try Binary.shell(
            "printf '[\"https://a.test/1\",' > l.json; sluice mirror l.json --dry-run", folder: folder.url)
        #expect(list.code == 3 && list.out.contains("https://a.test/1") && list.err.contains("the array is not closed"))
    }
}
