// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceFiles

@Suite("Folder", .timeLimit(.minutes(10))) struct FolderTests {
    let temporary = TemporaryFolder()
    let folder: Folder

    init() throws {
        folder = try Folder(temporary.path("mirror"), create: true)
    }

    /// Plants a link in the mirror to a folder outside, and returns that folder's path.
    private func plantLink(_ name: String) throws -> String {
        let outside = temporary.path("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path("mirror/\(name)"), withDestinationPath: outside)
        return outside
    }

    @Test("A folder is removed although another process adds files to it meanwhile")
    func removesTreeInUse() async throws {
        for round in 1...20 {
            try folder.makeFolder("tree/deep")
            let deep = try folder.folder("tree/deep")
            try deep.write([1], to: "first", flushed: false)
            // Ends when the folder is gone, at the latest.
            let writer = Task.detached { () -> Int in
                var count = 0
                while count < 100_000 {
                    do { try deep.write([1], to: "\(count)", flushed: false) } catch { break }
                    count += 1
                }
                return count
            }
            try folder.removeTree("tree")
            #expect(await writer.value < 100_000, "round \(round)")
            #expect(try !folder.names().contains("tree"), "round \(round)")
        }
    }

    @Test("Folders and their parents are created; existing ones are not an error")
    func making() throws {
        try folder.makeFolder("thumbs/256/deep")
        try folder.makeFolder("thumbs/256")
        let deep = try folder.folder("a/b", create: true)
        try deep.write([1], to: "x")
        #expect(try folder.read("a/b/x") == [1])
        #expect(try folder.names() == ["a", "thumbs"])
        _ = try Folder(temporary.path("mirror"), create: true)
    }

    @Test("A private folder and its new parents are closed to other users")
    func privateFolder() throws {
        let folder = TemporaryFolder()
        _ = try Folder("\(folder.path)/a/b", create: true, isPrivate: true)
        for name in ["a", "a/b"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test("A file in place of a folder is an error that names it")
    func fileInTheWay() throws {
        try folder.write([], to: "thumbs")
        let error = try #require(throws: FileError.self) { try folder.makeFolder("thumbs/256") }
        #expect(error.description.contains("thumbs") && error.description.contains("Not a directory"), "\(error)")
        #expect(throws: FileError.self) { try folder.makeFolder("thumbs") }
        #expect(throws: FileError.self) { try Folder(temporary.path("mirror/thumbs"), create: true) }
    }

    @Test(
        "A name that leads outside the folder is rejected",
        arguments: ["/etc/x", "../x", "a/../../x", "..", ".", "a/./x", "", "/", "../\u{301}x"])
    func namesBelow(name: String) throws {
        try folder.makeFolder("a")
        #expect(throws: FileError.self) { try folder.write([1], to: name) }
        #expect(throws: FileError.self) { _ = try folder.openForReading(name) }
        #expect(folder.size(of: name) == nil)
        #expect(throws: FileError.self) { try folder.write([1], to: "x\0.jpg") }
        #expect(temporary.names() == ["mirror", "mirror/a"])
    }

    @Test("A link in place of a folder is not followed, and the error says so")
    func linkedFolder() throws {
        let outside = try plantLink("photos")
        let victim = Data("precious".utf8)
        try victim.write(to: URL(filePath: outside + "/x.jpg"))
        let error = try #require(throws: FileError.self) { try folder.write([1], to: "photos/x.jpg") }
        #expect(
            error.isSymbolicLink && error.description.contains("photos: symbolic links are not followed"), "\(error)")
        #expect(throws: FileError.self) { try folder.makeFolder("photos") }
        #expect(throws: FileError.self) { try folder.makeFolder("photos/ab") }
        #expect(throws: FileError.self) { try folder.remove("photos/x.jpg") }
        #expect(throws: FileError.self) { _ = try folder.read("photos/x.jpg") }
        #expect(throws: FileError.self) { try folder.removeLeftovers(in: "photos") { _ in true } }
        #expect(throws: FileError.self) { _ = try PartialFile("photos/x.jpg", in: folder) }
        #expect(throws: FileError.self) { _ = try FolderLock("photos/lock", in: folder) }
        try folder.write([1], to: "mine")
        #expect(throws: FileError.self) { try folder.rename("mine", to: "photos/x.jpg") }
        #expect(try Data(contentsOf: URL(filePath: outside + "/x.jpg")) == victim)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["x.jpg"])
    }

    @Test("A link in place of a file is replaced, and its target stays unchanged")
    func linkedFile() throws {
        let outside = try plantLink("link")
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path("mirror/x.jpg"), withDestinationPath: outside + "/victim")
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path("mirror/x.jpg.part"), withDestinationPath: outside + "/victim")
        #expect(throws: FileError.self) { _ = try folder.read("x.jpg") }
        #expect(folder.size(of: "x.jpg") == nil)
        #expect(throws: FileError.self) { _ = try PartialFile("x.jpg.part", in: folder) }
        #expect(throws: FileError.self) { _ = try FolderLock("x.jpg", in: folder) }
        try folder.write([7], to: "x.jpg")
        #expect(try folder.read("x.jpg") == [7])
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    }

    @Test("A subfolder that is kept open is used even after a move, but not for deeper names")
    func keptOpen() throws {
        try folder.makeFolder("a/b")
        let holder = try folder.keepingOpen("a/b")
        try FileManager.default.moveItem(atPath: temporary.path("mirror/a"), toPath: temporary.path("moved"))
        try holder.write([1], to: "a/b/x")
        #expect(temporary.names().filter { $0.hasSuffix("/x") } == ["moved/b/x"])
        try holder.rename("a/b/x", to: "y")
        #expect(try holder.read("y") == [1])
        #expect(throws: FileError.self) { try holder.write([1], to: "a/b/c/x") }
        #expect(throws: FileError.self) { try holder.write([1], to: "a/b/../x") }
    }

    @Test("Writes go to the opened folder even after a move")
    func moved() throws {
        try FileManager.default.moveItem(atPath: temporary.path("mirror"), toPath: temporary.path("moved"))
        try temporary.makeFolder("mirror")
        try folder.write([1], to: "x")
        #expect(temporary.names() == ["mirror", "moved", "moved/x"])
    }

    @Test("Reading rejects long files, and anything that is not a regular file")
    func reading() throws {
        try folder.write([1, 2, 3], to: "x")
        #expect(try folder.read("x", limit: 3) == [1, 2, 3])
        #expect(throws: FileError.self) { try folder.read("x", limit: 2) }
        #expect(try #require(throws: FileError.self) { try folder.read("none") }.isMissing)
        let made = unsafe mkfifo(temporary.path("mirror/pipe"), 0o600)
        #expect(made == 0)
        #expect(throws: FileError.self) { try folder.read("pipe") }
        #expect(throws: FileError.self) { _ = try PartialFile("pipe", in: folder) }
        try folder.makeFolder("deep")
        #expect(throws: FileError.self) { try folder.read("deep") }
        #expect(try #require(throws: FileError.self) { try Folder(temporary.path("none")) }.isMissing)
    }

    @Test("Only leftovers are removed from a folder")
    func leftovers() throws {
        for name in ["a.jpg", "a.jpg.part", "b.part", "deep.part/c.part"] {
            try folder.makeFolder("deep.part")
            try folder.write([1], to: name)
        }
        #expect(try folder.removeLeftovers() == 2)
        #expect(try folder.names() == ["a.jpg", "deep.part"])
        #expect(try folder.removeLeftovers(in: "deep.part") { _ in true } == 1)
    }

    @Test("The write check leaves no files, and its error names the folder and the reason")
    func checkWritable() throws {
        try folder.checkWritable()
        #expect(try folder.names().isEmpty)
        #expect(try folder.freeBytes() > 0)
        // Not even root can create files there.
        let error = try #require(throws: FileError.self) { try Folder("/proc").checkWritable() }
        #expect(error.path == "/proc" && error.operation == "create a file in", "\(error)")
    }

    @Test("No descriptor leaks, and child processes inherit none")
    func descriptors() throws {
        let open = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") }
        try folder.makeFolder("a/b")
        let file = try NewFile("a/b/x", in: folder)
        let ownDescriptors = try open().filter {
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return path?.hasPrefix(temporary.path) == true
        }
        #expect(ownDescriptors.count == 2)
        for descriptor in ownDescriptors { #expect(fcntl(Int32(descriptor) ?? -1, F_GETFD) & FD_CLOEXEC != 0) }
        try file.finish()
        _ = try folder.names(in: "a/b")
        try folder.flush("a/b")
        let left = try open().count {
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return path?.hasPrefix(temporary.path) == true
        }
        #expect(left == 1)
    }
}

/// Texts for paths of any bytes.
@Suite("Path texts", .timeLimit(.minutes(10))) struct PathTextTests {
    private func bytes(_ text: String) -> [UInt8] {
        PathText.systemPath(text).dropLast().map { UInt8(bitPattern: $0) }
    }

    @Test(
        "Bytes that are not valid UTF-8, and those with a meaning in addresses, are escaped",
        arguments: [
            ([0x63, 0xE9], "c%E9"), ([0xC3, 0xA9, 0xC3], "é%C3"), ([0xED, 0xA0, 0x80], "%ED%A0%80"),
            ([0xF0, 0x9F, 0x98, 0xFF], "%F0%9F%98%FF"), (Array("5% ?#\n".utf8), "5%25 %3F%23%0A"), ([], ""),
        ] as [([UInt8], String)])
    func escaping(name: [UInt8], text: String) {
        #expect(PathText.escaped(name) == text)
        #expect(bytes("file:///\(PathText.escaped(name))") == [0x2F] + name)
    }

    @Test("Every name of two bytes is restored from its text")
    func allNames() {
        for first in UInt8(1)...255 {
            for second in UInt8(1)...255
            where bytes("file:///\(PathText.escaped([first, second]))") != [0x2F, first, second] {
                Issue.record("\(first) \(second)")
            }
        }
    }

    @Test(
        "Other texts are paths as they are",
        arguments: ["/a%E9", "a%E9", "file://a%E9", "file:/a%E9", "", "FILE:///%41"])
    func plain(text: String) {
        #expect(!PathText.isAddress(text) && bytes(text) == Array(text.utf8))
    }

    @Test("Malformed escapes stand for themselves, and no text contains a zero byte")
    func malformed() {
        #expect(bytes("file:///%4") == Array("/%4".utf8))
        #expect(bytes("file:///%+1%zz%") == Array("/%+1%zz%".utf8))
        #expect(bytes("file:///a%00b") == Array("/a%b".utf8))
    }
}

@Suite("RecentFolders", .timeLimit(.minutes(10))) struct RecentFoldersTests {
    let temporary: TemporaryFolder
    let folder: Folder

    init() throws {
        temporary = TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    @Test("Files of any number of subfolders are found, and names that lead outside are refused")
    func parents() throws {
        for number in 0..<20 {
            try folder.makeFolder("a/\(number)")
            try folder.write([UInt8](repeating: 0, count: number), to: "a/\(number)/x")
        }
        var recent = RecentFolders(below: folder)
        for number in Array(0..<20) + Array(0..<20) {
            let (parent, name) = try recent.parent(of: "a/\(number)/x")
            #expect(name == "x" && parent.size(of: name) == number)
        }
        let (parent, name) = try recent.parent(of: "x")
        #expect(parent === folder && name == "x")
        let missing = #expect(throws: FileError.self) { try recent.parent(of: "b/x") }
        #expect(missing?.isMissing == true)
        #expect(throws: FileError.self) { try recent.parent(of: "../x") }
        for name in ["/etc/passwd", "/x", "a/0/..", "a/"] {
            let found = try? recent.parent(of: name)
            #expect(found.flatMap { $0.folder.size(of: $0.name) } == nil, "\(name)")
        }
    }

    @Test("Many files are moved and linked to new and to existing folders")
    func moving() throws {
        try folder.makeFolder("partial")
        var recent = RecentFolders(below: folder)
        for number in 0..<40 {
            let name = "to/\(number % 8)/\(number)"
            let staged = try folder.stage([UInt8(number)], as: name, temporary: "partial/\(number)", flushed: false)
            try folder.moveIntoPlace(staged, using: &recent)
            try folder.moveIntoPlace(
                StagedFile(temporary: "partial/copy", name: "copies/\(name)", copyOf: name), using: &recent)
        }
        for number in 0..<40 {
            for prefix in ["to", "copies/to"] {
                #expect(try folder.read("\(prefix)/\(number % 8)/\(number)") == [UInt8(number)])
            }
        }
        #expect(try folder.names(in: "partial") == [])
    }
}

@Suite("Linux kernel", .timeLimit(.minutes(10))) struct LinuxKernelTests {
    @Test(
        "The version of a release is compared by its numbers",
        arguments: [
            ("5.8.0", true), ("5.10.0-28-amd64", true), ("6.1", true), ("10.0.1", true), ("5.7.19", false),
            ("4.19.0-26-amd64", false), ("5.4.0-150-generic", false), ("6", false), ("", false), ("x.y", false),
        ])
    func releases(_ release: String, isNewer: Bool) {
        #expect(LinuxKernel.isAtLeast((5, 8), release: release) == isNewer)
    }
}
