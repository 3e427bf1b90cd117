// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Exports for training, and what the libraries of training programs read in them.
@Suite("Datasets", .timeLimit(.minutes(10))) struct DatasetTests {
    private let folder: TemporaryFolder

    /// Mirrors twelve photos, of which the first six have no caption and the eleventh is missing.
    init() throws {
        folder = try TemporaryFolder()
        let words = ["--pages=2", "--per-page=6", "--variant=thumb", "--sizes=64", "--format=jpeg", "-o", "demo"]
        let demo = try Binary.run(["mirror", "demo"] + words, folder: folder.url)
        try #require(demo.code == 0, "\(demo.err)")
        let photos = try Tree(of: folder.path("demo")).filtered { $0.hasPrefix("thumbs/") }
        var replies: [String: [RawServer.Step]] = [:]
        for (number, name) in photos.names.enumerated() where number != 10 {
            let bytes = Array(photos.files[name] ?? Data())
            let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(bytes.count)\r\n\r\n"
            replies["/\(number).jpg"] = [.text(head), .raw(bytes), .again]
        }
        let server = try RawServer(replies)
        var list = "url,caption,license,date\n"
        for number in 0..<12 {
            list +=
                server.url("/\(number).jpg")
                + (number < 6 ? ",,,\n" : ",\"A \"\"photo\"\" \(number)\",CC0,2024-02-29\n")
        }
        try Data(list.utf8).write(to: folder.url.appending(path: "list.csv"))
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
        for split in ["train", "val"] {
            let found = try ["s", "t"].map { export in
                let shards = try Tree(of: folder.path("\(export)/\(split)")).names
                return try shards.flatMap { try keys(in: "\(export)/\(split)/\($0)") }
            }
            #expect(Set(found[0]) == Set(found[1]) && found[0].count == found[1].count && !found[0].isEmpty)
            #expect(found[0] == found[0].sorted())
        }
        let shuffled = try Tree(of: folder.path("t")).names.flatMap { try keys(in: "t/\($0)") }
        #expect(Set(shuffled) == Set(all) && shuffled.count == 11)
    }

    @Test("Photos of several formats are refused before anything is written")
    func formats() throws {
        let result = try Binary.run(["export", "demo", "-o", "x", "--layout", "huggingface"], folder: folder.url)
        #expect(
            result.code == 2 && !folder.names().contains("x")
                && result.err.contains("needs photos of one format (jpeg, png, webp, gif), and these have jpeg, "),
            "\(result.err)")
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
            let next = try Binary.run(arguments)
            #expect(next.code == 0, "\(next.err)")
            #expect(try Tree(of: out) == whole, "\(number): \(next.err)")
        }
        #expect(kills > 6)
    }

    /// `datasets` takes the types from the first five samples and fails at a value of another type, so a caption that
    /// was missing in these made all others unreadable.
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
            rows = [row for split in ("train", "validation") for row in data[split]]
            show(len(rows), all(row["jpg"].size == (row["json"]["width"], row["json"]["height"]) for row in rows))
            show(sorted((row["json"]["seq"], row["txt"], row["json"]["license"], row["json"]["date"]) for row in rows))
            tars = sorted(glob.glob("data/*/*.tar"))
            plain = datasets.load_dataset("webdataset", data_files={"train": tars}, split="train")
            show(len(plain))
            samples = list(webdataset.WebDataset(tars, shardshuffle=False).decode())
            raw = list(webdataset.WebDataset(tars, shardshuffle=False))
            show(len(samples), all(
                hashlib.sha256(bytes["jpg"]).hexdigest() == sample["json"]["stored_sha256"]
                for bytes, sample in zip(raw, samples)))
            """)
        let photos = (1...12).filter { $0 != 11 }.map { seq in
            seq <= 6 ? "(\(seq), '', '', '')" : "(\(seq), 'A \"photo\" \(seq - 1)', 'CC0', '2024-02-29T00:00:00Z')"
        }
        let expected = ["11 True", "[\(photos.joined(separator: ", "))]", "11", "11 True"]
        #expect(output == expected)
    }
}
