// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

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
