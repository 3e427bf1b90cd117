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
        #expect(try export("f", "--size", "9").err.hasPrefix("0 photos in 0 shards"))
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
}
