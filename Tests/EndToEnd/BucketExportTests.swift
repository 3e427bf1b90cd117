// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

@Suite("Buckets: exports", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketExportTests {
    private func makeMirror() async throws -> BucketUnderTest {
        let bucket = try await BucketUnderTest()
        let run = try bucket.run(
            "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "64", "--out", "m")
        #expect(run.code == 0, "\(run.err)")
        return bucket
    }

    @Test(
        "An export into a bucket has the same bytes as one into a folder",
        arguments: ["webdataset", "img2dataset", "folder"])
    func sameFiles(_ layout: String) async throws {
        let bucket = try await makeMirror()
        let export = ["export", "m", "--layout", layout, "--shard-items", "5", "--split", "train:2,test:1"]
        let local = try bucket.start(export + ["--out", "local"]).end()
        #expect(local.code == 0, "\(local.err)")
        let run = try bucket.start(export + ["--out", bucket.url("data")]).end()
        #expect(run.code == 0 && run.err == local.err, "\(run.err)")
        let expected = try Tree(of: bucket.folder.path("local")).files
        #expect(try bucket.objects(below: "data") == expected)
        let second = try bucket.start(export + ["--out", bucket.url("data")]).end()
        #expect(second.code == 2 && second.err.contains("it is not empty"), "\(second.err)")
    }

    @Test("An export that the service has ended is continued, and finished shards are kept")
    func interrupted() async throws {
        let bucket = try await makeMirror()
        let export = ["export", "m", "--shard-items", "4", "--out", bucket.url("data")]
        let proxy = try FaultProxy(of: bucket.endpoint) { $0.target.contains("00002.tar") ? .slowDown : nil }
        defer { proxy.stop() }
        let first = try bucket.start(export + ["--s3-endpoint", proxy.endpoint]).end()
        #expect(first.code == 5 && first.err.contains("SlowDown"), "\(first.code): \(first.err)")
        // Another machine cannot know what the first one has finished of the record, but finds it in the bucket.
        let next = try bucket.start(export + ["--state", "another"]).end()
        #expect(next.code == 0 && next.err.contains("2 of them were finished before"), "\(next.err)")
        #expect(try bucket.start(["export", "m", "--shard-items", "4", "--out", "local"]).end().code == 0)
        #expect(try bucket.objects(below: "data") == Tree(of: bucket.folder.path("local")).files)
    }

    @Test("A WACZ in a bucket is complete or absent, has the bytes of a local one, and other objects stay")
    func webArchive() async throws {
        let bucket = try await BucketUnderTest()
        let run = try bucket.run(
            "mirror", "demo", "--pages", "1", "--per-page", "4", "--variant", "thumb", "--sizes", "64", "--out", "m",
            "--warc", "w.warc.gz")
        #expect(run.code == 0, "\(run.err)")
        let export = ["export", "m", "--layout", "wacz", "--warc", "w.warc.gz", "--out"]
        let local = try bucket.start(export + ["x.wacz"]).end()
        #expect(local.code == 0, "\(local.err)")
        try bucket.put(Data("other".utf8), to: "web/other.wacz")
        let proxy = try FaultProxy(of: bucket.endpoint) { $0.target.contains("x.wacz") ? .slowDown : nil }
        defer { proxy.stop() }
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
