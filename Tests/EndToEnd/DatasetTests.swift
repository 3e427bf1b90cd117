// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Exports for training, read with the libraries of training programs.
///
/// The addresses choose the splits and contain the server's port, so one of the splits may be empty.
@Suite("Datasets", .timeLimit(.minutes(10))) struct DatasetTests {
    private let folder = TemporaryFolder()

    /// Mirrors twelve photos, of which the first six have no caption and the eleventh is missing.
    init() throws {
        var replies = try DemoPictures(12, in: folder).replies
        replies[DemoPictures.path(10)] = nil
        let server = try RawServer(replies)
        var list = "url,caption,license,date,score,url_hash,status\n"
        for number in 0..<12 {
            list +=
                server.url(DemoPictures.path(number))
                + (number < 6 ? ",,,,,\n" : ",\"A \"\"photo\"\" \(number)\",CC0,2024-02-29,0.\(number),0\(number),ok\n")
        }
        try folder.write(list, to: "list.csv")
        let result = try Binary.run(
            [
                "mirror", "list.csv", "-o", "m", "--sizes", "64", "--allow-private", "--no-robots", "--allow-port",
                "\(server.port)", "--per-host", "1", "--retries", "0",
            ], folder: folder.url)
        server.stop()
        try #require(result.code == 3, "\(result.err)")
    }

    private func export(_ out: String, _ more: String...) throws -> Binary.Result {
        try Binary.run(["export", "m", "-o", out] + more, folder: folder.url)
    }

    private func keys(in tar: String) throws -> [String] {
        let names = try Binary.shell("tar -tf \(tar)", folder: folder.url).out.split(separator: "\n")
        return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    }

    /// Runs a Python script in the folder, and returns the lines that it passes to `show`.
    private func python(_ script: String) throws -> [String] {
        let output = try PythonPackages.run("def show(*values): print('>', *values)\n" + script, in: folder.url)
        return output.split(separator: "\n").filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
    }

    @Test("Hugging Face samples have the same members, and every photo is in one split, whatever the order")
    func members() throws {
        #expect(try export("plain", "--layout", "huggingface").code == 0)
        let names = try Binary.shell("tar -tf plain/00000.tar", folder: folder.url).out.split(separator: "\n")
        #expect(names.count == 33 && Set(names.map { $0.split(separator: ".")[1] }) == ["jpg", "json", "txt"])
        let all = try keys(in: "plain/00000.tar")
        #expect(all == all.sorted() && all.count == 11)
        let arguments = ["--layout", "huggingface", "--split", "train:2,val:1", "--shard-items", "3"]
        #expect(try Binary.run(["export", "m", "-o", "s"] + arguments, folder: folder.url).code == 0)
        #expect(
            try Binary.run(["export", "m", "-o", "t", "--shuffle", "7"] + arguments, folder: folder.url).code == 0)
        #expect(
            try Binary.run(["export", "m", "-o", "u", "--shuffle", "7"] + arguments, folder: folder.url).code == 0)
        #expect(try Tree(of: folder.path("t")) == Tree(of: folder.path("u")))
        var count = 0
        for split in ["train", "val"] {
            let found = try ["s", "t"].map { export in
                let shards = try Tree(of: folder.path("\(export)/\(split)")).names
                return try shards.flatMap { try keys(in: "\(export)/\(split)/\($0)") }
            }
            #expect(Set(found[0]) == Set(found[1]) && found[0].count == found[1].count)
            #expect(found[0] == found[0].sorted())
            count += found[0].count
        }
        #expect(count == 11)
        let tars = try Tree(of: folder.path("t")).names.filter { $0.hasSuffix(".tar") }
        let shuffled = try tars.flatMap { try keys(in: "t/\($0)") }
        #expect(Set(shuffled) == Set(all) && shuffled.count == 11)
    }

    @Test(
        "An export of splits that is killed is continued with the same bytes",
        .enabled(if: Strace.isPermitted, "strace is missing or not permitted"))
    func killed() throws {
        let options = ["--layout", "huggingface", "--split", "train:2,val:1", "--shard-items", "2", "--shuffle", "3"]
        #expect(try Binary.run(["export", "m", "-o", "whole"] + options, folder: folder.url).code == 0)
        let whole = try Tree(of: folder.path("whole"))
        var kills = 0
        for number in 1...40 {
            let out = folder.path("out\(number)")
            let arguments = ["export", folder.path("m"), "-o", out] + options
            if try Strace.run(arguments, killingAt: "renameat", when: "\(number)").code == 0 { break }
            kills += 1
            let next = try Binary.run(arguments).expect()
            #expect(try Tree(of: out) == whole, "\(number): \(next.err)")
        }
        #expect(kills > 6)
    }

    /// Without `README.md`, `datasets` takes the types from the first five samples and fails at a value of another
    /// type, so a licence that was missing in these made all others unreadable.
    @Test(
        "datasets and webdataset read every photo of a Hugging Face export, without arguments",
        .enabled(if: PythonPackages.hasDatasets, "Scripts/setup --tests installs the Python packages"))
    func readers() throws {
        #expect(
            try export("data", "--layout", "huggingface", "--split", "train:2,val:1", "--shard-items", "4").code == 0)
        let output = try python(
            """
            import datasets, glob, hashlib, webdataset
            data = datasets.load_dataset("data")
            rows = [row for split in data.values() for row in split]
            show(set(data) <= {"train", "validation"}, len(rows))
            show(all(row["jpg"].size == (row["json"]["width"], row["json"]["height"]) for row in rows))
            show(sorted((row["json"]["seq"], row["txt"], row["json"]["license"], row["json"]["date"]) for row in rows))
            tars = sorted(glob.glob("data/*/*.tar"))
            plain = datasets.load_dataset("webdataset", data_files={"train": tars}, split="train", features=next(iter(data.values())).features)
            show(len(plain))
            samples = list(webdataset.WebDataset(tars, shardshuffle=False).decode())
            raw = list(webdataset.WebDataset(tars, shardshuffle=False))
            show(len(samples), all(
                hashlib.sha256(bytes["jpg"]).hexdigest() == sample["json"]["stored_sha256"]
                for bytes, sample in zip(raw, samples)))
            """)
        let photos = (1...12).filter { $0 != 11 }.map { seq in
            seq <= 6 ? "(\(seq), '', None, None)" : "(\(seq), 'A \"photo\" \(seq - 1)', 'CC0', '2024-02-29T00:00:00Z')"
        }
        let expected = ["True 11", "True", "[\(photos.joined(separator: ", "))]", "11", "11 True"]
        #expect(output == expected)
    }

    /// The columns of lists were lost, so a dataset could not be filtered by similarity or by a hash of its own.
    @Test(
        "Columns of the list are columns of the dataset with their types, also after the ledger is lost",
        .enabled(if: PythonPackages.hasDatasets, "Scripts/setup --tests installs the Python packages"))
    func listedColumns() throws {
        let script = """
            import pyarrow.parquet
            table = pyarrow.parquet.read_table("OUT/00000.parquet")
            show(*[table.schema.field(name).type for name in ["score", "url_hash", "list_status"]])
            show([row["score"] for row in table.to_pylist()][5:8], table["url_hash"][6], table["list_status"][7])
            """
        let expected = ["double string string", "[None, 0.6, 0.7] 06 ok"]
        #expect(try export("data", "--layout", "img2dataset").code == 0)
        #expect(try python(script.replacing("OUT", with: "data")) == expected)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("m/.sluice")) {
            try folder.remove("m/.sluice/\(name)")
        }
        #expect(try Binary.run(["gallery", "m", "--rebuild"], folder: folder.url).code == 0)
        #expect(try export("again", "--layout", "img2dataset").code == 0)
        #expect(try python(script.replacing("OUT", with: "again")) == expected)
    }

    @Test(
        "datasets reads tables with pictures as its own, with the same bytes and types",
        .enabled(if: PythonPackages.hasDatasets, "Scripts/setup --tests installs the Python packages"))
    func pictureTables() throws {
        #expect(try export("data", "--layout", "parquet", "--shard-items", "4").code == 0)
        #expect(
            try Tree(of: folder.path("data")).names == [".sluice-export.json"] + (0..<3).map { "0000\($0).parquet" })
        let output = try python(
            """
            import datasets, hashlib, pyarrow.parquet
            data = datasets.load_dataset("data", split="train")
            show(len(data), data.features["image"], data.features["score"].dtype, data.features["date"].dtype)
            show(all(row["image"].size == (row["width"], row["height"]) for row in data))
            raw = data.cast_column("image", datasets.Image(decode=False))
            show(all(hashlib.sha256(row["image"]["bytes"]).hexdigest() == row["stored_sha256"] for row in raw))
            show(raw[0]["image"]["path"], raw[10]["score"], raw[10]["status"])
            table = pyarrow.parquet.ParquetFile("data/00000.parquet")
            show(table.metadata.row_group(0).column(0).path_in_schema, table.metadata.row_group(0).column(0).compression)
            """)
        let expected = [
            "11 Image(mode=None, decode=True) float64 timestamp[ms, tz=UTC]", "True", "True", "000000001.jpg 0.11 ok",
            "image.bytes UNCOMPRESSED",
        ]
        #expect(output == expected)
    }

    @Test("A condition selects photos by the size of their files and by columns of the list")
    func conditions() throws {
        try export(
            "data", "--layout", "folder", "--captions", "txt", "--where", "width>1 && columns.score>=0.7"
        ).expect()
        let names = try Tree(of: folder.path("data")).names
        #expect(
            names.filter { $0.hasSuffix(".jpg") } == ["08", "09", "10"].map { "00000/0000000\($0).jpg" })
        #expect(try folder.bytes(of: "data/00000/000000008.txt") == Array("A \"photo\" 7".utf8))
        try export("x", "--captions", "txt").expect(2, err: "--captions needs --layout folder")
    }

    @Test("An img2dataset export has a row for every photo, and its files have the names and counts of img2dataset")
    func failures() throws {
        let result = try export("data", "--layout", "img2dataset", "--shard-items", "5")
        #expect(result.code == 0 && result.err.hasPrefix("11 photos in 3 shards"), "\(result.err)")
        let tree = try Tree(of: folder.path("data"))
        #expect(
            tree.names.filter { $0 != ".sluice-export.json" }
                == (0..<3).flatMap { ["0000\($0).parquet", "0000\($0).tar", "0000\($0)_stats.json"] })
        #expect(try keys(in: "data/00000.tar") == (0..<5).map { "00000\($0)" })
        #expect(try keys(in: "data/00002.tar") == ["000021"])
        let statistics = try #require(
            JSONSerialization.jsonObject(with: tree.files["00002_stats.json"] ?? Data()) as? [String: Any])
        #expect(statistics["count"] as? Int == 2 && statistics["successes"] as? Int == 1)
        #expect(statistics["failed_to_download"] as? Int == 1 && statistics["failed_to_resize"] as? Int == 0)
        #expect(statistics["status_dict"] as? [String: Int] == ["success": 1, "http-404": 1])
        #expect(try export("again", "--layout", "img2dataset", "--shard-items", "5").code == 0)
        #expect(try Tree(of: folder.path("again")) == tree)
    }

    @Test("An img2dataset export has no rows of photos that the run was not asked for")
    func untried() throws {
        let server = try RawServer(DemoPictures(4, in: folder).replies)
        defer { server.stop() }
        try folder.write((0..<4).map { server.url(DemoPictures.path($0)) + "\n" }.joined(), to: "four.txt")
        try Binary.run(
            [
                "mirror", "four.txt", "-o", "some", "--sizes", "64", "--allow-private", "--no-robots", "--allow-port",
                "\(server.port)", "--max-items", "1",
            ], folder: folder.url
        ).expect()
        try Binary.run(["export", "some", "-o", "data", "--layout", "img2dataset"], folder: folder.url).expect()
        let bytes = try folder.bytes(of: "data/00000_stats.json")
        let statistics = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(statistics["count"] as? Int == 1 && statistics["status_dict"] as? [String: Int] == ["success": 1])
    }

    @Test(
        "pyarrow, DuckDB and webdataset read an img2dataset export, and lose no row",
        .enabled(if: PythonPackages.hasDatasets, "Scripts/setup --tests installs the Python packages"))
    func tables() throws {
        #expect(try export("data", "--layout", "img2dataset", "--shard-items", "5").code == 0)
        let output = try python(
            """
            import duckdb, glob, hashlib, json, pyarrow.parquet, webdataset
            tables = sorted(glob.glob("data/*.parquet"))
            rows = [row for path in tables for row in pyarrow.parquet.read_table(path).to_pylist()]
            show(len(rows), [row["key"] for row in rows][4:6])
            failed = [row for row in rows if row["status"] != "success"]
            show([(row["status"], row["error_message"], row["http_status"], row["sha256"]) for row in failed])
            show(duckdb.sql("SELECT status, count(*), count(caption), count(date) FROM 'data/*.parquet' GROUP BY 1 ORDER BY 1").fetchall())
            samples = {sample["__key__"]: sample for sample in webdataset.WebDataset(sorted(glob.glob("data/*.tar")), shardshuffle=False)}
            good = [row for row in rows if row["status"] == "success"]
            show(len(samples), all(hashlib.sha256(samples[row["key"]]["jpg"]).hexdigest() == row["sha256"] for row in good))
            show(all(json.loads(samples[row["key"]]["json"])["caption"] == row["caption"] for row in good))
            """)
        #expect(
            output == [
                "12 ['000004', '000010']", "[('failed_to_download', 'http-404', 404, None)]",
                "[('failed_to_download', 1, 1, 1), ('success', 11, 5, 5)]", "11 True", "True",
            ])
    }

    @Test(
        "datasets reads a folder export with its metadata",
        .enabled(if: PythonPackages.hasDatasets, "Scripts/setup --tests installs the Python packages"))
    func imageFolder() throws {
        let options = ["--layout", "folder", "--split", "train:2,val:1", "--shard-items", "3", "--shuffle", "5"]
        #expect(try Binary.run(["export", "m", "-o", "data"] + options, folder: folder.url).code == 0)
        let output = try python(
            """
            import datasets
            data = datasets.load_dataset("data")
            rows = [row for split in data.values() for row in split]
            show(set(data) <= {"train", "validation"}, len(rows))
            show(all(row["image"].size == (row["width"], row["height"]) for row in rows))
            show(sorted((row["seq"], row["caption"], str(row["date"])[:10]) for row in rows)[5:7])
            """)
        #expect(
            output == ["True 11", "True", "[(6, None, 'None'), (7, 'A \"photo\" 6', '2024-02-29')]"])
    }

    @Test(
        "Similar photos have the same cluster, and EXIF data is exported on request",
        arguments: ["webdataset", "huggingface", "img2dataset"])
    func requestedColumns(layout: String) throws {
        let photos = try Tree(of: folder.path("demo")).filtered { $0.hasPrefix("thumbs/") }
        let first = Array(photos.files[photos.names[0]] ?? Data())
        // An EXIF segment with the make "Ada" after the beginning of the file
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{F}\0\u{2}\0\0\0\u{4}Ada\0\0\0\0\0".utf8)
        try folder.write(first, to: "in/1.jpg")
        try folder.write(photos.files[photos.names[1]] ?? Data(), to: "in/2.jpg")
        try folder.write(first[..<2] + exif + first[2...], to: "in/3.jpg")
        try #require(
            try Binary.run(["mirror", "in/", "-o", "f", "--sizes", "64"], folder: folder.url).code == 0)
        let words = ["--layout", layout, "--cluster-distance", "3", "--exif", "camera"]
        try Binary.run(["export", "f", "-o", "x"] + words, folder: folder.url).require()
        try #require(try Binary.shell("mkdir s && tar -xf x/00000.tar -C s", folder: folder.url).code == 0)
        let samples = try Tree(of: folder.path("s")).filtered { $0.hasSuffix(".json") }.files.sorted { $0.key < $1.key }
            .map { try #require(JSONSerialization.jsonObject(with: Data($0.value)) as? [String: Any]) }
        try #require(samples.count == 3)
        #expect(samples[0]["cluster"] as? Int == 1 && samples[2]["cluster"] as? Int == 1)
        #expect(samples[2]["exif"] as? String == #"{"Make":"Ada"}"#)
        #expect(samples[1]["cluster"] as? Int == nil && samples[1]["exif"] as? String == nil)
        #expect(samples.allSatisfy { ($0["sha256"] as? String)?.count == 64 })
    }

    @Test("Photos of other formats are converted, and an interrupted export with conversions is continued")
    func conversion() throws {
        let options = ["--layout", "huggingface", "--recode", "jpeg", "--shard-items", "4"]
        let whole = try Binary.run(["export", "demo", "-o", "whole"] + options, folder: folder.url)
        #expect(whole.code == 0 && whole.err.hasPrefix("12 photos in 3 shards"), "\(whole.err)")
        let tree = try Tree(of: folder.path("whole"))
        for name in tree.names where name.hasSuffix(".tar") {
            let members = try Binary.shell("tar -tf whole/\(name)", folder: folder.url).out.split(separator: "\n")
            #expect(members.count == 12 && members.filter { $0.hasSuffix(".jpg") }.count == 4)
        }
        #expect(try Binary.run(["export", "demo", "-o", "x", "--recode", "gif"], folder: folder.url).code == 2)
        guard Strace.isPermitted else { return }
        let arguments = ["export", folder.path("demo"), "-o", folder.path("out")] + options
        #expect(try Strace.run(arguments, killingAt: "renameat", when: "5").code != 0)
        try Binary.run(arguments).expect(err: "were finished before")
        #expect(try Tree(of: folder.path("out")) == tree)
    }

    @Test(
        "Exports of tables and folders that are killed are continued with the same bytes",
        .enabled(if: Strace.isPermitted, "strace is missing or not permitted"),
        arguments: ["img2dataset", "folder"])
    func killed(layout: String) throws {
        let options = ["--layout", layout, "--shard-items", "5"]
        #expect(try Binary.run(["export", "m", "-o", "whole"] + options, folder: folder.url).code == 0)
        let whole = try Tree(of: folder.path("whole"))
        for number in stride(from: 2, to: 20, by: 4) {
            let arguments = ["export", folder.path("m"), "-o", folder.path("out\(number)")] + options
            guard try Strace.run(arguments, killingAt: "renameat", when: "\(number)").code != 0 else { break }
            let next = try Binary.run(arguments).expect()
            #expect(try Tree(of: folder.path("out\(number)")) == whole, "\(number): \(next.err)")
        }
    }
}
