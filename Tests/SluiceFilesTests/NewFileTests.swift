// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("NewFile", .timeLimit(.minutes(10))) struct NewFileTests {
    let temporary: TemporaryFolder
    let folder: Folder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    @Test("The old content stays until the new file is complete", arguments: [true, false])
    func replacing(flushed: Bool) throws {
        try folder.write([1], to: "x")
        let file = try NewFile("x", in: folder)
        try file.write([2])
        try file.write([3, 4].span)
        #expect(try folder.read("x") == [1])
        try file.finish(flushed: flushed)
        #expect(try folder.read("x") == [2, 3, 4])
        #expect(temporary.names() == ["x"])
    }

    @Test("An unfinished file is removed, and the old content stays")
    func unfinished() throws {
        try folder.write([1], to: "x")
        do {
            let file = try NewFile("x", in: folder)
            try file.write([2])
        }
        #expect(try folder.read("x") == [1])
        #expect(temporary.names() == ["x"])
    }

    /// A leftover of a killed run may have become a hard link, so it must not be written to.
    @Test("A leftover under the temporary name is replaced, not written to")
    func leftover() throws {
        try folder.write([9], to: "precious")
        try FileManager.default.linkItem(atPath: temporary.path("precious"), toPath: temporary.path("x.part"))
        try folder.write([1], to: "x")
        #expect(try folder.read("precious") == [9])
        #expect(temporary.names() == ["precious", "x"])
    }

    @Test("The temporary file can be in another folder")
    func elsewhere() throws {
        try folder.makeFolder(".sluice/partial")
        try folder.makeFolder("originals")
        let file = try NewFile("originals/x", in: folder, temporary: ".sluice/partial/x")
        #expect(try folder.names(in: ".sluice/partial") == ["x"])
        try file.finish()
        #expect(try folder.names(in: ".sluice/partial").isEmpty)
        #expect(folder.size(of: "originals/x") == 0)
    }

    @Test("A folder with the final name makes finishing fail, and no file remains")
    func folderInTheWay() throws {
        try folder.makeFolder("x")
        #expect(throws: FileError.self) { try folder.write([1], to: "x") }
        #expect(temporary.names() == ["x"])
    }
}
