// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("NewFile", .timeLimit(.minutes(10))) struct NewFileTests {
    let temporary = TemporaryFolder()
    let folder: Folder

    init() throws {
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

@Suite("Full disk", .timeLimit(.minutes(10))) struct DiskFullTests {
    @Test(
        "A full disk is reported, and existing files stay unchanged",
        .enabled(if: SmallDisk.isPermitted, "needs root and mount"))
    func full() throws {
        let disk = try SmallDisk(kilobytes: 64)
        let folder = try Folder(disk.path)
        try folder.write(Array(repeating: 1, count: 20_000), to: "x")
        let error = try #require(throws: FileError.self) {
            try folder.write(Array(repeating: 2, count: 100_000), to: "x")
        }
        #expect(error.isDiskFull && error.operation == "write", "\(error)")
        #expect(try folder.names() == ["x"], "the incomplete file is removed")
        #expect(try folder.read("x") == Array(repeating: 1, count: 20_000))
        var partial: PartialFile? = try PartialFile("p", in: folder)
        #expect(throws: FileError.self) { try partial?.write(Array(repeating: 3, count: 100_000)) }
        #expect(try folder.freeBytes() == 0)
        let checkError = try #require(throws: FileError.self) { try folder.checkWritable() }
        #expect(checkError.isDiskFull)
        try partial?.remove()
        // Its bytes are freed when it is closed.
        partial = nil
        try folder.checkWritable()
    }

    @Test("A read-only folder is detected", .enabled(if: SmallDisk.isPermitted, "needs root and mount"))
    func readOnly() throws {
        let disk = try SmallDisk(kilobytes: 64)
        let folder = try Folder(disk.path)
        try disk.remount("ro")
        let error = try #require(throws: FileError.self) { try folder.checkWritable() }
        #expect("\(error)" == "cannot create a file in \(disk.path): Read-only file system")
    }
}

@Suite("PartialFile", .timeLimit(.minutes(10))) struct PartialFileTests {
    let temporary = TemporaryFolder()
    let folder: Folder

    init() throws {
        folder = try Folder(temporary.path)
        try folder.makeFolder("partial")
    }

    @Test("A file in memory has no name, and what opens it again outlives it")
    func inMemory() throws {
        func make() throws -> OpenFile {
            let file = try PartialFile(inMemory: "partial/1", in: folder)
            try file.write([1, 2])
            try file.truncate()
            try file.write([3, 4, 5])
            try file.save(note: [9])
            #expect(try file.length == 3 && file.read(at: 1, count: 9) == [4, 5])
            #expect(file.note == nil || !file.isInMemory)
            defer { try? file.remove() }
            return try file.duplicate()
        }
        let copy = try make()
        #expect(try copy.read(at: 0, count: 9) == [3, 4, 5])
        #expect(try folder.names(in: "partial") == [])
    }

    @Test("A reopened file keeps its content and appends")
    func resuming() throws {
        try PartialFile("partial/1", in: folder).write([1, 2])
        let file = try PartialFile("partial/1", in: folder)
        #expect(try file.length == 2)
        let more: [UInt8] = [3, 4, 5]
        unsafe try more.withUnsafeBytes { unsafe try file.write($0) }
        try file.write(more.span)
        #expect(try file.length == 8)
        #expect(try file.read(at: 1, count: 3) == [2, 3, 4])
        #expect(try file.read(at: 7, count: 3) == [5])
        #expect(try file.read(at: 9, count: 3) == [])
    }

    @Test("Truncating discards the received bytes")
    func restart() throws {
        let file = try PartialFile("partial/1", in: folder)
        try file.write([1, 2])
        try file.truncate()
        try file.write([3])
        try folder.moveIntoPlace(file.stage(as: "x", flushed: true))
        #expect(try folder.read("x") == [3])
    }

    @Test("The final name replaces an old file, which stays until then", arguments: [true, false])
    func finishing(flushed: Bool) throws {
        try folder.write([1], to: "x")
        let file = try PartialFile("partial/1", in: folder)
        try file.write([2])
        try file.save(note: [1])
        let staged = try file.stage(as: "x", flushed: flushed)
        #expect(try folder.names(in: "partial") == ["1"], "the note is removed")
        #expect(try folder.read("x") == [1])
        try folder.flush([staged])
        try folder.moveIntoPlace(staged)
        try folder.flushNames(of: [staged.name])
        #expect(try folder.read("x") == [2])
        #expect(try folder.names(in: "partial").isEmpty)
        #expect(try file.read(at: 0, count: 9) == [2], "the bytes can still be read")
    }

    @Test("The folder of the final name is created with its first file")
    func placing() throws {
        let file = try PartialFile("partial/1", in: folder)
        try folder.moveIntoPlace(file.stage(as: "deep/down/x", flushed: false))
        #expect(folder.size(of: "deep/down/x") == 0)
    }

    @Test("The length is that of the file, also after a change and for a file that was opened again")
    func lengths() throws {
        let file = try PartialFile("partial/1", in: folder)
        #expect(try file.length == 0)
        try file.write([1, 2, 3])
        try file.truncate(to: 2)
        #expect(try file.length == 2)
        try file.write([4])
        let again = try PartialFile("partial/1", in: folder)
        #expect(try file.length == 3 && again.length == 3)
        #expect(try folder.read("partial/1") == [1, 2, 4])
    }

    @Test(
        "A file that was opened again has its note, and completing or removing it removes the note",
        arguments: [true, false])
    func reopenedNote(isRemoved: Bool) throws {
        try PartialFile("partial/1", in: folder).save(note: [7])
        let file = try PartialFile("partial/1", in: folder)
        #expect(file.note == [7])
        if isRemoved { try file.remove() } else { _ = try file.stage(as: "x", flushed: false) }
        #expect(try folder.names(in: "partial") == (isRemoved ? [] : ["1"]))
    }

    @Test("Removing leaves no files")
    func removing() throws {
        let file = try PartialFile("partial/1", in: folder)
        try file.write([2])
        try file.remove()
        #expect(try folder.names(in: "partial").isEmpty)
    }

    @Test("A note is stored next to the file and removed with it") func note() throws {
        let folder = TemporaryFolder()
        let file = try PartialFile("f", in: Folder(folder.path))
        #expect(file.note == nil)
        try file.save(note: Array("one".utf8))
        try file.save(note: Array("two".utf8))
        #expect(file.note == Array("two".utf8) && folder.names() == ["f", "f.note"])
        let names: Set = ["f", "f.note", "g", "h.note", "i.note.part"]
        #expect(names.filter { PartialFile.isResumable($0, where: names.contains) }.sorted() == ["f", "f.note"])
        try file.remove()
        #expect(folder.names() == [])
    }
}
