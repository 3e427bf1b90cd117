// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import Testing

@testable import SluiceCLI

/// Whole command lines, but for the process around them.
@Suite("Tool", .timeLimit(.minutes(10))) struct ToolTests {
    private func run(_ arguments: [String]?) async throws -> (code: Int32, out: String, err: String) {
        let (out, err) = (try Paper(), try Paper())
        let console = Console(arguments: arguments, out: out.output, err: err.output, environment: Environment())
        let code = await Tool.run(console)
        return (code.number, try out.text(), try err.text())
    }

    @Test("A wrong command line is one line on standard error, and exit code 2")
    func refusal() async throws {
        let result = try await run(["mirror", "demo", "--pages", "0"])
        #expect(result == (2, "", "sluice: --pages 0: takes a whole number from 1 on\n"))
    }

    @Test("An argument that is no UTF-8 is refused")
    func notText() async throws {
        let result = try await run(nil)
        #expect(result.code == 2 && result.out.isEmpty && result.err.contains("UTF-8"))
    }

    @Test("Without a command the help goes to standard error, and the exit code is 2")
    func nothing() async throws {
        let result = try await run([])
        #expect(result.code == 2 && result.out.isEmpty && result.err.contains("Usage: sluice COMMAND"))
    }

    @Test(
        "What was asked for goes to standard output",
        arguments: [
            (["--help"], "Usage: sluice COMMAND"), (["mirror", "-h"], "Usage: sluice mirror [SOURCE]"),
            (["help", "gallery"], "Usage: sluice gallery DIR"), (["--version"], "sluice \(Version.number)\n"),
            (["manual"], ".TH SLUICE 1"), (["manual", "--markdown"], "| command |"),
            (["completions", "fish"], "complete"),
        ])
    func data(_ arguments: [String], contains: String) async throws {
        let result = try await run(arguments)
        #expect(result.code == 0 && result.err.isEmpty && result.out.contains(contains))
    }

    @Test(
        "Data that cannot be written is told, and is local trouble",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDisk() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let err = Pipe()
        let console = Console(
            arguments: ["--help"], out: Output(descriptor: full.fileDescriptor), err: err.output,
            environment: Environment())
        #expect(await Tool.run(console).number == 5)
        #expect(try err.text() == "sluice: standard output cannot be written: No space left on device\n")
    }

    @Test("The doctor has a line for each finding, and what to do behind it")
    func doctor() async throws {
        let result = try await run(["doctor"])
        #expect([0, 5].contains(result.code) && result.err.isEmpty)
        #expect(result.out.contains("open files") && result.out.contains("certificates"))
        let finding = Finding("clock", .problem, "shows 1970-01-01", advice: "set it")
        #expect(report(finding, style: Style(isUnicode: false)) == ["problem  clock: shows 1970-01-01 -> set it"])
    }
}
