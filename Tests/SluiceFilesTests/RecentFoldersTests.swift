// SPDX-License-Identifier: MIT

import SluiceFiles
import TestSupport
import Testing

@Suite("RecentFolders", .timeLimit(.minutes(10))) struct RecentFoldersTests {
    let temporary: TemporaryFolder
    let folder: Folder

    init() throws {
        temporary = try TemporaryFolder()
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
