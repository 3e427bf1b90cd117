// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `work --layout`: shards that are pieces of a dataset.
@Suite("Shards of datasets", .timeLimit(.minutes(10))) struct DatasetShardTests {
    private let folder = TemporaryFolder()
    private let server: RawServer
    private let given: String

    /// Plans ten photos in three shards, of which the fourth is missing; a column of the list is whole only in the
    /// first photos, and another one is in the last photo alone.
    init() throws {
        var replies = try DemoPictures(10, in: folder).replies
        replies[DemoPictures.path(3)] = nil
        server = try RawServer(replies)
        given = "--allow-private --no-robots --allow-port \(server.port)"
        let lines = (0..<10).map { number in
            let more = number < 9 ? #""score":\#(number < 5 ? "\(number)" : "0.\(number)")"# : #""last":true"#
            let caption = number % 2 == 0 ? #","caption":"photo \#(number)""# : ""
            return #"{"url":"\#(server.url(DemoPictures.path(number)))",\#(more)\#(caption)}"#
        }
        try folder.write(lines.joined(separator: "\n"), to: "list.jsonl")
        let words = "--sizes 64 --per-host 3 --shards 3 --retries 0"
        for plan in ["plan", "mirrored"] {
            try run("plan list.jsonl \(words) \(given) -o \(plan)").require()
        }
    }

    private func run(_ line: String) throws -> Binary.Result {
        try Binary.shell("sluice \(line)", folder: folder.url)
    }

    private func work(_ shard: Int, _ more: String, into out: String = "data") throws -> Binary.Result {
        try run("work plan --shard \(shard) -o \(out) \(given) \(more)")
    }

    /// Merges the plan into a mirror, and exports that.
    private func exportMirror(_ more: String) throws {
        for shard in 0..<3 { #expect(try run("work mirrored --shard \(shard) -o m \(given)").code == 0) }
        #expect(try run("merge mirrored -o m \(given)").code == 0)
        #expect(try run("export m -o export \(more)").code == 0)
    }

    /// The files that a reader of the dataset sees.
    private func visible(_ name: String) throws -> Tree { try Tree(of: folder.path(name)).visible }

    private func show(_ script: String) throws -> [String] {
        let output = try PythonPackages.run("def show(*values): print('>', *values)\n" + script, in: folder.url)
        return output.split(separator: "\n").filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
    }

    @Test(
        "The tar files of shards have the samples of a merged and exported mirror, and the list of pieces names them",
        .enabled(if: PythonPackages.hasDatasets, "Scripts/setup --tests installs the Python packages"))
    func tars() throws {
        let options = "--layout webdataset --shard-items 2"
        try work(1, options).expect(err: "committed shard 1")
        let early = try run("merge plan -o data \(given)").expect(3, err: "2 of 3 shards are missing")
        let commands = early.out.split(separator: "\n").map(String.init)
        #expect(commands.count == 2 && commands[0].hasPrefix("sluice work plan --shard 0 --out data --layout"))
        #expect(try visible("data").names.allSatisfy { !$0.hasSuffix(".json") })
        for command in commands { #expect(try Binary.shell(command, folder: folder.url).code == 0) }
        #expect(try work(1, options).err.contains("already committed"))
        try run("merge plan -o data --layout parquet \(given)").expect(2, err: "the shards have the options")
        let merged = try run("merge plan -o data --deep \(options) \(given)")
        #expect(merged.code == 0 && merged.err.hasPrefix("dataset of 9 photos in 6 files, "), "\(merged.err)")
        let again = try visible("data")
        #expect(try run("merge plan -o data --deep \(given)").code == 0)
        #expect(try visible("data") == again && !folder.names().contains("data/.sluice/shards"))
        try exportMirror(options)
        let output = try show(
            """
            import glob, hashlib, json, webdataset
            def samples(pattern):
                found = list(webdataset.WebDataset(sorted(glob.glob(pattern)), shardshuffle=False))
                return {s["__key__"]: {k: v for k, v in s.items() if not k.startswith("__")} for s in found}
            direct, exported = samples("data/*.tar"), samples("export/*.tar")
            show(len(direct), direct == exported, sorted(direct)[2:4])
            summary = json.load(open("data/dataset.json"))
            show([summary[name] for name in ["rows", "done", "failed", "samples", "pieces", "missing", "causes"]])
            lines = open("data/shards.jsonl", "rb").read()
            show(hashlib.sha256(lines).hexdigest() == summary["shards_sha256"])
            files = [file for line in lines.splitlines() for file in json.loads(line)["files"]]
            show(all(hashlib.sha256(open("data/" + f["file"], "rb").read()).hexdigest() == f["sha256"] for f in files))
            names = sorted(glob.glob("data/*.tar") + glob.glob("data/manifests/*"))
            show(sorted("data/" + file["file"] for file in files) == names, len(names))
            """)
        #expect(
            output == [
                "9 True ['000000003', '000000005']", "[10, 9, 1, 9, 6, [], {'http-404': 1}]", "True", "True", "True 9",
            ])
        // The manifests of all shards are that of the mirror.
        let lines = try Binary.shell("zstd -dcq data/manifests/*.zst | sort", folder: folder.url).out
        #expect(try lines == Binary.shell("sort m/manifest.jsonl", folder: folder.url).out)
    }

    @Test(
        "The tables of shards have one schema, and the rows of a merged and exported mirror",
        .enabled(if: PythonPackages.hasDatasets, "Scripts/setup --tests installs the Python packages"))
    func tables() throws {
        for shard in 0..<3 {
            try work(shard, "--layout parquet").expect()
        }
        #expect(try run("merge plan -o data \(given)").code == 0)
        try exportMirror("--layout parquet")
        let output = try show(
            """
            import datasets, glob, pyarrow.parquet
            def rows(pattern):
                tables = [pyarrow.parquet.read_table(path) for path in sorted(glob.glob(pattern))]
                rows = [row for table in tables for row in table.to_pylist()]
                # The time of the download; a merged mirror has that of the merge.
                for row in rows: assert row.pop("fetched")
                return tables, sorted(rows, key=lambda row: row["seq"])
            direct, exported = rows("data/*.parquet"), rows("export/*.parquet")
            show(len(direct[0]), all(table.schema == exported[0][0].schema for table in direct[0]))
            show(len(direct[1]), direct[1] == exported[1], exported[0][0].schema.field("score").type)
            data = datasets.load_dataset("parquet", data_files="data/*.parquet", split="train")
            show(len(data), data[0]["image"].size == (data[0]["width"], data[0]["height"]), data.features["last"].dtype)
            """)
        #expect(output == ["3 True", "9 True double", "9 True bool"])
    }

    @Test(
        "An attempt that is killed anywhere is continued with the same files",
        .enabled(if: Strace.isPermitted, "strace is missing or not permitted"))
    func killed() throws {
        let words =
            ["--shard", "0", "--layout", "webdataset", "--shard-items", "2"]
            + given.split(separator: " ").map(String.init)
        func work(_ name: String) -> [String] {
            ["work", folder.path("plan-\(name)"), "-o", folder.path("data-\(name)")] + words
        }
        func copyPlan(_ name: String) throws {
            try FileManager.default.copyItem(atPath: folder.path("plan"), toPath: folder.path("plan-\(name)"))
        }
        try copyPlan("whole")
        #expect(try Binary.run(work("whole")).code == 0)
        let whole = try visible("data-whole")
        #expect(whole.names.contains("00000-00000.tar"))
        var kills = 0
        for (call, numbers) in [("linkat", Array(1...6)), ("unlinkat", [1, 4, 8, 16, 24]), ("renameat", [2, 6, 10])] {
            for number in numbers {
                let name = "\(call)-\(number)"
                try copyPlan(name)
                guard try Strace.run(work(name), killingAt: call, when: "\(number)").code != 0 else { continue }
                kills += 1
                let next = try Binary.run(work(name))
                #expect(next.code == 0, "\(name): \(next.err)")
                #expect(try visible("data-\(name)") == whole, "\(name): \(next.err)")
                let hidden = folder.names().filter {
                    $0.hasPrefix("data-\(name)/.sluice/shards") && $0.hasSuffix(".tar")
                }
                #expect(hidden == [], "\(name)")
            }
        }
        #expect(kills > 5)
    }

    @Test("Of two attempts at the same time, one becomes a piece of the dataset")
    func race() throws {
        #expect(try run("plan list.jsonl --sizes none --shards 1 --rate 4 \(given) -o slow").code == 0)
        let words = "work slow --shard 0 -o data \(given) --layout webdataset".split(separator: " ").map(String.init)
        let first = try Running(words, folder: folder.url)
        let second = try Running(words, folder: folder.url)
        let results = [try first.end(), try second.end()]
        #expect(results.map(\.code) == [0, 0], "\(results.map(\.err))")
        #expect(results.count { $0.err.contains("committed shard 0: ") } == 1, "\(results.map(\.err))")
        #expect(try visible("data").names.filter { $0.hasSuffix(".tar") } == ["00000-00000.tar"])
        #expect(!folder.names().contains { $0.hasPrefix("data/.sluice/shards") && $0.hasSuffix(".tar") })
    }
}
