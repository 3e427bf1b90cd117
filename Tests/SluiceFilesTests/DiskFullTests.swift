// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("Full disk", .timeLimit(.minutes(10))) struct DiskFullTests {
    @Test(
        "A full disk is told as such, and what stood before stands",
        .enabled(if: SmallDisk.isPermitted, "needs root and mount"))
    func full() throws {
        let disk = try SmallDisk(kilobytes: 64)
        let folder = try Folder(disk.path)
        try folder.write(Array(repeating: 1, count: 20_000), to: "x")
        let error = try #require(throws: FileError.self) {
            try folder.write(Array(repeating: 2, count: 100_000), to: "x")
        }
        #expect(error.isDiskFull && error.operation == "write", "\(error)")
        #expect(try folder.names() == ["x"], "the half file is gone")
        #expect(try folder.read("x") == Array(repeating: 1, count: 20_000))
        var partial: PartialFile? = try PartialFile("p", in: folder)
        #expect(throws: FileError.self) { try partial?.write(Array(repeating: 3, count: 100_000)) }
        #expect(try folder.freeBytes() == 0)
        let refusal = try #require(throws: FileError.self) { try folder.checkWritable() }
        #expect(refusal.isDiskFull)
        try partial?.remove()
        // Its bytes are free once nobody has it open.
        partial = nil
        try folder.checkWritable()
    }

    @Test("A folder that may only be read is found out", .enabled(if: SmallDisk.isPermitted, "needs root and mount"))
    func readOnly() throws {
        let disk = try SmallDisk(kilobytes: 64)
        let folder = try Folder(disk.path)
        try disk.remount("ro")
        let error = try #require(throws: FileError.self) { try folder.checkWritable() }
        #expect("\(error)" == "create a file in \(disk.path): Read-only file system")
    }
}
