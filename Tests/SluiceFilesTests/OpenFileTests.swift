// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("Open file", .timeLimit(.minutes(10))) struct OpenFileTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write("content", to: "file")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "file")
    }

    private func stamp(_ name: String) throws -> String {
        try OpenFile.reading(folder.path(name), followsLink: true).stamp
    }

    @Test("A link is followed only on request")
    func links() throws {
        let file = try OpenFile.reading(folder.path("link"), followsLink: true)
        #expect(try file.read(at: 0, count: 100) == Array("content".utf8))
        #expect(throws: FileError.self) { _ = try OpenFile.reading(folder.path("link"), followsLink: false) }
    }

    @Test("Folders and missing files are rejected", arguments: ["", "nothing"])
    func refusals(_ name: String) {
        #expect(throws: FileError.self) { _ = try OpenFile.reading(folder.path(name), followsLink: true) }
    }

    @Test("A stamp changes with the content, even if size and date stay the same")
    func stamps() throws {
        let before = try stamp("file")
        #expect(try stamp("file") == before && stamp("link") == before)
        let date = try FileManager.default.attributesOfItem(atPath: folder.path("file"))[.modificationDate]
        try folder.remove("file")
        try folder.write("CONTENT", to: "file")
        try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: folder.path("file"))
        #expect(try stamp("file") != before)
    }

    @Test("The stamp at a path is that of the open file, and folders, links and missing files have none")
    func stampsOfPaths() throws {
        #expect(try OpenFile.stamp(ofFileAt: folder.path("file"), followsLink: false) == stamp("file"))
        #expect(try OpenFile.stamp(ofFileAt: folder.path("link"), followsLink: true) == stamp("file"))
        #expect(OpenFile.stamp(ofFileAt: folder.path("link"), followsLink: false) == nil)
        #expect(OpenFile.stamp(ofFileAt: folder.path, followsLink: true) == nil)
        #expect(OpenFile.stamp(ofFileAt: folder.path("nothing"), followsLink: true) == nil)
    }

    @Test("A listed file that a folder or a link has replaced is not read")
    func replacedFiles() throws {
        #expect(try OpenFile.listed(folder.path("file")).version.size == 7)
        #expect(throws: FileError.self) { _ = try OpenFile.listed(folder.path("link")) }
        let opened = try OpenFile.listed(folder.path)
        #expect(throws: FileError.self) { _ = try opened.version }
        #expect { _ = try opened.read(at: 0, count: 1) } throws: { ($0 as? FileError)?.isAbsence == true }
    }
}

@Suite("Input file", .timeLimit(.minutes(10))) struct InputFileTests {
    private let folder = TemporaryFolder()

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
        try folder.write("abc", to: "file")
        var file = try InputFile(folder.path("file"))
        let parts = try [file.read(9), file.read(9)]
        #expect(parts == [Array("abc".utf8), []])
        #expect(throws: FileError.self) { _ = try InputFile(folder.path("none")) }
    }
}

@Suite("Descriptor reserve", .timeLimit(.minutes(10))) struct DescriptorReserveTests {
    @Test("A descriptor close to the limit is closed and refused, and others are admitted")
    func admission() throws {
        let limit = Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))
        let low = unsafe open("/dev/null", O_RDONLY)
        #expect(DescriptorReserve.admit(low) == low && DescriptorReserve.admit(-1) == -1)
        let high = fcntl(low, F_DUPFD, limit - 1)
        #expect(high == limit - 1 && DescriptorReserve.admit(high) == -1 && errno == EMFILE)
        #expect(fcntl(high, F_GETFD) == -1)
        close(low)
    }
}
