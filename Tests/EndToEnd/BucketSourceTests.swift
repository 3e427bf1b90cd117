// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

@Suite("Buckets as sources", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketSourceTests {
    /// Puts twelve photos of the demo below `in/` and returns them by name.
    private func photos(in bucket: BucketUnderTest) throws -> [(key: String, value: Data)] {
        let demo = [
            "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "none", "--out",
            "demo",
        ]
        let run = try bucket.start(demo).end()
        #expect(run.code == 0, "\(run.err)")
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
        let first = try bucket.start(mirror(bucket)).end()
        #expect(first.code == 0, "\(first.err)")
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
        #expect(prune.out.split(separator: "\n").count == 12)
    }

    @Test("A killed run is continued, and finished objects are not downloaded again")
    func killed() async throws {
        let bucket = try await BucketUnderTest()
        _ = try photos(in: bucket)
        let run = try bucket.start(mirror(bucket, ["--concurrency", "1"]))
        let events = try run.wait(for: "item-ended", count: 2)
        run.send(SIGKILL)
        _ = try run.end()
        let next = try bucket.start(mirror(bucket)).end()
        #expect(next.code == 0, "\(next.err)")
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
        try parquet.write(to: bucket.folder.url.appending(path: "photos.parquet"))
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
        let none = try bucket.run("mirror", bucket.url("parts/*.tsv"), "--out", "m")
        #expect(none.code == 4 && none.err.contains("no list matches"), "\(none)")
        let missing = try bucket.run("mirror", bucket.url("lists/none.csv"), "--out", "m")
        #expect(missing.err.contains("the object does not exist"), "\(missing.err)")
        let invalid = try bucket.run("mirror", "s3://A/b", "--out", "m")
        #expect(invalid.code == 2 && invalid.err.contains("expected s3://BUCKET/PREFIX"), "\(invalid.err)")
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
        let refused = try run(mirror(bucket))
        #expect(refused.code == 2 && refused.err.contains("there are no credentials"), "\(refused.err)")
        #expect(refused.err.hasSuffix("hint: if the bucket is public, use --s3-anonymous\n"), "\(refused.err)")
        #expect(!FileManager.default.fileExists(atPath: bucket.folder.path("out")))
        let thumbs = ["thumbs", bucket.url("in"), "--out", "small", "--sizes", "32"]
        #expect(try run(thumbs).err.hasSuffix("hint: if the bucket is public, use --s3-anonymous\n"))

        let first = try run(mirror(bucket, ["--s3-anonymous"]))
        #expect(try first.code == 0 && RunEvent.all(in: first.out).ended("done").count == photos.count, "\(first.err)")
        // A repeated run uses the recorded option.
        let second = try run(["mirror", "--out", "out", "--json"])
        #expect(try second.code == 0 && RunEvent.all(in: second.out).ended("kept").count == 12, "\(second.err)")
        #expect(try run(thumbs + ["--s3-anonymous"]).code == 0)
        let list = try run(["mirror", bucket.url("lists/photos.csv"), "--dry-run", "--s3-anonymous"])
        #expect(list.code == 0 && list.out.contains("https://host.example/1.jpg"), "\(list.err)")

        // Also keys that the service does not know may be why a public bucket is refused.
        for source in ["in", "lists/photos.csv"] {
            let denied = try bucket.start(
                ["mirror", bucket.url(source), "--out", "denied"], keys: ("AKIAUNKNOWN", "000000")
            ).end()
            #expect(denied.code != 0 && denied.err.contains("if the bucket is public, use --s3-anonymous"), "\(denied)")
        }

        // Keys are not sent, and the output is signed as always.
        let wrong = try bucket.start(
            mirror(bucket, ["--s3-anonymous", "--refresh"]), keys: ("AKIAUNKNOWN", "000000")
        ).end()
        #expect(wrong.code == 0, "\(wrong.err)")
        let output = try run(["mirror", bucket.url("in"), "--out", bucket.url("new"), "--s3-anonymous"])
        #expect(output.code == 2 && output.err.contains("there are no credentials"), "\(output.err)")
        #expect(!output.err.contains("--s3-anonymous"), "\(output.err)")
        let secret = try await BucketUnderTest()
        try secret.put(photos[0].value, to: "in/a.jpg")
        let closed = try secret.start(mirror(secret, ["--s3-anonymous"]), keys: nil).end()
        #expect(closed.code == 4 && closed.err.contains("the bucket is not public"), "\(closed.err)")
    }
}
