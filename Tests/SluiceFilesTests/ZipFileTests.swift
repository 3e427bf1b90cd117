// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceFiles

@Suite("ZIP files", .timeLimit(.minutes(10))) struct ZipFileTests {
    private let temporary: TemporaryFolder
    private let folder: Folder

    init() throws {
        temporary = try TemporaryFolder()
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
