// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Several SOURCEs, folders of lists and patterns on the command line.
@Suite("Several SOURCEs on the command line", .timeLimit(.minutes(10))) struct SeveralSourceCommandTests {
    private let folder: TemporaryFolder
    private let server: RawServer
    private let options: String

    init() throws {
        folder = try TemporaryFolder()
        let pictures = try DemoPictures(6, in: folder)
        server = try RawServer(pictures.replies)
        options = "--sizes none --no-robots --allow-address 127.0.0.1 --allow-port \(server.port)"
        for (index, picture) in pictures.files.prefix(3).enumerated() {
            try Data(picture).write(to: folder.url.appending(path: "photo\(index).jpg"))
        }
    }

    private func write(_ text: String, _ name: String) throws {
        let url = folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Writes a table with the photos at these positions.
    private func list(_ photos: Range<Int>, _ name: String) throws {
        let rows = photos.map { "\($0),\(server.url(DemoPictures.path($0)))\n" }.joined()
        try write("nr,url\n\(rows)", name)
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
        let first = try run("mirror a.csv demo b.csv --max-items 4 --pages 1 --per-page 2 -o m \(options)")
        #expect(first.code == 0 && first.err.contains("4 done"), "\(first.err)")
        let sources = try manifest("m").compactMap { $0["source"] as? String }
        #expect(sources == ["a.csv", "a.csv", "demo", "demo"].map { $0 == "demo" ? $0 : folder.path($0) })
        #expect(try manifest("m").compactMap { $0["feed"] as? String } == ["list", "list", "demo", "demo"])
        let again = try Binary.shell(
            "mkdir -p other; cd other; sluice mirror -o ../m --allow-address 127.0.0.1 --allow-port \(server.port) "
                + "--no-robots --max-items 6",
            environment: ["HOME": folder.path("owner")], folder: folder.url)
        #expect(again.code == 0 && again.err.contains("2 done") && again.err.contains("4 kept"), "\(again.err)")
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
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder.path("photo2.jpg"), toPath: folder.path("in/c.jpg"))
        let run = try run("mirror photo*.jpg in -o m --sizes none")
        #expect(run.code == 0 && run.err.contains("3 done"), "\(run.err)")
        #expect(
            try manifest("m").compactMap { $0["id"] as? String }
                == ["photo0.jpg", "photo1.jpg", "in/c.jpg"].map(folder.path))
        let again = try self.run("mirror 'photo*.jpg' -o m --sizes none")
        #expect(again.code == 0 && again.err.contains("all 2 photos were already done"), "\(again.err)")
    }

    @Test("--sources reads a file or standard input, and errors name the line")
    func sourcesFile() throws {
        try list(0..<1, "a.csv")
        try list(1..<2, "b b.csv")
        try write("# mine\n\na.csv\n  b b.csv \r\n", "sources.txt")
        let file = try run("mirror --sources sources.txt -o m \(options)")
        #expect(file.code == 0 && file.err.contains("2 done"), "\(file.err)")
        let piped = try Binary.shell(
            "echo 'b b.csv' | sluice mirror a.csv --sources - -o n \(options)",
            environment: ["HOME": folder.path("owner")], folder: folder.url)
        #expect(piped.code == 0 && piped.err.contains("2 done"), "\(piped.err)")
        // The mirror repeats the sources, without the file.
        try FileManager.default.removeItem(atPath: folder.path("sources.txt"))
        let again = try run("mirror -o m --no-robots --allow-address 127.0.0.1 --allow-port \(server.port)")
        #expect(again.code == 0 && again.err.contains("all 2 photos were already done"), "\(again.err)")
        try write("# a\nnone.csv\n", "wrong.txt")
        let wrong = try run("mirror --sources wrong.txt -o x")
        #expect(
            wrong.code == 2 && wrong.err.contains("from 'wrong.txt': line 2: cannot open 'none.csv'"), "\(wrong.err)")
        try write("# nothing\n", "empty.txt")
        #expect(try run("mirror --sources empty.txt -o x").err.contains("it names none"))
        #expect(try run("mirror --sources missing.txt -o x").code == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    }

    /// A misspelt source ended the run before any photo.
    @Test("A source that cannot be opened fails alone, and one line names it")
    func misspelt() throws {
        try list(0..<2, "a.csv")
        try list(2..<3, "b.csv")
        let run = try run("mirror a.csv none.csv b.csv -o m \(options)")
        #expect(run.code == 3 && run.err.contains("3 done"), "\(run.err)")
        let lines = run.err.split(separator: "\n").filter { $0.contains("none.csv") }
        #expect(lines == ["cannot open 'none.csv': no such file, and not a web address"])
        #expect(
            String(decoding: try folder.bytes(of: "m/report.json"), as: UTF8.self).contains("cannot open 'none.csv'"))
        // Once it exists, a repetition reads it.
        try list(3..<4, "none.csv")
        let again = try self.run("mirror a.csv none.csv b.csv -o m \(options)")
        #expect(again.code == 0 && again.err.contains("1 done"), "\(again.err)")
        let rehearsal = try self.run("mirror a.csv nowhere.csv --dry-run")
        #expect(rehearsal.code == 3 && rehearsal.err.contains("cannot open 'nowhere.csv'"), "\(rehearsal.err)")
        try write("a.csv\nnowhere.csv\nb.csv\n", "sources.txt")
        let file = try self.run("mirror --sources sources.txt -o n \(options)")
        #expect(file.code == 3 && file.err.contains("3 done") && file.err.contains("'nowhere.csv'"), "\(file.err)")
        let all = try self.run("mirror none1.csv none2.csv -o x")
        #expect(all.code == 2 && all.err.contains("cannot open 'none1.csv'"), "\(all.err)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    }

    @Test("A source that cannot be reached leaves nothing behind, also as the first of several")
    func unreachable() throws {
        let nowhere = "http://127.0.0.1:9/x.rss"
        for sources in [nowhere, "\(nowhere) http://127.0.0.1:9/y.csv"] {
            let run = try run("mirror \(sources) -o x/y --retries 0 --allow-port 9")
            #expect(run.code == 4 && run.err.contains("nothing answers"), "\(run.err)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("x")), "\(sources)")
        }
        // A mirror stays, and so does a folder that existed.
        try list(0..<1, "a.csv")
        #expect(try run("mirror a.csv -o m \(options)").code == 0)
        let files = folder.names().filter { $0.hasPrefix("m/") }
        #expect(try run("mirror \(nowhere) -o m --retries 0 --allow-port 9").code == 4)
        #expect(files.allSatisfy(folder.names().contains))
        try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
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
        let refused = try run("mirror \(sources) --dry-run --header 'X-Key: secret'")
        #expect(refused.code == 2 && refused.err.contains("--header '127.0.0.1: X-Key: …'"), "\(refused.err)")
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
        let again = try run("mirror -o m --prune --prune-limit 50% \(limits)")
        #expect(again.code == 0 && again.err.contains("pruned 1 of 4 photos"), "\(again.err)")
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
        try write("This folder has lists.\n", "lists/README.md")
        for source in ["lists", "'lists/*.csv'"] {
            let out = source == "lists" ? "m" : "n"
            let run = try run("mirror \(source) -o \(out) \(options)")
            #expect(run.code == 0 && run.err.contains("4 done"), "\(run.err)")
            let files = try manifest(out).compactMap { ($0["source"] as? String)?.split(separator: "/").last }
            #expect(files == ["a.csv", "a.csv", "b.csv", "b.csv"])
        }
        // A new list belongs to the source, and a photo that left its list is pruned.
        try list(4..<5, "lists/c.csv")
        try list(3..<4, "lists/b.csv")
        let again = try run("mirror lists -o m --prune --prune-limit 50% \(options)")
        #expect(again.code == 0 && again.err.contains("pruned 1 of 5 photos"), "\(again.err)")
        let repeated = try Binary.shell(
            "mkdir -p other; cd other; sluice mirror -o ../n --no-robots --allow-address 127.0.0.1 --allow-port \(server.port)",
            environment: ["HOME": folder.path("owner")], folder: folder.url)
        #expect(repeated.code == 0 && repeated.err.contains("1 done"), "\(repeated.err)")
    }

    @Test("One damaged list in a folder fails with its name, and the others are read")
    func damaged() throws {
        try list(0..<1, "lists/a.csv")
        try write("PAR1 and no more", "lists/b.parquet")
        try list(1..<2, "lists/c.csv")
        let run = try run("mirror lists -o m \(options)")
        #expect(run.code == 3 && run.err.contains("2 done") && run.err.contains("b.parquet"), "\(run.err)")
        let rehearsal = try self.run("mirror lists --dry-run")
        #expect(rehearsal.code == 3 && rehearsal.err.contains("b.parquet"), "\(rehearsal.err)")
    }

    @Test("Photos win in a folder that has lists, too, and a note says how to read the lists")
    func mixed() throws {
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder.path("photo0.jpg"), toPath: folder.path("in/a.jpg"))
        try list(0..<2, "in/b.csv")
        try list(0..<2, "in/c.csv")
        let run = try run("mirror in -o m --sizes none")
        #expect(run.code == 0 && run.err.contains("1 done"), "\(run.err)")
        let note = "2 lists were not read, because the folder has photos; to read a list, name it as SOURCE: "
        #expect(run.err.contains(note + folder.path("in/b.csv")), "\(run.err)")
    }

    @Test("A folder of lists is planned like one list, and several SOURCEs are refused with a way out")
    func plans() throws {
        try list(0..<3, "lists/a.csv")
        try list(3..<6, "lists/b.csv")
        let limits = "--no-robots --allow-address 127.0.0.1 --allow-port \(server.port)"
        let planned = try run("plan lists --shards 2 --sizes none -o plan")
        #expect(planned.code == 0 && planned.err.contains("6 photos"), "\(planned.err)")
        for shard in 0..<2 {
            let work = try run("work plan --shard \(shard) -o out \(limits)")
            #expect(work.code == 0, "\(work.err)")
        }
        #expect(try run("merge plan -o out").code == 0)
        #expect(try run("mirror lists -o whole \(options)").code == 0)
        #expect(try folder.bytes(of: "out/manifest.jsonl") == folder.bytes(of: "whole/manifest.jsonl"))
        let several = try run("plan lists/a.csv lists/b.csv --shards 2 -o other")
        #expect(
            several.code == 2 && several.err.contains("plan takes only one SOURCE")
                && several.err.contains("put lists into one folder"), "\(several.err)")
    }

    @Test("A stranger's mirror contacts none of its sources before all are confirmed")
    func strangers() throws {
        let sources = ["https://a.test/x", "https://b.test/y"]
        let first = try run("mirror \(sources[0]) photo0.jpg \(sources[1]) -o m --sizes none --retries 0")
        #expect(first.code == 3 && first.err.contains("1 done"), "\(first.err)")
        #expect(first.err.contains("a.test") && first.err.contains("b.test"), "\(first.err)")
        let refused = try run("mirror -o m", as: "stranger")
        #expect(
            refused.code == 2 && refused.err.contains("its sources 'https://a.test/x', 'https://b.test/y'"),
            "\(refused.err)")
        #expect(
            refused.err.contains("run: sluice mirror https://a.test/x \(folder.path("photo0.jpg")) https://b.test/y"))
        // One of them is known then.
        #expect(try run("mirror \(sources[0]) -o m --retries 0", as: "stranger").code == 4)
    }
}
