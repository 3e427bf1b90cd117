// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Exports that are interrupted; `Transcripts/export.txt` has the others.
@Suite("export", .timeLimit(.minutes(10))) struct ExportTests {
    private let folder = TemporaryFolder()

    init() throws {
        let words = ["--pages=1", "--per-page=5", "--variant=thumb", "--sizes=64", "-o", "m"]
        try Binary.run(["mirror", "demo"] + words, folder: folder.url).require()
    }

    private func export(_ out: String, _ more: String...) throws -> Binary.Result {
        try Binary.run(["export", "m", "-o", out] + more, folder: folder.url)
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
            let next = try Binary.run(arguments).expect()
            #expect(try Tree(of: out) == whole, "\(call) \(number): \(next.err)")
        }
        #expect(kills > 0)
    }

    @Test(
        "Finished shards are kept, and are written again if the mirror has changed",
        .enabled(if: Strace.isPermitted, "strace is missing or not permitted"))
    func kept() throws {
        #expect(try export("whole", "--shard-items", "2").code == 0)
        let whole = try Tree(of: folder.path("whole"))
        try interrupt("out")
        let first = try inode(of: "out/00000.tar")
        try export("out", "--shard-items", "2").expect(
            err: "5 photos in 3 shards, ", "; 1 of them was finished before")
        #expect(try Tree(of: folder.path("out")) == whole)
        #expect(try inode(of: "out/00000.tar") == first)

        try interrupt("changed")
        let photo = try #require(folder.names().first { $0.hasPrefix("m/originals/") })
        try folder.remove(photo)
        try export("changed", "--shard-items", "2").expect(7, err: "4 photos in 2 shards, ")
        #expect(try export("expected", "--shard-items", "2").code == 7)
        #expect(try Tree(of: folder.path("changed")) == Tree(of: folder.path("expected")))
    }

    /// A complete export that was repeated "is not empty".
    @Test(
        "A complete export that is repeated stays as it is; of its shards, damaged and outdated ones are written again",
        arguments: ["webdataset", "img2dataset", "folder"])
    func repeated(layout: String) throws {
        let options = ["--layout", layout, "--shard-items", "2"]
        let main = ["webdataset": "00001.tar", "img2dataset": "00001.tar", "folder": "00001/metadata.parquet"][layout]
        func export(_ out: String) throws -> Binary.Result {
            try Binary.run(["export", "m", "-o", out] + options, folder: folder.url)
        }
        try export("out").expect()
        let whole = try Tree(of: folder.path("out"))
        let first = try inode(of: "out/\(try #require(main))")
        try export("out").expect(err: "5 photos in 3 shards, ", "; 3 of them were finished before")
        #expect(try Tree(of: folder.path("out")) == whole && inode(of: "out/\(try #require(main))") == first)

        for name in whole.names where name.hasPrefix("00002") {
            try folder.remove("out/\(name)")
            try export("out").expect(err: "; 2 of them were finished before")
            #expect(try Tree(of: folder.path("out")) == whole, "\(name)")
        }
        let last = try #require(folder.names().last { $0.hasPrefix("m/originals/") })
        try folder.remove(last)
        try export("out").expect(7, err: "4 photos in ")
        try export("expected").expect(7)
        #expect(try Tree(of: folder.path("out")) == Tree(of: folder.path("expected")))
    }

    @Test(
        "An unfinished export with other options is refused and stays as it is",
        .enabled(if: Strace.isPermitted, "strace is missing or not permitted"))
    func otherOptions() throws {
        try interrupt("out")
        let before = try Tree(of: folder.path("out"))
        try export("out", "--shard-items", "3").expect(
            2, err: "it has an export of another mirror or with other options")
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
        try Binary.run(arguments, folder: folder.url).expect(5)
        try disk.remount("size=16m")
        try Binary.run(arguments, folder: folder.url).expect(err: "was finished before")
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

/// `export --stratify`.
@Suite("Stratified splits", .timeLimit(.minutes(10))) struct StratifiedExportTests {
    private let folder = TemporaryFolder()

    /// Mirrors 24 photos with the labels a, a, b, a, a, b, ...; the last has none.
    init() throws {
        let pictures = try DemoPictures(24, in: folder)
        try folder.makeFolder("in")
        var list = ""
        let server = try RawServer(pictures.replies)
        for number in 0..<24 {
            let label = number == 23 ? "" : #","label":"\#(number % 3 == 2 ? "b" : "a")""#
            list += #"{"url":"\#(server.url(DemoPictures.path(number)))"\#(label)}"# + "\n"
            guard number == 17 || number == 23 else { continue }
            try folder.write(list, to: "list.jsonl")
            try Binary.run(
                [
                    "mirror", "list.jsonl", "-o", number == 17 ? "first" : "all", "--sizes", "64", "--allow-private",
                    "--no-robots", "--allow-port", "\(server.port)",
                ], folder: folder.url
            ).require()
        }
    }

    /// Exports a mirror, and returns the split of each photo by its position.
    private func splits(
        _ mirror: String, _ out: String, by field: String = "columns.label", _ more: String...
    ) throws -> [String: String] {
        let words = ["--split", "train:2,test:1", "--stratify", field, "--layout", "folder"]
        try Binary.run(["export", mirror, "-o", out] + words + more, folder: folder.url).expect()
        let names = try Tree(of: folder.path(out)).names.filter { $0.hasSuffix(".jpg") }.map {
            $0.split(separator: "/")
        }
        return Dictionary(uniqueKeysWithValues: names.map { (String($0[2].dropLast(4)), String($0[0])) })
    }

    @Test("Each value has the shares of the splits, and added photos, order and conditions change no photo's split")
    func shares() throws {
        let first = try splits("first", "x")
        let all = try splits("all", "y")
        #expect(first.count == 18 && all.count == 24)
        #expect(first.allSatisfy { all[$0.key] == $0.value })
        func tests(_ isWanted: (Int) -> Bool) -> Int {
            all.count { isWanted((Int($0.key) ?? 0) - 1) && $0.value == "test" }
        }
        // 16 photos have the label a, 7 have b.
        #expect(
            (4...7).contains(tests { $0 % 3 != 2 && $0 != 23 }) && (1...4).contains(tests { $0 % 3 == 2 && $0 != 23 }))
        #expect(try splits("all", "z", "--shuffle", "3") == all)
        let some = try splits("all", "w", "--where", "columns.label==b")
        #expect(some.count == 7 && some.allSatisfy { all[$0.key] == $0.value })
        #expect(try splits("all", "v") == all)
        #expect(try Tree(of: folder.path("v")) == Tree(of: folder.path("y")))
    }

    @Test("Identical photos stay in one split with --cluster-distance")
    func clusters() throws {
        let pictures = try Tree(of: folder.path("demo")).filtered { $0.hasPrefix("thumbs/") }
        for number in 0..<8 {
            let picture = pictures.names[number < 6 ? 0 : number]
            try folder.write(pictures.files[picture] ?? Data(), to: "in/\(number).jpg")
        }
        try Binary.run(["mirror", "in/", "-o", "copies", "--sizes", "64"], folder: folder.url).require()
        let apart = try splits("copies", "x", by: "author")
        let together = try splits("copies", "y", by: "author", "--cluster-distance", "0")
        func copies(_ splits: [String: String]) -> Set<String> {
            Set(splits.filter { $0.key <= "000000006" }.values)
        }
        #expect(together.count == 8 && copies(apart).count == 2 && copies(together).count == 1)
    }

    @Test("Unknown columns are refused, and an export without photos is no success")
    func nothing() throws {
        func export(_ words: String...) throws -> Binary.Result {
            try Binary.run(["export", "all", "-o", "nothing"] + words, folder: folder.url)
        }
        try export("--where", "columns.labels==a").expect(2, err: "the column 'labels'", "did you mean label?")
        try export("--stratify", "columns.labels", "--split", "a:1,b:1").expect(2, err: "the column 'labels'")
        try export("--where", "columns.label==z").expect(3, err: "no finished photo that meets the options")
        try Binary.run(
            ["mirror", "demo", "--pages", "1", "--per-page", "2", "--sizes", "none", "-o", "plain"], folder: folder.url
        ).require()
        try Binary.run(["export", "plain", "-o", "none", "--size", "256"], folder: folder.url).expect(
            2, err: "no thumbnail has the size 256; it has no thumbnails")
        try Binary.run(
            ["mirror", "demo", "--pages", "1", "--filter", "author==nobody", "-o", "empty"], folder: folder.url
        ).expect(3, err: "no photo is selected of the")
    }
}
