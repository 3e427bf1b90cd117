// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@Suite("FileWalker", .timeLimit(.minutes(10))) struct FileWalkerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
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
