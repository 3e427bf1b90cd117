// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

/// Workers of a shard in a bucket that are frozen past their lease, and wake up when another one has committed it.
@Suite("Buckets: frozen workers", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketFrozenTests {
    private let photos = 8

    private func makePlan(_ bucket: BucketUnderTest, rate: Int = 8) throws {
        let demo = ["demo", "--pages", "1", "--per-page", "\(photos)", "--variant", "thumb", "--sizes", "64"]
        try bucket.start(
            ["plan"] + demo + ["--shards", "1", "--rate", "\(rate)", "-o", bucket.url("plan")]
        ).end().require()
    }

    /// The arguments of a worker with a local folder of its own, as in a container with the host's name.
    private func work(_ bucket: BucketUnderTest, state: String, _ more: String...) -> [String] {
        ["work", bucket.url("plan"), "--shard", "0", "-o", bucket.url("out"), "--json", "--state", state] + more
    }

    /// The locations of the attempts at the shard.
    private func attempts(_ bucket: BucketUnderTest) throws -> Set<String> {
        Set(
            try bucket.names(below: "out/.sluice/shards").compactMap { name in
                let parts = name.split(separator: "/")
                return parts.count > 6 && parts[4] != "rules" && parts[3] != "rules"
                    ? parts.prefix(6).joined(separator: "/") : nil
            })
    }

    /// Waits until the lease of an attempt has expired by the clock of the service.
    private func waitForExpiry(of attempt: String, in bucket: BucketUnderTest) async throws {
        let location = try #require(S3Location(bucket.url(attempt)))
        try await wait(for: "the end of the lease") {
            guard let lease = try? StoredLease(in: S3Bucket(location, client: bucket.client)) else { return false }
            return lease.record.isReleased || (lease.age ?? 0) > lease.record.seconds + 1
        }
    }

    /// The other worker resumed the same attempt and committed it; the frozen one then removed its objects.
    @Test(
        "Nothing committed is lost when a frozen worker wakes up",
        arguments: [("item-started", 1), ("item-ended", 1), ("item-ended", 5), ("item-ended", 8), ("run-finished", 1)])
    func wakes(event: String, count: Int) async throws {
        let bucket = try await BucketUnderTest()
        try makePlan(bucket)
        let frozen = try bucket.start(work(bucket, state: "one", "--s3-lease", "4s"))
        try frozen.wait(for: event, count: count)
        frozen.stop()
        for attempt in try attempts(bucket) { try await waitForExpiry(of: attempt, in: bucket) }

        try bucket.start(work(bucket, state: "two")).end().expect()
        #expect(try bucket.contains("plan/receipts/00000.json"))
        frozen.send(SIGCONT)
        try frozen.end().expect()
        #expect(try attempts(bucket).count == 1)
        try bucket.start(["merge", bucket.url("plan"), "-o", bucket.url("out"), "--deep"]).end().expect(
            err: "\(photos) done")
        #expect(try bucket.start(["verify", bucket.url("out"), "--deep"]).end().code == 0)
    }

    @Test("A frozen worker cannot change what the leftovers' plan has closed")
    func closed() async throws {
        let bucket = try await BucketUnderTest()
        try makePlan(bucket, rate: 1)
        let frozen = try bucket.start(work(bucket, state: "one", "--s3-lease", "4s"))
        try frozen.wait(for: "item-ended", count: 3)
        frozen.stop()
        for attempt in try attempts(bucket) { try await waitForExpiry(of: attempt, in: bucket) }

        let (plan, next, out) = (bucket.url("plan"), bucket.url("next"), bucket.url("out"))
        try bucket.start(["plan", "--leftovers", plan, "--mirror", out, "-o", next, "--state", "two"]).end().expect()
        frozen.send(SIGCONT)
        #expect(try frozen.end().code == 0)
        try bucket.start(["work", next, "--shard", "0", "-o", out]).end().expect()
        try bucket.start(["merge", plan, next, "-o", out, "--deep"]).end().expect(err: "\(photos) done")
    }

    @Test("An attempt whose worker has ended is resumed from another local folder")
    func released() async throws {
        let bucket = try await BucketUnderTest()
        try makePlan(bucket, rate: 1)
        let first = try bucket.start(work(bucket, state: "one"))
        try first.wait(for: "item-ended", count: 3)
        first.send(SIGINT)
        #expect(try first.end().code == 75)
        let second = try bucket.start(work(bucket, state: "two")).end().expect()
        #expect(try RunEvent.all(in: second.out).ended("kept").count >= 3)
        #expect(try attempts(bucket).count == 1)
    }
}
