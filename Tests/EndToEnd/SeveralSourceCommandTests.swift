// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Several SOURCEs, folders of lists and patterns on the command line.
@Suite("Several SOURCEs on the command line", .timeLimit(.minutes(10))) struct SeveralSourceCommandTests {
    private let folder = TemporaryFolder()
    private let server: RawServer
    private let options: String

    init() throws {
        let pictures = try DemoPictures(6, in: folder)
        server = try RawServer(pictures.replies)
        options = "--sizes none --no-robots --allow-address 127.0.0.1 --allow-port \(server.port)"
        for (index, picture) in pictures.files.prefix(3).enumerated() {
            try folder.write(picture, to: "photo\(index).jpg")
        }
    }

    /// Writes a table with the photos at these positions.
    private func list(_ photos: Range<Int>, _ name: String) throws {
        let rows = photos.map { "\($0),\(server.url(DemoPictures.path($0)))\n" }.joined()
        try folder.write("nr,url\n\(rows)", to: name)
    }

    private func run(_ line: String, as user: String = "owner") throws -> Binary.Result {
        try Binary.shell("sluice \(line)", environment: ["HOME": folder.path(user)], folder: folder.url)
    }

    private func manifest(_ mirror: String) throws -> [[String: Any]] {
        try folder.bytes(of: "\(mirror)/manifest.jsonl").split(separator: 10).compactMap {
            try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
        }
    }

    @Test("Several sources make one mirror, which a run without SOURCE repeats in any folder")
    func several() throws {
        try list(0..<2, "a.csv")
        try list(2..<4, "b.csv")
        try run("mirror a.csv demo b.csv --max-items 4 --pages 1 --per-page 2 -o m \(options)").expect(err: "4 done")
        let sources = try manifest("m").compactMap { $0["source"] as? String }
        #expect(sources == ["a.csv", "a.csv", "demo", "demo"].map { $0 == "demo" ? $0 : folder.path($0) })
        #expect(try manifest("m").compactMap { $0["feed"] as? String } == ["list", "list", "demo", "demo"])
        try Binary.shell(
            "mkdir -p other; cd other; sluice mirror -o ../m --allow-address 127.0.0.1 --allow-port \(server.port) "
                + "--no-robots --max-items 6",
            environment: ["HOME": folder.path("owner")], folder: folder.url
        ).expect(err: "2 done", "4 kept")
        #expect(try run("explain m").code == 0)
        #expect(try run("diff m").out.contains("a.csv and 2 more"))
    }

    @Test("Without --out, the folder is named after the first source and the number of others")
    func folderName() throws {
        let run = try run("mirror photo0.jpg photo1.jpg --sizes none")
        #expect(
            run.code == 0 && folder.names().contains { $0.hasPrefix("photo0.jpg-and-1-more-mirror/") }, "\(run.err)")
    }

    @Test("Photos that a shell pattern names are one mirror, also beside a folder")
    func photos() throws {
        try folder.makeFolder("in")
        try FileManager.default.moveItem(atPath: folder.path("photo2.jpg"), toPath: folder.path("in/c.jpg"))
        try run("mirror photo*.jpg in -o m --sizes none").expect(err: "3 done")
        #expect(
            try manifest("m").compactMap { $0["id"] as? String }
                == ["photo0.jpg", "photo1.jpg", "in/c.jpg"].map(folder.path))
        try self.run("mirror 'photo*.jpg' -o m --sizes none").expect(err: "all 2 photos were already done")
    }

    @Test("--sources reads a file or standard input")
    func sourcesFile() throws {
        try list(0..<1, "a.csv")
        try list(1..<2, "b b.csv")
        try folder.write("# mine\n\na.csv\n  b b.csv \r\n", to: "sources.txt")
        try run("mirror --sources sources.txt -o m \(options)").expect(err: "2 done")
        try Binary.shell(
            "echo 'b b.csv' | sluice mirror a.csv --sources - -o n \(options)",
            environment: ["HOME": folder.path("owner")], folder: folder.url
        ).expect(err: "2 done")
        // The mirror repeats the sources, without the file.
        try folder.remove("sources.txt")
        try run("mirror -o m --no-robots --allow-address 127.0.0.1 --allow-port \(server.port)").expect(
            err: "all 2 photos were already done")
    }

    /// A misspelt source ended the run before any photo.
    @Test("A source that cannot be opened fails alone, and one line names it")
    func misspelt() throws {
        try list(0..<2, "a.csv")
        try list(2..<3, "b.csv")
        let run = try run("mirror a.csv none.csv b.csv -o m \(options)").expect(3, err: "3 done")
        let lines = run.err.split(separator: "\n").filter { $0.contains("none.csv") }
        #expect(lines == ["cannot open 'none.csv': no such file, and not a web address"])
        #expect(
            try folder.text("m/report.json").contains("cannot open 'none.csv'"))
        // Once it exists, a repetition reads it.
        try list(3..<4, "none.csv")
        try self.run("mirror a.csv none.csv b.csv -o m \(options)").expect(err: "1 done")
        let rehearsal = try self.run("mirror a.csv nowhere.csv --dry-run")
        #expect(rehearsal.code == 3 && rehearsal.err.contains("cannot open 'nowhere.csv'"), "\(rehearsal.err)")
        try folder.write("a.csv\nnowhere.csv\nb.csv\n", to: "sources.txt")
        let file = try self.run("mirror --sources sources.txt -o n \(options)")
        #expect(file.code == 3 && file.err.contains("3 done") && file.err.contains("'nowhere.csv'"), "\(file.err)")
        try self.run("mirror none1.csv none2.csv -o x").expect(2, err: "cannot open 'none1.csv'")
        #expect(!folder.contains("x"))
    }

    @Test("A source that cannot be reached leaves nothing behind, also as the first of several")
    func unreachable() throws {
        let nowhere = "http://127.0.0.1:9/x.rss"
        for sources in [nowhere, "\(nowhere) http://127.0.0.1:9/y.csv"] {
            try run("mirror \(sources) -o x/y --retries 0 --allow-port 9").expect(4, err: "nothing answers")
            #expect(!folder.contains("x"), "\(sources)")
        }
        // A mirror stays, and so does a folder that existed.
        try list(0..<1, "a.csv")
        #expect(try run("mirror a.csv -o m \(options)").code == 0)
        let files = folder.names().filter { $0.hasPrefix("m/") }
        #expect(try run("mirror \(nowhere) -o m --retries 0 --allow-port 9").code == 4)
        #expect(files.allSatisfy(folder.names().contains))
        try folder.makeFolder("empty")
        #expect(try run("mirror \(nowhere) -o empty --retries 0 --allow-port 9").code == 4)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("empty")).isEmpty)
    }

    @Test("A header goes to the host that it names, and without a host to no one of several")
    func headers() throws {
        let feed = "<rss version='2.0'><channel><item><guid>1</guid></item></channel></rss>"
        let reply = RawServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: \(feed.utf8.count)\r\n\r\n\(feed)")
        let (first, second) = try RawServer.neighbours(["/a.rss": [[reply]]], ["/b.rss": [[reply]]])
        defer {
            first.stop()
            second.stop()
        }
        let sources = "\(first.url("/a.rss")) \(second.url("/b.rss"))"
        let refused = try run("mirror \(sources) --dry-run --header 'X-Key: secret'").expect(
            2, err: "--header '127.0.0.1: X-Key: …'")
        #expect(!refused.err.contains("secret") && first.requests.isEmpty && second.requests.isEmpty)
        let wrong = try run("mirror \(sources) --dry-run --header '127.0.0.3: X-Key: secret'")
        #expect(
            wrong.code == 2 && wrong.err.contains("no SOURCE is there") && !wrong.err.contains("secret"), "\(wrong)")
        _ = try run(
            "mirror \(sources) --dry-run --header '127.0.0.1: X-Key: one' --header '127.0.0.2:\(second.port): X-Other: two'"
        )
        #expect(
            first.requests.contains { $0.contains("X-Key: one") } && !first.requests.contains { $0.contains("two") })
        #expect(
            second.requests.contains { $0.contains("X-Other: two") } && !second.requests.contains { $0.contains("one") }
        )
        let single = try run("mirror \(first.url("/a.rss")) --dry-run --header 'X-Key: alone'")
        #expect(first.requests.last?.contains("X-Key: alone") == true, "\(single)")
    }

    /// The repetition names the list by its absolute path, and did not know the photos of the relative one.
    @Test("A repetition prunes what left a list that was named by a relative path")
    func relativePrune() throws {
        try list(0..<4, "a.csv")
        #expect(try run("mirror a.csv -o m \(options)").code == 0)
        try list(0..<3, "a.csv")
        let limits = "--no-robots --allow-address 127.0.0.1 --allow-port \(server.port)"
        let rehearsal = try run("mirror -o m --prune --prune-limit 50% --dry-run \(limits)")
        #expect(rehearsal.err.contains("1 of 4"), "\(rehearsal)")
        try run("mirror -o m --prune --prune-limit 50% \(limits)").expect(err: "pruned 1 of 4 photos")
        // A list of the same name in another folder is another source.
        let other = try Binary.shell(
            "mkdir -p other; cp a.csv other; sed -i 4d other/a.csv; cd other; "
                + "sluice mirror a.csv -o ../m --prune --prune-limit 90% \(limits)",
            environment: ["HOME": folder.path("owner")], folder: folder.url)
        #expect(other.code == 0 && !other.err.contains("pruned 1"), "\(other.err)")
    }

    @Test("A folder of lists and a pattern read all of them in the order of their names")
    func folderOfLists() throws {
        try list(2..<4, "lists/b.csv")
        try list(0..<2, "lists/a.csv")
        try folder.write("This folder has lists.\n", to: "lists/README.md")
        for source in ["lists", "'lists/*.csv'"] {
            let out = source == "lists" ? "m" : "n"
            try run("mirror \(source) -o \(out) \(options)").expect(err: "4 done")
            let files = try manifest(out).compactMap { ($0["source"] as? String)?.split(separator: "/").last }
            #expect(files == ["a.csv", "a.csv", "b.csv", "b.csv"])
        }
        // A new list belongs to the source, and a photo that left its list is pruned.
        try list(4..<5, "lists/c.csv")
        try list(3..<4, "lists/b.csv")
        try run("mirror lists -o m --prune --prune-limit 50% \(options)").expect(err: "pruned 1 of 5 photos")
        try Binary.shell(
            "mkdir -p other; cd other; sluice mirror -o ../n --no-robots --allow-address 127.0.0.1 --allow-port \(server.port)",
            environment: ["HOME": folder.path("owner")], folder: folder.url
        ).expect(err: "1 done")
    }

    @Test("One damaged list in a folder fails with its name, and the others are read")
    func damaged() throws {
        try list(0..<1, "lists/a.csv")
        try folder.write("PAR1 and no more", to: "lists/b.parquet")
        try list(1..<2, "lists/c.csv")
        try run("mirror lists -o m \(options)").expect(3, err: "2 done", "b.parquet")
        try self.run("mirror lists --dry-run").expect(3, err: "b.parquet")
    }

    @Test("Photos win in a folder that has lists, too, and a note says how to read the lists")
    func mixed() throws {
        try folder.makeFolder("in")
        try FileManager.default.moveItem(atPath: folder.path("photo0.jpg"), toPath: folder.path("in/a.jpg"))
        try list(0..<2, "in/b.csv")
        try list(0..<2, "in/c.csv")
        let run = try run("mirror in -o m --sizes none").expect(err: "1 done")
        let note = "2 lists were not read, because the folder has photos; to read a list, name it as SOURCE: "
        #expect(run.err.contains(note + folder.path("in/b.csv")), "\(run.err)")
    }

    @Test("A folder of lists is planned like one list, and several SOURCEs are refused with a way out")
    func plans() throws {
        try list(0..<3, "lists/a.csv")
        try list(3..<6, "lists/b.csv")
        let limits = "--no-robots --allow-address 127.0.0.1 --allow-port \(server.port)"
        try run("plan lists --shards 2 --sizes none -o plan").expect(err: "6 photos")
        for shard in 0..<2 {
            try run("work plan --shard \(shard) -o out \(limits)").expect()
        }
        #expect(try run("merge plan -o out").code == 0)
        #expect(try run("mirror lists -o whole \(options)").code == 0)
        #expect(try folder.bytes(of: "out/manifest.jsonl") == folder.bytes(of: "whole/manifest.jsonl"))
        try run("plan lists/a.csv lists/b.csv --shards 2 -o other").expect(
            2, err: "plan takes only one SOURCE", "put lists into one folder")
    }

    @Test("A stranger's mirror contacts none of its sources before all are confirmed")
    func strangers() throws {
        let sources = ["https://a.test/x", "https://b.test/y"]
        try run("mirror \(sources[0]) photo0.jpg \(sources[1]) -o m --sizes none --retries 0").expect(
            3, err: "1 done", "a.test", "b.test")
        let refused = try run("mirror -o m", as: "stranger").expect(
            2, err: "its sources 'https://a.test/x', 'https://b.test/y'")
        #expect(
            refused.err.contains("run: sluice mirror https://a.test/x \(folder.path("photo0.jpg")) https://b.test/y"))
        // One of them is known then.
        #expect(try run("mirror \(sources[0]) -o m --retries 0", as: "stranger").code == 4)
    }
}
