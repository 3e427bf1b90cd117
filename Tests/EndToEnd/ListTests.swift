// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Lists and selections on the command line.
@Suite("Lists on the command line", .timeLimit(.minutes(10))) struct ListTests {
    private let folder = TemporaryFolder()

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
}
