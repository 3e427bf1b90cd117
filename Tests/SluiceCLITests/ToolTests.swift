// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceModel
import Testing

@testable import SluiceCLI

/// Runs complete command lines in this process.
@Suite("Command-line tool", .timeLimit(.minutes(10))) struct ToolTests {
    private func run(_ arguments: [String]) async throws -> (code: Int32, out: String, err: String) {
        try await run(.success(arguments))
    }

    private func run(
        _ arguments: Result<[String], InvalidText>
    ) async throws -> (code: Int32, out: String, err: String) {
        let (out, err) = (try CapturedOutput(), try CapturedOutput())
        let console = Console(arguments: arguments, out: out.output, err: err.output, environment: Environment())
        let code = await Tool.run(console)
        return (code.number, try out.text(), try err.text())
    }

    @Test("An invalid command line prints one line to standard error and exits with 2")
    func refusal() async throws {
        let result = try await run(["mirror", "demo", "--pages", "0"])
        #expect(result == (2, "", "sluice: invalid value '0' for --pages: expected a whole number, 1 or more\n"))
    }

    @Test("An argument that is not valid UTF-8 is rejected")
    func notText() async throws {
        let result = try await run(.failure(InvalidText("cannot read the argument 'caf%E9': it is not valid UTF-8")))
        let message = "cannot read the argument 'caf%E9': it is not valid UTF-8"
        let hint = "for files with such names, name their folder"
        #expect(result == (2, "", "sluice: \(message)\nhint: \(hint)\n"))
    }

    @Test("Without a command, help goes to standard error and the exit code is 2")
    func nothing() async throws {
        let result = try await run([])
        #expect(result.code == 2 && result.out.isEmpty && result.err.contains("Usage: sluice COMMAND"))
    }

    @Test(
        "Requested output goes to standard output",
        arguments: [
            (["--help"], "Usage: sluice COMMAND"), (["mirror", "-h"], "Usage: sluice mirror [SOURCE]"),
            (["help", "gallery"], "Usage: sluice gallery [DIR]"), (["--version"], "sluice \(Version.number)\n"),
            (["manual"], ".TH SLUICE 1"), (["manual", "--markdown"], "| command |"),
            (["completions", "fish"], "complete"),
        ])
    func data(_ arguments: [String], contains: String) async throws {
        let result = try await run(arguments)
        #expect(result.code == 0 && result.err.isEmpty && result.out.contains(contains))
    }

    @Test(
        "A failed write to standard output is reported as a local problem",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDisk() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let err = Pipe()
        let console = Console(
            arguments: .success(["--help"]), out: Output(descriptor: full.fileDescriptor), err: err.output,
            environment: Environment())
        #expect(await Tool.run(console).number == 5)
        #expect(try err.text() == "sluice: cannot write standard output: No space left on device\n")
    }

    @Test("doctor prints one line per check, followed by advice")
    func doctor() async throws {
        let result = try await run(["doctor"])
        #expect([0, 5].contains(result.code) && result.err.isEmpty)
        #expect(result.out.contains("open files") && result.out.contains("certificates"))
        let clock = HealthCheckResult("clock", .problem, "shows 1970-01-01", advice: "set it")
        #expect(statusLine(of: clock, style: Style(isUnicode: false)) == "problem  clock: shows 1970-01-01 -> set it")
    }
}

@Suite("Default folder", .timeLimit(.minutes(10))) struct DefaultFolderTests {
    @Test(
        "A mirror without --out is named after its source",
        arguments: [
            ("demo", "demo-mirror"), ("-", "stdin-mirror"), ("lists/cats.txt", "cats-mirror"),
            ("cats.jsonl.gz", "cats-mirror"), ("unsplash:photo/ID", "unsplash-photo-ID-mirror"),
            ("https://example.com/photos/feed.xml", "example.com-photos-feed.xml-mirror"),
            ("https://user:secret@example.com/a", "example.com-a-mirror"), ("../..", "mirror"), ("///", "mirror"),
            (".hidden", "hidden-mirror"), ("日本.txt", "日本-mirror"),
        ])
    func names(_ source: String, folder: String) {
        #expect(defaultFolder(for: source) == folder)
    }

    @Test("The query of a URL is hidden but distinguishes two feeds")
    func queries() {
        let cats = defaultFolder(for: "https://example.com/search?q=cats&key=secret")
        let dogs = defaultFolder(for: "https://example.com/search?q=dogs&key=secret")
        #expect(cats != dogs && cats.hasPrefix("example.com-search-") && !cats.contains("secret"))
    }

    @Test("No source gives a folder outside the current one, or a name that is too long")
    func hostile() {
        for source in ["../../etc", "a/../../b:c", "\u{1B}[31m", String(repeating: "x", count: 5000), "..:.."] {
            let folder = defaultFolder(for: source)
            #expect(
                !folder.contains("/") && !folder.hasPrefix(".") && folder.utf8.count < 255 && folder == escaped(folder))
        }
    }
}
