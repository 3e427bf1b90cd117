// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("Input file", .timeLimit(.minutes(10))) struct InputFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A pipe without a writer is neither ready nor at its end; it ends when its writer closes it")
    func pipe() throws {
        let path = folder.path("pipe")
        let made = unsafe mkfifo(path, 0o600)
        #expect(made == 0)
        var file = try InputFile(path)
        var ready = [file.isReady(within: 0)]
        let writer = unsafe open(path, O_WRONLY | O_NONBLOCK)
        #expect(writer >= 0)
        ready.append(file.isReady(within: 0))
        #expect(ready == [false, false])
        let written = unsafe write(writer, "abc", 3)
        #expect(written == 3)
        let first = try file.read(2)
        close(writer)
        ready = [file.isReady(within: 0)]
        let rest = try [file.read(2), file.read(2)]
        #expect(ready == [true] && [first] + rest == [Array("ab".utf8), Array("c".utf8), []])
    }

    @Test("A regular file is read to its end")
    func regular() throws {
        try Data("abc".utf8).write(to: folder.url.appending(path: "file"))
        var file = try InputFile(folder.path("file"))
        let parts = try [file.read(9), file.read(9)]
        #expect(parts == [Array("abc".utf8), []])
        #expect(throws: FileError.self) { _ = try InputFile(folder.path("none")) }
    }
}
