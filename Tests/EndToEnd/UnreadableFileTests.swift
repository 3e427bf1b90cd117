// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// A disk that cannot read a file for a moment: no command may take the file's photo for lost or damaged.
    ///
    /// `Scripts/crash-test unreadable` tries every read of every command.
    @Suite(
        "Unreadable files", .timeLimit(.minutes(10)), .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"))
    struct UnreadableFileTests {
        private static let library = Result { try PreloadedLibrary("lacking_system.c") }
        private static let photos = ["a", "b", "c"]
        private static let mirroring = ["mirror", "in", "--out", "m", "--sizes", "32", "--json"]

        private let folder = TemporaryFolder()

        init() throws {
            for (number, name) in Self.photos.enumerated() {
                let picture = try BadCodec.picture(width: 96, shade: number * 40)
                try folder.write(picture, to: "in/\(name).jpg")
            }
        }

        /// Runs the command; all reads of the file at the end of a path fail.
        private func run(_ words: [String], unreadable file: String? = nil) throws -> Binary.Result {
            var environment = try Self.library.get().environment
            environment["UNREADABLE_FILE"] = file
            return try Running(words, environment: environment, folder: folder.url).end()
        }

        private func require(_ words: [String]) throws {
            try run(words).require()
        }

        private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

        /// The name of a mirror's second original.
        private func original() throws -> String {
            let names = try Tree(of: folder.path("m")).names.filter { $0.hasPrefix("originals/") }
            return try #require(names.sorted().dropFirst().first)
        }

        /// Such a photo was skipped like a text file, and the run succeeded without it.
        @Test(
            "Thumbnails of an unreadable file fail by name, and the next run makes them",
            arguments: [[], ["--isolate"]])
        func thumbs(options: [String]) throws {
            let words = ["thumbs", "in", "--sizes", "32", "--json"] + options
            try require(words + ["--out", "wanted"])
            let first = try run(words + ["--out", "m"], unreadable: "in/b.jpg")
            let events = try RunEvent.all(in: first.out)
            #expect(first.code == 3 && events.ended("done") == [1, 3] && events.ended("failed") == [2], "\(first)")
            #expect(events.compactMap { $0[text: "cause"] } == ["disk"])
            try require(words + ["--out", "m"])
            #expect(try bytes("m/manifest.jsonl") == bytes("wanted/manifest.jsonl"))
        }

        /// The new ledger and the manifest lost such a photo.
        @Test("A rebuild that cannot read a file fails, and changes neither the ledger nor the manifest")
        func rebuild() throws {
            try require(Self.mirroring)
            let before = try Tree(of: folder.path("m"))
            let rebuilding = ["gallery", "m", "--rebuild", "--force"]
            let result = try run(rebuilding, unreadable: try original())
            #expect(result.code == 5 && result.out.isEmpty, "\(result)")
            let lines = result.err.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].hasSuffix("Input/output error"), "\(lines)")
            #expect(lines.first?.hasPrefix("sluice: cannot rebuild the ledger: cannot read ") == true, "\(lines)")
            #expect(try Tree(of: folder.path("m")) == before)
            try require(rebuilding)
            #expect(try Tree(of: folder.path("m")).visible == before.visible)
        }

        /// The gallery then lacked the command that repeats the run.
        @Test("A rebuild after one that was killed between two names still knows the recorded runs")
        func interruptedRebuild() throws {
            try require(Self.mirroring)
            let before = try Tree(of: folder.path("m")).visible
            let ledger = folder.path("m/.sluice/ledger.sqlite")
            try FileManager.default.moveItem(atPath: ledger, toPath: "\(ledger).1")
            try require(["gallery", "m", "--rebuild"])
            #expect(try Tree(of: folder.path("m")).visible == before)
        }

        /// Such a photo was left out of the shards.
        @Test(
            "An export that cannot read or convert a file fails, and can be continued",
            arguments: [[], ["--recode", "webp"]])
        func export(options: [String]) throws {
            try require(Self.mirroring)
            let words = ["export", "m", "--shard-items", "1"] + options
            try require(words + ["--out", "wanted"])
            try run(words + ["--out", "shards"], unreadable: try original()).expect(5, err: "Input/output error")
            try require(words + ["--out", "shards"])
            #expect(try Tree(of: folder.path("shards")).visible == Tree(of: folder.path("wanted")).visible)
        }

        @Test("Adopting an unreadable file fails, and the next adoption imports it")
        func adopt() throws {
            let list = Self.photos.map { "http://example.com/\($0).jpg" }.joined(separator: "\n")
            try folder.write(list, to: "list.txt")
            let words = ["adopt", "in", "list.txt", "--out", "m", "--sizes", "32", "--json"]
            let first = try run(words, unreadable: "in/b.jpg")
            let events = try RunEvent.all(in: first.out)
            #expect(first.code == 3 && events.ended("done") == [1, 3] && events.ended("failed") == [2], "\(first)")
            let second = try run(words)
            #expect(try second.code == 0 && RunEvent.all(in: second.out).ended("done") == [2], "\(second)")
        }

        @Test("A repair that cannot read a file changes nothing that the next repair would miss")
        func repair() throws {
            try require(Self.mirroring)
            let before = try Tree(of: folder.path("m")).visible
            let result = try run(["verify", "m", "--repair"], unreadable: try original())
            #expect([0, 3, 5, 7].contains(result.code), "\(result)")
            try require(["verify", "m", "--repair"])
            #expect(try Tree(of: folder.path("m")).visible == before)
        }

        @Test("Merging duplicates leaves an unreadable file as it is, and says so")
        func merge() throws {
            try FileManager.default.copyItem(atPath: folder.path("in/a.jpg"), toPath: folder.path("in/d.jpg"))
            try require(Self.mirroring + ["--name", "{seq}"])
            // Replaces the shared file by one of its own.
            let copy = folder.path("m/originals/4.jpg")
            let data = try bytes("m/originals/4.jpg")
            try FileManager.default.removeItem(atPath: copy)
            try data.write(to: URL(filePath: copy))
            try run(["duplicates", "m", "--merge"], unreadable: "originals/1.jpg").expect(
                err: "; 1 file cannot be merged")
            try run(["duplicates", "m", "--merge"]).expect(err: "merged 1 file, ")
        }
    }
}
