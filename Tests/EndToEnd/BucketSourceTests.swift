// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Buckets as sources", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketSourceTests {
    /// Puts twelve photos of the demo below `in/` and returns them by name.
    private func photos(in bucket: BucketUnderTest) throws -> [(key: String, value: Data)] {
        let demo = [
            "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "none", "--out",
            "demo",
        ]
        try bucket.start(demo).end().expect()
        let photos = try Tree(of: bucket.folder.path("demo")).filtered { $0.hasPrefix("originals/") }.files
        return try photos.sorted { $0.key < $1.key }.enumerated().map { index, photo in
            let name = "album \(index % 3)/ü+\(index).jpg"
            try bucket.put(photo.value, to: "in/\(name)")
            return (name, photo.value)
        }
    }

    private func mirror(_ bucket: BucketUnderTest, _ options: [String] = []) -> [String] {
        ["mirror", bucket.url("in"), "--out", "out", "--sizes", "32", "--title", "t", "--json"] + options
    }

    @Test("A bucket is mirrored like a folder, and only changed objects are downloaded again")
    func pictures() async throws {
        let bucket = try await BucketUnderTest()
        let photos = try photos(in: bucket)
        try bucket.put(Data("text".utf8), to: "in/readme.txt")
        try bucket.put(photos[0].value, to: "in/.hidden/a.jpg")
        let first = try bucket.start(mirror(bucket)).end().expect()
        #expect(try RunEvent.all(in: first.out).ended("done").count == 12)
        let tree = try Tree(of: bucket.folder.path("out"))
        #expect(Set(tree.filtered { $0.hasPrefix("originals/") }.files.values) == Set(photos.map(\.value)))
        let lines = tree.text("manifest.jsonl").split(separator: "\n")
        #expect(lines.count == 12)
        #expect(lines[0].contains("\"url\":\"\(bucket.url("in/album 0/ü+0.jpg"))\""), "\(lines[0])")
        #expect(lines[0].contains("\"collection\":\"album 0\"") && lines[0].contains("\"caption\":\"ü+0\""))

        try bucket.put(photos[1].value, to: "in/\(photos[0].key)")
        let second = try bucket.start(mirror(bucket)).end()
        let events = try RunEvent.all(in: second.out)
        #expect(second.code == 0 && events.ended("kept").count == 11 && events.ended("done").count == 1)
        let changed = try Tree(of: bucket.folder.path("out")).filtered { $0.hasPrefix("originals/") }
        #expect(Set(changed.files.values) == Set(photos.dropFirst().map(\.value)))

        // Without requests for unchanged objects, their removal is only noticed by a listing.
        let prune = try bucket.start(mirror(bucket, ["--dry-run"]).filter { $0 != "--json" }).end()
        #expect(prune.out.isEmpty && prune.err.contains("dry run: 12 photos listed, 0 to download"), "\(prune)")
    }

    @Test("A killed run is continued, and finished objects are not downloaded again")
    func killed() async throws {
        let bucket = try await BucketUnderTest()
        _ = try photos(in: bucket)
        let run = try bucket.start(mirror(bucket, ["--concurrency", "1"]))
        let events = try run.wait(for: "item-ended", count: 2)
        run.send(SIGKILL)
        _ = try run.end()
        let next = try bucket.start(mirror(bucket)).end().expect()
        let ended = try RunEvent.all(in: next.out)
        #expect(ended.ended("kept").isSuperset(of: events.ended("done")))
        #expect(ended.ended("kept").count + ended.ended("done").count == 12)
    }

    @Test("The user's rules apply to objects, and those that are no pictures fail")
    func rules() async throws {
        let bucket = try await BucketUnderTest()
        let photos = try photos(in: bucket)
        try bucket.put(Data("text".utf8), to: "in/text.jpg")
        try bucket.put(Data(), to: "in/empty.jpg")
        let run = try bucket.start(mirror(bucket, ["--min-size", "5000x5000"])).end()
        let events = try RunEvent.all(in: run.out)
        #expect(run.code == 3 && events.ended("skipped").count == 12, "\(run.err)")
        let causes = events.filter { $0[text: "event"] == "item-ended" }.compactMap { $0[text: "cause"] }
        #expect(Set(causes).isSuperset(of: ["not-an-image", "empty-body"]), "\(causes)")
        let limited = try bucket.start(mirror(bucket, ["--max-bytes", "\(photos[0].value.count / 100)"])).end()
        #expect(try RunEvent.all(in: limited.out).ended("failed").count >= 12)
    }

    @Test("A list in a bucket is read like a local one")
    func list() async throws {
        let bucket = try await BucketUnderTest()
        let rows = (0..<5000).map { "https://host-\($0 % 7).example/\($0).jpg,\($0)\n" }.joined()
        let list = Data("url,id\n\(rows)".utf8)
        let local = bucket.folder.url.appending(path: "photos.csv")
        try list.write(to: local)
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/bin/gzip")
        gzip.arguments = ["-k", local.path]
        try gzip.run()
        gzip.waitUntilExit()
        try bucket.put(list, to: "lists/photos.csv")
        try bucket.put(
            try Data(contentsOf: bucket.folder.url.appending(path: "photos.csv.gz")), to: "lists/photos.csv.gz")
        let expected = try bucket.run("mirror", "photos.csv", "--dry-run")
        #expect(expected.code == 0 && expected.out.split(separator: "\n").count == 5000, "\(expected.err)")
        for name in ["photos.csv", "photos.csv.gz"] {
            let run = try bucket.run("mirror", bucket.url("lists/\(name)"), "--dry-run")
            #expect(run.code == 0 && run.out == expected.out, "\(name): \(run.err)")
        }
        // Of a Parquet file, parts are requested.
        let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzz/Corpus/parquet")
        let parquet = try Data(contentsOf: corpus.appending(path: "addresses").standardized)
        try bucket.folder.write(parquet, to: "photos.parquet")
        try bucket.put(parquet, to: "lists/photos.parquet")
        let rowsOfFile = try bucket.run("mirror", "photos.parquet", "--dry-run", "--url-column", "url")
        let rowsOfObject = try bucket.run(
            "mirror", bucket.url("lists/photos.parquet"), "--dry-run", "--url-column", "url")
        #expect(rowsOfObject.code == rowsOfFile.code && rowsOfObject.out == rowsOfFile.out, "\(rowsOfObject.err)")
        #expect(!rowsOfFile.out.isEmpty)
        // A pattern is a source of all lists that match, in the order of their names.
        for (name, number) in [("b.csv", 2), ("a.csv", 1), ("sub/c.csv", 3), (".d.csv", 4)] {
            try bucket.put(Data("url\nhttps://host.example/\(number).jpg\n".utf8), to: "parts/\(name)")
        }
        let joined = try bucket.run("mirror", bucket.url("parts/*.csv"), "--dry-run")
        let lines = joined.out.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("/1.jpg") && lines[1].contains("/2.jpg"), "\(joined)")
        try bucket.run("mirror", bucket.url("parts/*.tsv"), "--out", "m").expect(4, err: "no list matches")
        let missing = try bucket.run("mirror", bucket.url("lists/none.csv"), "--out", "m")
        #expect(missing.err.contains("the object does not exist"), "\(missing.err)")
        try bucket.run("mirror", "s3://A/b", "--out", "m").expect(2, err: "expected s3://BUCKET/PREFIX")
    }

    @Test("A public bucket is read without credentials, and another one is not")
    func anonymous() async throws {
        let endpoint = try await SeaweedServer.running().endpoint
        let bucket = try BucketUnderTest(SeaweedServer.publicBucket, at: endpoint)
        try bucket.client.send(S3Request("PUT")) { (_) throws(S3Error) in }
        let photos = try photos(in: bucket)
        try bucket.put(Data("url,id\nhttps://host.example/1.jpg,1\n".utf8), to: "lists/photos.csv")
        func run(_ words: [String]) throws -> Binary.Result { try bucket.start(words, keys: nil).end() }

        // Without the option, the message names it.
        let refused = try run(mirror(bucket)).expect(2, err: "there are no credentials")
        #expect(refused.err.hasSuffix("hint: if the bucket is public, use --s3-anonymous\n"), "\(refused.err)")
        #expect(!bucket.folder.contains("out"))
        let thumbs = ["thumbs", bucket.url("in"), "--out", "small", "--sizes", "32"]
        #expect(try run(thumbs).err.hasSuffix("hint: if the bucket is public, use --s3-anonymous\n"))

        let first = try run(mirror(bucket, ["--s3-anonymous"]))
        #expect(try first.code == 0 && RunEvent.all(in: first.out).ended("done").count == photos.count, "\(first.err)")
        // A repeated run uses the recorded option.
        let second = try run(["mirror", "--out", "out", "--json"])
        #expect(try second.code == 0 && RunEvent.all(in: second.out).ended("kept").count == 12, "\(second.err)")
        #expect(try run(thumbs + ["--s3-anonymous"]).code == 0)
        try run(["mirror", bucket.url("lists/photos.csv"), "--dry-run", "--s3-anonymous"]).expect(
            out: "https://host.example/1.jpg")

        // Also keys that the service does not know may be why a public bucket is refused.
        for source in ["in", "lists/photos.csv"] {
            let denied = try bucket.start(
                ["mirror", bucket.url(source), "--out", "denied"], keys: ("AKIAUNKNOWN", "000000")
            ).end()
            #expect(denied.code != 0 && denied.err.contains("if the bucket is public, use --s3-anonymous"), "\(denied)")
        }

        // Keys are not sent, and the output is signed as always.
        try bucket.start(
            mirror(bucket, ["--s3-anonymous", "--refresh"]), keys: ("AKIAUNKNOWN", "000000")
        ).end().expect()
        let output = try run(["mirror", bucket.url("in"), "--out", bucket.url("new"), "--s3-anonymous"]).expect(
            2, err: "there are no credentials")
        #expect(!output.err.contains("--s3-anonymous"), "\(output.err)")
        let secret = try await BucketUnderTest()
        try secret.put(photos[0].value, to: "in/a.jpg")
        try secret.start(mirror(secret, ["--s3-anonymous"]), keys: nil).end().expect(4, err: "the bucket is not public")
    }
}

@Suite("Buckets: commands for mirrors", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketReadingTests {
    private let photos = 12

    /// Mirrors the demo into a bucket and into a folder.
    private func make() async throws -> BucketUnderTest {
        let bucket = try await BucketUnderTest()
        for out in [bucket.url("m"), "local"] {
            try bucket.run(
                "mirror", "demo", "--pages", "1", "--per-page", "\(photos)", "--variant", "thumb", "--sizes", "64",
                "--title", "t", "--out", out
            ).expect()
        }
        return bucket
    }

    @Test("verify finds missing, changed and extra objects, without and with downloads")
    func verify() async throws {
        let bucket = try await make()
        try bucket.run("verify", bucket.url("m")).expect(err: "24 files of 12 photos")
        let names = try bucket.objects(below: "m").keys.filter { $0.hasPrefix("thumbs/") }.sorted()
        try bucket.client.delete("m/\(names[0])")
        let (size, other) = (try #require(try bucket.client.head("m/\(names[1])")).size, names[2])
        try bucket.put(Data(repeating: 7, count: size), to: "m/\(names[1])")
        try bucket.put(Data([1]), to: "m/\(other)")
        try bucket.put(Data([1]), to: "m/originals/extra.jpg")
        for arguments in [[], ["--deep"]] {
            // A machine that has not written to the bucket reads the ledger there.
            let run = try bucket.start(["verify", bucket.url("m"), "--state", "reader"] + arguments).end().expect(7)
            let lines = run.out.split(separator: "\n").sorted()
            #expect(lines.count == 4, "\(run.out)")
            #expect(run.out.contains("missing     \(names[0])"))
            #expect(run.out.contains("\(names[1]): the size matches, but the checksum does not"))
            #expect(run.out.contains("changed     \(other): 1 bytes, expected "))
            #expect(run.out.contains("extra       originals/extra.jpg"))
        }
        try bucket.run("verify", bucket.url("m"), "--repair").expect()
        try bucket.run("verify", bucket.url("nothing")).expect(2, err: "there is no mirror at this location")
    }

    @Test("explain, diff, duplicates and gallery have the same results as for a local mirror")
    func reports() async throws {
        let bucket = try await make()
        for command in ["explain", "duplicates", "diff"] {
            let expected = try bucket.run(command, "local")
            let run = try bucket.run(command, bucket.url("m"), "--state", "reader")
            let text = run.out.replacing(bucket.url("m"), with: "local")
            #expect(run.code == expected.code && text == expected.out, "\(command): \(run.err)")
        }
        for out in [bucket.url("m"), "local"] {
            try bucket.run("gallery", out, "--title", "another").expect()
        }
        let expected = try Tree(of: bucket.folder.path("local")).visible.files
        #expect(try bucket.objects(below: "m") == expected)
        #expect(expected["index.html"].map { String(decoding: $0, as: UTF8.self) }?.contains("another") == true)
    }

    @Test("export reads from buckets, with the same bytes as from a folder")
    func export() async throws {
        let bucket = try await make()
        #expect(try bucket.run("export", "local", "--out", "expected").code == 0)
        try bucket.run("export", bucket.url("m"), "--out", "shards").expect()
        // The record of an export names its mirror.
        let trees = try ["shards", "expected"].map { folder in
            try Tree(of: bucket.folder.path(folder)).filtered { $0 != ".sluice-export.json" }
        }
        #expect(trees[0] == trees[1] && !trees[0].files.isEmpty)
    }

    @Test("serve delivers the gallery of a bucket, and hides the ledger")
    func serve() async throws {
        let bucket = try await make()
        let port = try ObjectStoreTools.freePort()
        let server = try bucket.start(["serve", bucket.url("m"), "--port", "\(port)"])
        try await wait(for: "the server") { ObjectStoreTools.isListening(on: port) }
        func get(_ path: String) async throws -> (status: Int?, data: Data) {
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/\(path)"))
            let (data, response) = try await URLSession.shared.data(from: url)
            return ((response as? HTTPURLResponse)?.statusCode, data)
        }
        let objects = try bucket.objects(below: "m")
        for name in try #require(objects.keys.first { $0.hasPrefix("originals/") }.map { [$0, "manifest.jsonl"] }) {
            let reply = try await get(name)
            #expect(reply.status == 200 && reply.data == objects[name], "\(name)")
        }
        #expect(try await get("").status == 200)
        #expect(try await get(".sluice/ledger.sqlite").status == 404)
        server.send(SIGTERM)
        #expect(try server.end().code == 0)
    }
}

@Suite("Buckets: exports", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketExportTests {
    private func makeMirror() async throws -> BucketUnderTest {
        let bucket = try await BucketUnderTest()
        try bucket.run(
            "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "64", "--out", "m"
        ).expect()
        return bucket
    }

    @Test(
        "An export into a bucket has the same bytes as one into a folder",
        arguments: ["webdataset", "img2dataset", "folder"])
    func sameFiles(_ layout: String) async throws {
        let bucket = try await makeMirror()
        let export = ["export", "m", "--layout", layout, "--shard-items", "5", "--split", "train:2,test:1"]
        let local = try bucket.start(export + ["--out", "local"]).end().expect()
        let run = try bucket.start(export + ["--out", bucket.url("data")]).end()
        #expect(run.code == 0 && run.err == local.err, "\(run.err)")
        let expected = try Tree(of: bucket.folder.path("local")).files
        #expect(try bucket.objects(below: "data") == expected)
        try bucket.start(export + ["--out", bucket.url("data")]).end().expect(err: "were finished before")
        #expect(try bucket.objects(below: "data") == expected)
    }

    @Test("An export that the service has ended is continued, and finished shards are kept")
    func interrupted() async throws {
        let bucket = try await makeMirror()
        let export = ["export", "m", "--shard-items", "4", "--out", bucket.url("data")]
        let proxy = try FaultProxy(of: bucket.endpoint) { $0.target.contains("00002.tar") ? .slowDown : nil }
        let first = try bucket.start(export + ["--s3-endpoint", proxy.endpoint]).end()
        #expect(first.code == 5 && first.err.contains("SlowDown"), "\(first.code): \(first.err)")
        // Another machine cannot know what the first one has finished of the record, but finds it in the bucket.
        try bucket.start(export + ["--state", "another"]).end().expect(err: "2 of them were finished before")
        #expect(try bucket.start(["export", "m", "--shard-items", "4", "--out", "local"]).end().code == 0)
        #expect(try bucket.objects(below: "data") == Tree(of: bucket.folder.path("local")).files)
    }

    @Test("A WACZ in a bucket is complete or absent, has the bytes of a local one, and other objects stay")
    func webArchive() async throws {
        let bucket = try await BucketUnderTest()
        try bucket.run(
            "mirror", "demo", "--pages", "1", "--per-page", "4", "--variant", "thumb", "--sizes", "64", "--out", "m",
            "--warc", "w.warc.gz"
        ).expect()
        let export = ["export", "m", "--layout", "wacz", "--warc", "w.warc.gz", "--out"]
        let local = try bucket.start(export + ["x.wacz"]).end().expect()
        try bucket.put(Data("other".utf8), to: "web/other.wacz")
        let proxy = try FaultProxy(of: bucket.endpoint) { $0.target.contains("x.wacz") ? .slowDown : nil }
        let failed = try bucket.start(export + [bucket.url("web/x.wacz"), "--s3-endpoint", proxy.endpoint]).end()
        #expect(failed.code == 5 && failed.err.contains("SlowDown"), "\(failed.code): \(failed.err)")
        #expect(try bucket.names(below: "web") == ["web/other.wacz"])
        for name in ["web/x.wacz", "x.wacz"] {
            let stored = try bucket.start(export + [bucket.url(name)]).end()
            #expect(stored.code == 0 && stored.err == local.err, "\(stored)")
            #expect(try bucket.client.get(name, limit: .max) == [UInt8](bucket.folder.bytes(of: "x.wacz")))
        }
        #expect(try bucket.names(below: "web") == ["web/other.wacz", "web/x.wacz"])
        #expect(try Tree(of: bucket.folder.path).names.filter { $0.contains("wacz") } == ["x.wacz"])
    }
}
