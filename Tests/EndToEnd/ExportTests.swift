// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Reads exported shards with `tar`.
@Suite("export", .timeLimit(.minutes(10))) struct ExportTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let words = ["--pages=1", "--per-page=5", "--variant=thumb", "--sizes=64", "-o", "m"]
        let result = try Binary.run(["mirror", "demo"] + words, folder: folder.url)
        try #require(result.code == 0, "\(result.err)")
    }

    private func export(_ out: String, _ more: String...) throws -> Binary.Result {
        try Binary.run(["export", "m", "-o", out] + more, folder: folder.url)
    }

    private func tar(_ words: String) throws -> Binary.Result {
        try Binary.shell("tar \(words)", folder: folder.url)
    }

    @Test("A photo's members are adjacent, match the mirror's files, and have keys without dots")
    func members() throws {
        let result = try export("shards")
        #expect(result.code == 0 && result.err.hasPrefix("5 photos in 1 shard, "), "\(result.err)")
        let names = try tar("-tf shards/00000.tar").out.split(separator: "\n").map(String.init)
        #expect(names == (1...5).flatMap { ["00000000\($0).jpg", "00000000\($0).json", "00000000\($0).txt"] })
        #expect(try tar("-xf shards/00000.tar").code == 0)
        let lines = try Tree(of: folder.path("m")).text("manifest.jsonl").split(separator: "\n")
        for (index, line) in lines.enumerated() {
            let key = "00000000\(index + 1)"
            #expect(try folder.bytes(of: "\(key).json") == Array("\(line)\n".utf8))
            let event = try RunEvent(line)
            let file = try #require(event[text: "file"])
            #expect(try folder.bytes(of: "\(key).jpg") == folder.bytes(of: "m/\(file)"))
            #expect(try String(decoding: folder.bytes(of: "\(key).txt"), as: UTF8.self) == event[text: "caption"])
        }
    }

    @Test("The same mirror exports the same bytes, and a full shard starts the next one")
    func shards() throws {
        for name in ["a", "b"] { #expect(try export(name).code == 0) }
        #expect(try Tree(of: folder.path("a")) == Tree(of: folder.path("b")))
        #expect(try export("c", "--shard-items", "2").err.hasPrefix("5 photos in 3 shards"))
        #expect(try Tree(of: folder.path("c")).names == ["00000.tar", "00001.tar", "00002.tar"])
        #expect(try export("d", "--shard-bytes", "1").err.hasPrefix("5 photos in 5 shards"))
        let small = try export("e", "--size", "64")
        #expect(small.code == 0)
        #expect(try tar("-tf e/00000.tar").out.contains("000000005.jpg"))
        let none = try export("f", "--size", "9")
        #expect(none.code == 2 && none.err.contains("no thumbnail has the size 9; the sizes are 64"), "\(none.err)")
        try FileManager.default.createDirectory(atPath: folder.path("t"), withIntermediateDirectories: false)
        _ = try Binary.run(["thumbs", "m/originals", "--out", "t/s", "--sizes", "64"], folder: folder.url)
        let thumbs = try Binary.run(["export", "t/s", "--out", "g"], folder: folder.url)
        #expect(
            thumbs.code == 2 && thumbs.err.contains("it has no originals\nhint: export its thumbnails with --size 64"))
        #expect(!folder.names().contains("f"))
    }

    @Test("A missing or truncated file is left out and reported, and existing output is not overwritten")
    func broken() throws {
        let names = try Tree(of: folder.path("m")).names.filter { $0.hasPrefix("originals/") }
        try FileManager.default.removeItem(atPath: folder.path("m/\(names[1])"))
        try Data("x".utf8).write(to: folder.url.appending(path: "m/\(names[3])"))
        let result = try export("shards")
        #expect(
            result.code == 7 && result.err.contains("'\(names[1])': the file is missing")
                && result.err.contains("3 photos in 1 shard"))
        #expect(try export("shards").code == 2)
        #expect(try Binary.run(["export", "m"], folder: folder.url).code == 2)
    }

    /// An export that was killed, or met a full disk, could not be continued: its folder "is not empty".
    @Test(
        "An export that is killed at any step is continued by the same command, with the same bytes",
        .enabled(if: Strace.isPermitted, "strace is missing or not permitted"),
        arguments: ["renameat", "unlinkat", "fsync"])
    func killed(call: String) throws {
        #expect(try export("whole", "--shard-items", "2").code == 0)
        let whole = try Tree(of: folder.path("whole"))
        let mirror = folder.path("m")
        var kills = 0
        for number in 1... {
            let out = folder.path("out\(number)")
            let arguments = ["export", mirror, "-o", out, "--shard-items", "2"]
            let result = try Strace.run(arguments, killingAt: call, when: "\(number)")
            if result.code == 0 { break }
            kills += 1
            let next = try Binary.run(arguments)
            // A kill at the last steps leaves a complete export.
            if next.code != 0 { #expect(next.err.contains("it is not empty"), "\(call) \(number): \(next.err)") }
            #expect(try Tree(of: out) == whole, "\(call) \(number): \(next.err)")
        }
        #expect(kills > 1)
    }

    @Test(
        "Finished shards are kept, and are written again if the mirror has changed",
        .enabled(if: Strace.isPermitted, "strace is missing or not permitted"))
    func kept() throws {
        #expect(try export("whole", "--shard-items", "2").code == 0)
        let whole = try Tree(of: folder.path("whole"))
        try interrupt("out")
        let first = try inode(of: "out/00000.tar")
        let result = try export("out", "--shard-items", "2")
        #expect(result.code == 0 && result.err.contains("5 photos in 3 shards, "), "\(result.err)")
        #expect(result.err.contains("; 1 of them were finished before"), "\(result.err)")
        #expect(try Tree(of: folder.path("out")) == whole)
        #expect(try inode(of: "out/00000.tar") == first)

        try interrupt("changed")
        let photo = try #require(folder.names().first { $0.hasPrefix("m/originals/") })
        try FileManager.default.removeItem(atPath: folder.path(photo))
        let other = try export("changed", "--shard-items", "2")
        #expect(other.code == 7 && other.err.contains("4 photos in 2 shards, "), "\(other.err)")
        #expect(try export("expected", "--shard-items", "2").code == 7)
        #expect(try Tree(of: folder.path("changed")) == Tree(of: folder.path("expected")))
    }

    @Test(
        "An unfinished export with other options is refused and stays as it is",
        .enabled(if: Strace.isPermitted, "strace is missing or not permitted"))
    func otherOptions() throws {
        try interrupt("out")
        let before = try Tree(of: folder.path("out"))
        let result = try export("out", "--shard-items", "3")
        #expect(result.code == 2 && result.err.contains("unfinished export of another mirror or with other options"))
        #expect(try Tree(of: folder.path("out")) == before)
    }

    @Test(
        "An export that met a full disk continues once there is space",
        .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"))
    func fullDisk() throws {
        #expect(try export("whole", "--shard-items", "1").code == 0)
        let whole = try Tree(of: folder.path("whole"))
        let size = whole.files.values.reduce(0) { $0 + $1.count }
        let disk = try SmallDisk(kilobytes: size / 2048)
        let arguments = ["export", "m", "-o", "\(disk.path)/out", "--shard-items", "1"]
        let result = try Binary.run(arguments, folder: folder.url)
        #expect(result.code == 5, "\(result.err)")
        try disk.remount("size=16m")
        let next = try Binary.run(arguments, folder: folder.url)
        #expect(next.code == 0 && next.err.contains("were finished before"), "\(next.err)")
        #expect(try Tree(of: "\(disk.path)/out") == whole)
    }

    private func inode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
        return try #require(attributes[.systemFileNumber] as? Int)
    }

    /// Leaves an export that was killed when its second shard of three had its name, but was not recorded yet.
    ///
    /// The third was written then. Threads are counted apart: this is the fourth rename of the one that writes.
    private func interrupt(_ out: String) throws {
        let arguments = ["export", folder.path("m"), "-o", folder.path(out), "--shard-items", "2"]
        #expect(try Strace.run(arguments, killingAt: "renameat", when: "4").code != 0)
        let names = try Tree(of: folder.path(out)).names
        let record = ".sluice-export.json"
        #expect(names == [record, "\(record).part", "00000.tar", "00001.tar", "00002.tar.part"])
    }
}
