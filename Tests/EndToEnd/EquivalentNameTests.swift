// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Photos whose addresses, keys or file names are equal in Unicode, but have different bytes.
///
/// They were taken for one: the second photo got the bytes of the first, and a bucket with both ended the run.
@Suite("Equivalent names", .timeLimit(.minutes(10))) struct EquivalentNameTests {
    private let folder = TemporaryFolder()
    private let pictures: DemoPictures
    private let names = ["\u{E9}", "e\u{301}"]

    init() throws {
        pictures = try DemoPictures(2, in: folder)
    }

    private func run(_ words: String...) throws -> Binary.Result { try Binary.run(words, folder: folder.url) }

    /// Expects two photos with their own files in the mirror `m`, and a second run that keeps both.
    ///
    /// `verify --deep` compares each file with its receipt, so two checksums are two files.
    private func expectTwoPhotos(_ words: [String], _ digest: String) throws {
        let arguments = words + ["-o", "m", "--json"]
        let first = try Binary.run(arguments, folder: folder.url).expect()
        #expect(try RunEvent.all(in: first.out).ended("done").count == 2)
        let lines = try Data(contentsOf: folder.url.appending(path: "m/manifest.jsonl")).split(separator: 10)
        let digests = try lines.map { line in
            try #require(
                String(decoding: line, as: UTF8.self).firstMatch(of: try Regex("\"\(digest)\":\"([0-9a-f]{64})\""))?[1]
                    .substring)
        }
        #expect(Set(digests).count == 2)
        let second = try Binary.run(arguments, folder: folder.url).expect()
        #expect(try RunEvent.all(in: second.out).ended("kept").count == 2)
        #expect(try run("verify", "m", "--deep").code == 0)
    }

    /// Writes a file with a name that Foundation may not change.
    private func write(_ bytes: [UInt8], to name: String) throws {
        guard let file = unsafe fopen("\(folder.path)/\(name)", "w") else { throw POSIXError(.EIO) }
        #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
        unsafe fclose(file)
    }

    private func reply(_ number: Int, at path: String) -> [(String, [RawServer.Step])] {
        [(path, pictures.reply(number)), (path.lowercased(), pictures.reply(number))]
    }

    @Test("Addresses of a list are two photos, in mirror, gallery, export and pruning")
    func list() throws {
        let replies = reply(0, at: "/%C3%A9.jpg") + reply(1, at: "/e%CC%81.jpg")
        let server = try RawServer(Dictionary(replies) { first, _ in first })
        let lines = names.map { server.url("/\($0).jpg") }
        try write(Array(lines.joined(separator: "\n").utf8), to: "list.txt")
        let words = [
            "mirror", "list.txt", "--sizes=32", "--allow-private", "--no-robots", "--allow-port=\(server.port)",
        ]
        try expectTwoPhotos(words, "sha256")
        #expect(server.requests.count == 2)
        let originals = try Tree(of: folder.path("m/originals")).files.values
        #expect(Set(originals) == Set(pictures.files.map { Data($0) }))
        #expect(try run("gallery", "m").code == 0)
        #expect(try Tree(of: folder.path("m")).text("index.html").contains("2 photos"))
        #expect(try run("export", "m", "-o", "x", "--layout", "huggingface").code == 0)
        let shard = try Data(contentsOf: folder.url.appending(path: "x/00000.tar"))
        #expect(pictures.files.allSatisfy { shard.range(of: Data($0)) != nil })
        try write(Array(lines[1].utf8), to: "list.txt")
        try Binary.run(words + ["-o", "m", "--prune", "--prune-limit=100%"], folder: folder.url).expect()
        #expect(try Tree(of: folder.path("m/originals")).files.values.map { [UInt8]($0) } == [pictures.files[1]])
    }

    /// `export` ended by SIGILL.
    @Test(
        "Columns of a list are two columns of every export",
        arguments: ["webdataset", "huggingface", "parquet", "img2dataset", "folder"])
    func columns(layout: String) throws {
        let server = try RawServer(["/a.jpg": pictures.reply(0)])
        try write(Array("url,\(names[0]),\(names[1])\n\(server.url("/a.jpg")),1,2\n".utf8), to: "list.csv")
        try Binary.run(["mirror", "list.csv", "--sizes=32", "-o", "m"] + server.access, folder: folder.url).expect()
        try run("export", "m", "-o", "x", "--layout", layout).expect()
        let bytes = try Tree(of: folder.path("x")).files.values.reduce(Data(), +)
        for name in names { #expect(bytes.range(of: Data(name.utf8)) != nil) }
    }

    @Test("Files of a folder are two photos, for mirrors and for thumbnails", arguments: ["mirror", "thumbs"])
    func files(command: String) throws {
        try folder.makeFolder("in")
        for (index, name) in names.enumerated() { try write(pictures.files[index], to: "in/\(name).jpg") }
        try expectTwoPhotos([command, "in", "--sizes=32"], "sha256")
        try Binary.run([command, "in", "--sizes=32", "-o", "m"], folder: folder.url).expect()
    }

    @Test("Files in folders with equivalent names are two photos with their own thumbnails")
    func folders() throws {
        for (index, name) in names.enumerated() {
            #expect(unsafe mkdir("\(folder.path)/in-\(index)", 0o755) == 0)
            #expect(unsafe mkdir("\(folder.path)/in-\(index)/\(name)", 0o755) == 0)
            try write(pictures.files[index], to: "in-\(index)/\(name)/a.jpg")
        }
        try expectTwoPhotos(["thumbs", "in-0", "in-1", "--sizes=32"], "sha256")
        try run("verify", "m", "--json").expect()
    }

    @Test("Keys of a bucket are two photos", arguments: ["mirror", "thumbs"])
    func bucket(command: String) throws {
        let contents = names.enumerated().map { index, name in
            "<Contents><Key>in/\(name).jpg</Key><Size>\(pictures.files[index].count)</Size><ETag>\"\(index)\"</ETag></Contents>"
        }
        let page = Array("<ListBucketResult>\(contents.joined())</ListBucketResult>".utf8)
        var replies: [String: [RawServer.Step]] = [
            "/bucket?encoding-type=url&list-type=2&max-keys=1000&prefix=in%2F": DemoPictures.reply("200 OK", page)
        ]
        for (index, path) in ["/bucket/in/%C3%A9.jpg", "/bucket/in/e%CC%81.jpg"].enumerated() {
            replies[path] = pictures.reply(index, headers: "ETag: \"\(index)\"\r\n")
        }
        let server = try RawServer(replies)
        let keys = ["AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"]
        let words = [command, "s3://bucket/in", "--sizes=32", "--s3-endpoint", server.url(""), "-o", "m", "--json"]
        let first = try Running(words, environment: keys, folder: folder.url).end()
        #expect(first.code == 0, "\(first.err) \(server.requests)")
        #expect(try RunEvent.all(in: first.out).ended("done").count == 2)
        let second = try Running(words, environment: keys, folder: folder.url).end()
        #expect(try RunEvent.all(in: second.out).ended("kept").count == 2, "\(second.err)")
        #expect(try run("verify", "m", "--deep").code == 0)
    }
}
