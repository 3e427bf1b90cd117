// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

@Suite("Buckets: pruning", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketPruneTests {
    @Test("--prune removes objects that are as recorded, also if a response is lost, and keeps changed ones")
    func prune() async throws {
        let bucket = try await BucketUnderTest()
        let demo = try bucket.run(
            "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "none", "--out",
            "demo")
        #expect(demo.code == 0, "\(demo.err)")
        let photos = try Tree(of: bucket.folder.path("demo")).filtered { $0.hasPrefix("originals/") }.files
        let names = photos.values.sorted { $0.count < $1.count }.prefix(4).enumerated().map { (number, bytes) in
            (key: "in/\(number).jpg", bytes: bytes)
        }
        for (key, bytes) in names { try bucket.put(bytes, to: key) }
        let arguments = ["mirror", bucket.url("in"), "--out", bucket.url("m"), "--sizes", "none", "--state", "state"]
        let first = try bucket.start(arguments).end()
        #expect(first.code == 0, "\(first.err)")
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
        defer { proxy.stop() }
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
