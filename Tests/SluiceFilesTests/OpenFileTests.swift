// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("Open file", .timeLimit(.minutes(10))) struct OpenFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data("content".utf8).write(to: folder.url.appending(path: "file"))
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
        try FileManager.default.removeItem(atPath: folder.path("file"))
        try Data("CONTENT".utf8).write(to: folder.url.appending(path: "file"))
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
