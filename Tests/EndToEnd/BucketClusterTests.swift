// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `plan`, `work` and `merge` with plans and mirrors in buckets.
@Suite("Plans in buckets", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketClusterTests {
    private let demo = [
        "demo", "--pages", "1", "--per-page", "8", "--variant", "thumb", "--sizes", "64",
    ]

    private func run(_ bucket: BucketUnderTest, _ words: [String]) throws -> Binary.Result {
        try bucket.start(words).end()
    }

    private func succeed(_ bucket: BucketUnderTest, _ words: [String]) throws {
        let result = try run(bucket, words)
        #expect(result.code == 0, "\(words): \(result.err)")
    }

    @Test("Shards that machines process in a bucket are merged into the files of a local mirror")
    func sameFiles() async throws {
        let bucket = try await BucketUnderTest()
        try succeed(bucket, ["mirror"] + demo + ["-o", "photos"])
        let (plan, out) = (bucket.url("jobs/plan"), bucket.url("photos"))
        let planning = ["plan"] + demo + ["-o", plan]
        try succeed(bucket, planning + ["--shards", "2"])
        try run(bucket, planning + ["--shards", "2", "--state", "other"]).expect(err: "unchanged plan")
        #expect(try run(bucket, planning + ["--shards", "3"]).err.contains("it has another plan"))

        try run(bucket, ["merge", plan, "-o", out]).expect(3, out: "sluice work \(plan) --shard 1 --out \(out)\n")
        try succeed(bucket, ["work", plan, "--shard", "0", "-o", out])
        try succeed(bucket, ["work", plan, "--shard", "1", "-o", out, "--state", "disk"])
        #expect(try bucket.contains("jobs/plan/receipts/00001.json"))
        #expect(try bucket.contains("jobs/plan/status/00000.json"))
        try succeed(bucket, ["merge", plan, "-o", out, "--deep"])

        let expected = try Tree(of: bucket.folder.path("photos")).visible
        var stored = try bucket.objects(below: "photos")
        #expect(stored.removeValue(forKey: "certificate.json") != nil && stored.removeValue(forKey: "_SUCCESS") != nil)
        #expect(stored.keys.sorted() == expected.names)
        for name in expected.names { #expect(stored[name] == expected.files[name], "\(name)") }
        #expect(try run(bucket, ["merge", plan, "-o", out]).err.contains("already merged: all 2 shards"))
        try succeed(bucket, ["verify", out, "--deep"])
        // Neither the bucket nor the machine keeps attempts.
        #expect(try bucket.names(below: "photos/.sluice/shards").isEmpty)
        let states = try FileManager.default.contentsOfDirectory(
            atPath: bucket.folder.path(".local/state/sluice"))
        #expect(states.filter { $0.contains("shards") } == [])
        #expect(try run(bucket, ["mirror", "-o", out] + demo).code == 0)
    }

    @Test("Shards that become pieces of a dataset in a bucket have the bytes of those in a folder")
    func dataset() async throws {
        let bucket = try await BucketUnderTest()
        let (plan, out) = (bucket.url("plan"), bucket.url("data"))
        let planning = ["plan"] + demo + ["--shards", "2", "-o"]
        for place in [plan, "plan"] { try succeed(bucket, planning + [place]) }
        for shard in ["0", "1"] {
            let words = ["--shard", shard, "--layout", "webdataset", "--shard-items", "3", "-o"]
            try succeed(bucket, ["work", plan] + words + [out])
            try succeed(bucket, ["work", "plan"] + words + ["data"])
        }
        try succeed(bucket, ["merge", "plan", "-o", "data", "--deep"])
        try succeed(bucket, ["merge", plan, "-o", out, "--deep"])
        let expected = try Tree(of: bucket.folder.path("data")).visible
        let stored = try bucket.objects(below: "data")
        #expect(stored.keys.sorted() == expected.names && expected.names.contains("00001-00001.tar"))
        for name in expected.names { #expect(stored[name] == expected.files[name], "\(name)") }
        #expect(try bucket.names(below: "data/.sluice/shards").isEmpty)
    }

    @Test("Shards that share a host ask it for its rules once, through the bucket of the mirror")
    func sharedRules() async throws {
        let bucket = try await BucketUnderTest()
        let png = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        let paths = (1...4).map { "/\($0).png" }
        var replies: [String: [RawServer.Step]] = [:]
        for path in paths {
            replies[path] = [.text("HTTP/1.1 200 OK\r\nContent-Length: \(png.count)\r\n\r\n"), .raw([UInt8](png))]
        }
        let rules = "User-agent: *\nDisallow: /2.png\n"
        replies["/robots.txt"] = [.text("HTTP/1.1 200 OK\r\nContent-Length: \(rules.utf8.count)\r\n\r\n\(rules)")]
        let server = try RawServer(replies)
        try bucket.folder.write(paths.map { server.url($0) + "\n" }.joined(), to: "list.txt")
        let allowed = ["--allow-private", "--allow-port", "\(server.port)"]
        let (plan, out) = (bucket.url("plan"), bucket.url("out"))
        try succeed(bucket, ["plan", "list.txt", "--sizes", "none", "--shards", "2", "-o", plan] + allowed)
        for shard in ["0", "1"] { try succeed(bucket, ["work", plan, "--shard", shard, "-o", out] + allowed) }
        #expect(server.requests.count { $0.hasPrefix("GET /robots.txt ") } == 1)
        #expect(server.requests.count { $0.contains(".png ") } == 3)
        try succeed(bucket, ["merge", plan, "-o", out] + allowed)
        #expect(try bucket.names(below: "out/.sluice/shards").isEmpty)
    }

    @Test("A plan in a bucket has a local mirror, and a local plan has one in a bucket")
    func mixed() async throws {
        let bucket = try await BucketUnderTest()
        for (plan, out) in [(bucket.url("plan"), "out"), ("plan", bucket.url("out"))] {
            try succeed(bucket, ["plan"] + demo + ["-o", plan, "--shards", "1"])
            try succeed(bucket, ["work", plan, "--shard", "0", "-o", out])
            try run(bucket, ["work", plan, "--shard", "0", "-o", out]).expect(err: "already committed")
            try succeed(bucket, ["merge", plan, "-o", out])
            try succeed(bucket, ["verify", out])
        }
    }

    @Test("Photos that were added to the source of a plan in a bucket are planned alone and merged into its mirror")
    func additions() async throws {
        let bucket = try await BucketUnderTest()
        let longer = demo.map { $0 == "1" ? "2" : $0 }
        try succeed(bucket, ["mirror"] + longer + ["-o", "photos"])
        let (plan, added, out) = (bucket.url("plan"), bucket.url("added"), bucket.url("photos"))
        try succeed(bucket, ["plan"] + demo + ["--shards", "1", "-o", plan])
        try succeed(bucket, ["work", plan, "--shard", "0", "-o", out])
        try succeed(bucket, ["merge", plan, "-o", out])
        try succeed(bucket, ["plan", "--append", plan, "--pages", "2", "--shards", "2", "-o", added])
        try run(
            bucket, ["plan", "--append", plan, "--append", added, "--shards", "1", "-o", bucket.url("x")]
        ).expect(2, err: "lists no new photos")
        for shard in ["0", "1"] { try succeed(bucket, ["work", added, "--shard", shard, "-o", out]) }
        try succeed(bucket, ["merge", added, "-o", out, "--deep"])
        let expected = try Tree(of: bucket.folder.path("photos")).visible
        let stored = try bucket.objects(below: "photos")
        for name in expected.names { #expect(stored[name] == expected.files[name], "\(name)") }
        #expect(expected.names.count > 30 && stored["_SUCCESS"] != nil)
        try succeed(bucket, ["verify", out])
    }

    @Test("Of two attempts at the same time, one is committed, and the other removes its files")
    func race() async throws {
        let bucket = try await BucketUnderTest()
        let (plan, out) = (bucket.url("plan"), bucket.url("out"))
        try succeed(bucket, ["plan"] + demo + ["-o", plan, "--shards", "1", "--rate", "4"])
        let first = try bucket.start(["work", plan, "--shard", "0", "-o", out, "--json"])
        try first.wait(for: "item-started")
        let second = try bucket.start(["work", plan, "--shard", "0", "-o", out, "--json"])
        let results = [try first.end(), try second.end()]
        #expect(results.map(\.code) == [0, 0], "\(results.map(\.err))")
        #expect(results.count { $0.err.contains("committed shard 0: 8 done") } == 1, "\(results.map(\.err))")
        let attempts = try bucket.names(below: "out/.sluice/shards").map { $0.split(separator: "/")[5] }
        #expect(Set(attempts).count == 1, "\(attempts)")
        try succeed(bucket, ["merge", plan, "-o", out])
    }

    @Test("A killed attempt is resumed, and its leftovers are planned and merged by another machine")
    func waves() async throws {
        let bucket = try await BucketUnderTest()
        let (plan, next, out) = (bucket.url("plan"), bucket.url("next"), bucket.url("out"))
        try succeed(bucket, ["plan"] + demo + ["-o", plan, "--shards", "2", "--rate", "2"])
        let words = ["work", plan, "--shard", "0", "-o", out, "--json", "--s3-lease", "2s"]
        let killed = try bucket.start(words)
        let ended = try killed.wait(for: "item-ended", count: 1)
        killed.send(SIGKILL)
        _ = try killed.end()
        #expect(ended.count > 0)
        // The lease of the killed attempt has to expire. Its own machine does not wait for it.
        try run(bucket, words + ["--max-time", "1ms"]).expect(75)
        let planning = ["plan", "--leftovers", plan, "--mirror", out, "-o", next]
        try succeed(bucket, planning + ["--state", "other"])
        try run(bucket, ["work", plan, "--shard", "0", "-o", out]).expect(err: "already committed")
        for shard in ["0", "1"] { try succeed(bucket, ["work", next, "--shard", shard, "-o", out]) }
        try succeed(bucket, ["merge", plan, next, "-o", out])
        try succeed(bucket, ["verify", out])
    }

    @Test("A location with other objects is refused, and so is a plan that does not exist")
    func refused() async throws {
        let bucket = try await BucketUnderTest()
        try bucket.put(Data("text".utf8), to: "mixed/readme.txt")
        try run(bucket, ["plan"] + demo + ["-o", bucket.url("mixed"), "--shards", "1"]).expect(
            2, err: "it has other objects")
        try run(bucket, ["work", bucket.url("none"), "--shard", "0", "-o", "out"]).expect(2, err: "it has no plan.json")
        try succeed(bucket, ["plan"] + demo + ["-o", "plan", "--shards", "1"])
        try run(bucket, ["work", "plan", "--shard", "0", "-o", "s3://no-such-bucket/out"]).expect(
            75, err: "the bucket 'no-such-bucket' does not exist")
    }

    @Test(
        "GNU parallel processes plans and mirrors in buckets, and datasets",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")))
    func parallel() async throws {
        let bucket = try await BucketUnderTest()
        let script = URL(filePath: #filePath).appending(path: "../../../Integrations/parallel/run").standardized.path
        let programs = bucket.folder.path("programs")
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(programs)/sluice", withDestinationPath: Binary.path)
        for (out, options) in [("photos", []), ("data", ["--", "--layout", "webdataset"])] {
            let plan = bucket.url("jobs/\(out)")
            try succeed(bucket, ["plan"] + demo + ["-o", plan, "--shards", "2"])
            try bucket.start(
                [plan, bucket.url(out)] + options, program: script, environment: ["PATH": "\(programs):/usr/bin:/bin"]
            ).end().expect()
            #expect(try bucket.contains("\(out)/_SUCCESS"))
        }
        #expect(try bucket.names(below: "data").contains { $0.hasSuffix("00001-00000.tar") })
    }
}
