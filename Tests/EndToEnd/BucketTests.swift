// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

@Suite("Buckets", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10))) struct BucketTests {
    private let mirror = [
        "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "64", "--title", "t",
        "--json",
    ]

    @Test("A mirror in a bucket has the same files as a local one, and thumbnails are made from bucket to bucket")
    func sameFiles() async throws {
        let bucket = try await BucketUnderTest()
        try bucket.start(mirror + ["--out", "local"]).end().expect()
        try bucket.start(mirror + ["--out", bucket.url("photos/demo"), "--state", "state"]).end().expect()
        let expected = try Tree(of: bucket.folder.path("local")).visible
        let stored = try bucket.objects(below: "photos/demo")
        #expect(stored.keys.sorted() == expected.names)
        for name in expected.names { #expect(stored[name] == expected.files[name], "\(name)") }

        let second = try bucket.start(mirror + ["--out", bucket.url("photos/demo"), "--state", "state"]).end()
        #expect(try second.code == 0 && RunEvent.all(in: second.out).ended("kept").count == 12)

        let thumbs = ["thumbs", "--sizes", "32,48", "--title", "t", "--json"]
        let source = bucket.url("photos/demo/originals")
        try bucket.start(thumbs + ["local/originals", "--out", "thumbs"]).end().expect()
        for kind in ["done", "kept"] {
            let run = try bucket.start(thumbs + [source, "--out", bucket.url("thumbs"), "--state", "thumbs-state"])
                .end().expect()
            #expect(try RunEvent.all(in: run.out).ended(kind).count == 12, "\(kind)")
        }
        let made = try Tree(of: bucket.folder.path("thumbs")).filtered { $0.hasSuffix(".jpg") }
        let pictures = try bucket.objects(below: "thumbs").filter { $0.key.hasSuffix(".jpg") }
        #expect(made.files == pictures && made.files.count == 24)
    }

    @Test("A killed run has told only of objects that exist, and the next run finishes the work")
    func killed() async throws {
        let bucket = try await BucketUnderTest()
        let arguments = mirror + ["--out", bucket.url("m"), "--state", "state"]
        let run = try bucket.start(arguments)
        let events = try run.wait(for: "item-ended", count: 3)
        run.send(SIGKILL)
        _ = try run.end()
        let reported = events.filter { $0[text: "end"] == "done" }
        for event in reported {
            let file = try #require(
                (event.members["original"] as? [String: Any])?["path"] as? String ?? event[text: "file"])
            #expect(try bucket.contains("m/\(file)"), "\(file)")
        }
        let next = try bucket.start(arguments).end().expect()
        let ended = try RunEvent.all(in: next.out)
        #expect(ended.ended("kept").isSuperset(of: events.ended("done")))
        #expect(try bucket.objects(below: "m").keys.count { $0.hasPrefix("originals/") } == 12)
    }

    @Test("A changed object gets a new thumbnail, and objects that are no pictures fail or are skipped")
    func changes() async throws {
        let bucket = try await BucketUnderTest()
        #expect(try bucket.start(mirror + ["--out", "local"]).end().code == 0)
        let photos = try Tree(of: bucket.folder.path("local")).filtered { $0.hasPrefix("originals/") }.files.sorted {
            $0.key < $1.key
        }
        try bucket.put(photos[0].value, to: "in/a b/ü+1.jpg")
        try bucket.put(photos[1].value, to: "in/two.JPG")
        try bucket.put(Data("text".utf8), to: "in/three.png")
        try bucket.put(Data("text".utf8), to: "in/readme.txt")
        try bucket.put(photos[2].value, to: "in/.hidden/four.jpg")
        func thumbs() throws -> [RunEvent] {
            let run = try bucket.run("thumbs", bucket.url("in"), "--out", "out", "--sizes", "32", "--json").expect(3)
            return try RunEvent.all(in: run.out)
        }
        let first = try thumbs()
        #expect(first.ended("done").count == 2 && first.ended("failed").count == 1)
        #expect(bucket.folder.contains("out/32/a b/ü+1.jpg"))
        try bucket.put(photos[3].value, to: "in/two.JPG")
        let second = try thumbs()
        #expect(second.ended("done").count == 1 && second.ended("kept").count == 1)
    }

    @Test("Bad input has one clear sentence")
    func refusals() async throws {
        let bucket = try await BucketUnderTest()
        func expect(
            _ arguments: [String], keys: (key: String, secret: String)? = SeaweedServer.owner, code: Int32,
            _ text: String,
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            let run = try bucket.start(arguments, keys: keys).end()
            #expect(run.code == code, "\(run.err)", sourceLocation: location)
            #expect(text.isEmpty || run.err.contains(text), "\(run.err)", sourceLocation: location)
            #expect(!(run.out + run.err).contains(keys?.secret ?? "no secret"), sourceLocation: location)
        }
        let out = mirror + ["--out", bucket.url("m")]
        try expect(out + ["--state", "one"], code: 0, "")
        try expect(out + ["--state", "two"], code: 0, "")
        try expect(
            mirror + ["--out", bucket.url("other"), "--state", "one"], code: 2,
            "it is the state of '\(bucket.url("m"))'")
        try expect(mirror + ["--out", "one"], code: 2, "its files are in '\(bucket.url("m"))'")
        try expect(["gallery", "--rebuild", bucket.url("m")], code: 2, "this is not supported for buckets")
        try bucket.put(Data([1]), to: "full/object")
        try expect(mirror + ["--out", bucket.url("full")], code: 2, "it has other objects")
        try expect(mirror + ["--out", bucket.url("new")], keys: nil, code: 2, "there are no credentials")
        try expect(
            mirror + ["--out", bucket.url("new")], keys: ("AKIAUNKNOWN", "000000"), code: 5,
            "does not know the access key")
        try expect(
            mirror + ["--out", bucket.url("new")], keys: (SeaweedServer.owner.key, "000000"), code: 5,
            "the secret key is wrong")
        try expect(mirror + ["--out", bucket.url("new")], keys: SeaweedServer.reader, code: 5, "do not permit")
        try expect(mirror + ["--out", "s3://no-such-bucket/a"], code: 5, "the bucket 'no-such-bucket' does not exist")
        try expect(mirror + ["--out", "s3://A/b"], code: 2, "expected s3://BUCKET/PREFIX")
        try expect(
            ["thumbs", "s3://no-such-bucket/a", "--out", "t"], code: 4, "the bucket 'no-such-bucket' does not exist")
        try expect(["thumbs", bucket.url("full"), "local", "--out", "t"], code: 2, "local files and buckets")
    }

    @Test("Secrets are nowhere in the state and in the bucket")
    func secrets() async throws {
        let bucket = try await BucketUnderTest()
        #expect(try bucket.start(mirror + ["--out", bucket.url("m"), "--state", "state"]).end().code == 0)
        let files = try Tree(of: bucket.folder.path("state")).files.merging(bucket.objects(below: "m")) { $1 }
        #expect(files.count > 20)
        for (name, data) in files {
            #expect(data.firstRange(of: Data(SeaweedServer.owner.secret.utf8)) == nil, "\(name)")
        }
    }

    @Test(
        "A service that ignores conditions is refused unless the user allows it",
        .enabled(if: ObjectStoreTools.hasRclone))
    func ignoredConditions() async throws {
        let server = try await RcloneServer(bucket: "photos")
        let bucket = try BucketUnderTest("photos", at: server.endpoint)
        let out = mirror + ["--out", bucket.url("m"), "--state", "state"]
        try bucket.start(out).end().expect(5, err: "the service ignores conditions", "--s3-unsafe-commits")
        try bucket.start(out + ["--s3-unsafe-commits"]).end().expect()
        #expect(try bucket.objects(below: "m").keys.count { $0.hasPrefix("originals/") } == 12)
    }
}

@Suite("Buckets: pruning", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketPruneTests {
    @Test("--prune removes objects that are as recorded, also if a response is lost, and keeps changed ones")
    func prune() async throws {
        let bucket = try await BucketUnderTest()
        try bucket.run(
            "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "none", "--out",
            "demo"
        ).expect()
        let photos = try Tree(of: bucket.folder.path("demo")).filtered { $0.hasPrefix("originals/") }.files
        let names = photos.values.sorted { $0.count < $1.count }.prefix(4).enumerated().map { (number, bytes) in
            (key: "in/\(number).jpg", bytes: bytes)
        }
        for (key, bytes) in names { try bucket.put(bytes, to: key) }
        let arguments = ["mirror", bucket.url("in"), "--out", bucket.url("m"), "--sizes", "none", "--state", "state"]
        try bucket.start(arguments).end().expect()
        let stored = try bucket.objects(below: "m").filter { $0.key.hasPrefix("originals/") }
        func file(_ number: Int) throws -> String {
            try #require(stored.first { $0.value == names[number].bytes }?.key)
        }

        let (removed, replaced) = try (file(0), file(1))
        try bucket.put(Data("another photo".utf8), to: "m/\(replaced)")
        for number in 0...1 { try bucket.client.delete(names[number].key) }
        let proxy = try FaultProxy(of: bucket.endpoint) {
            $0.method == "DELETE" && $0.attempt == 1 ? .lostResponse : nil
        }
        let prune = try bucket.start(
            arguments + ["--prune", "--prune-limit", "100%", "--s3-endpoint", proxy.endpoint]
        ).end()
        #expect(prune.code == 0 && proxy.faults > 0, "\(prune.err)")
        #expect(prune.err.contains("pruned 2 of 4 photos"), "\(prune.err)")
        #expect(prune.err.contains("kept 1 changed object"), "\(prune.err)")
        let left = try bucket.objects(below: "m").filter { $0.key.hasPrefix("originals/") }
        #expect(left[removed] == nil && left[replaced] == Data("another photo".utf8))
        #expect(try left.keys.sorted() == [replaced, file(2), file(3)].sorted())
    }
}
