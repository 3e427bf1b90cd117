// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceFiles

@Suite("FileWalker", .timeLimit(.minutes(10))) struct FileWalkerTests {
    private let folder = TemporaryFolder()

    init() throws {
        for name in [
            "b/z.jpg", "b/a.jpg", "b/.hidden.jpg", "b/.git/x.jpg", "b/sub/c.jpg", "a.jpg", "m/.sluice/l", "m/t.jpg",
        ] {
            let url = folder.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(name.utf8).write(to: url)
        }
        for (link, target) in [("b/link.jpg", "../a.jpg"), ("b/loop", "."), ("named.jpg", "a.jpg"), ("linked", "b")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(link), withDestinationPath: target)
        }
    }

    private func walk(_ paths: [String]) -> [FileWalker.File] {
        var walk = FileWalker(paths)
        var files: [FileWalker.File] = []
        while let file = walk.next() { files.append(file) }
        return files
    }

    @Test(
        "Paths keep their order, folders are sorted, and hidden names, links and mirrors are skipped",
        arguments: [
            (["b"], ["a.jpg", "sub/c.jpg", "z.jpg"]),
            (["b/"], ["a.jpg", "sub/c.jpg", "z.jpg"]),
            (["b", "./b", "b//"], ["a.jpg", "sub/c.jpg", "z.jpg"]),
            (["a.jpg", "b/sub"], ["a.jpg", "c.jpg"]),
            (["b/sub", "a.jpg"], ["c.jpg", "a.jpg"]),
            (["."], ["a.jpg", "b/a.jpg", "b/sub/c.jpg", "b/z.jpg"]),
            (["linked"], ["a.jpg", "sub/c.jpg", "z.jpg"]),
            (["named.jpg", "b/.hidden.jpg"], ["named.jpg", ".hidden.jpg"]),
            (["nothing-there.jpg"], ["nothing-there.jpg"]),
            (["m"], ["t.jpg"]),
            ([], []),
        ])
    func order(_ paths: [String], relative: [String]) {
        // Joined as strings, because URL would normalize them.
        #expect(walk(paths.map { "\(folder.path)/\($0)" }).map(\.relative) == relative)
    }

    @Test("Each path can be opened, and named files are marked as named")
    func paths() throws {
        for file in walk([folder.path("b"), folder.path("a.jpg")]) {
            #expect(FileManager.default.fileExists(atPath: file.path))
            #expect(file.isNamed == (file.path == folder.path("a.jpg")))
        }
    }

    @Test("Modification times are read on request")
    func times() {
        #expect(walk([folder.path("b")]).allSatisfy { $0.modificationTime == nil })
        var walk = FileWalker([folder.path("b")], readsTimes: true)
        var times: [Int?] = []
        while let file = walk.next() { times.append(file.modificationTime) }
        #expect(times.count == 3 && times.allSatisfy { $0 != nil })
    }
}

@Suite("ZIP files", .timeLimit(.minutes(10))) struct ZipFileTests {
    private let temporary = TemporaryFolder()
    private let folder: Folder

    init() throws {
        folder = try Folder(temporary.path)
    }

    private func write(_ name: String, limit: Int = ZipFile.largest) throws {
        var zip = ZipFile(try NewFile(name, in: folder), limit: limit)
        try zip.begin("a/empty")
        try zip.begin("a/ä.txt")
        try zip.write(Array("one, ".utf8))
        try zip.write(Array("two".utf8))
        try zip.begin("b")
        try zip.write([UInt8](repeating: 7, count: 100_000))
        try zip.finish().finish()
    }

    /// With a limit of 9, the sizes, places and numbers above it are written in the fields of ZIP64.
    @Test("Python reads the members, also with the fields of large files", arguments: [ZipFile.largest, 9, -1])
    func read(limit: Int) throws {
        try write("x.zip", limit: limit)
        let output = try PythonPackages.run(
            """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as file:
                assert file.testzip() is None
                assert all(m.compress_type == 0 and m.date_time == (1980, 1, 1, 0, 0, 0) for m in file.infolist())
                assert file.read('b') == bytes([7]) * 100000
                print(file.namelist(), file.read('a/ä.txt').decode(), len(file.read('a/empty')))
            """, [temporary.path("x.zip")])
        #expect(output == "['a/empty', 'a/ä.txt', 'b'] one, two 0\n")
    }

    @Test("The same members give the same bytes, and an unfinished file disappears")
    func deterministic() throws {
        try write("x.zip")
        try write("y.zip")
        #expect(try folder.read("x.zip") == folder.read("y.zip"))
        do {
            var zip = ZipFile(try NewFile("z.zip", in: folder))
            try zip.begin("a")
        }
        #expect(temporary.names() == ["x.zip", "y.zip"])
    }
}
