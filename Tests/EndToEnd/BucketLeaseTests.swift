// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@Suite("Buckets: several machines", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketLeaseTests {
    private let photos = 12

    /// The arguments of a run that keeps its state in a folder, as on a machine of its own.
    private func mirror(_ bucket: BucketUnderTest, state: String, _ options: String...) -> [String] {
        [
            "mirror", "demo", "--pages", "1", "--per-page", "\(photos)", "--variant", "thumb", "--sizes", "64",
            "--title",
            "t", "--json", "--out", bucket.url("m"), "--state", state,
        ] + options
    }

    @Test("Each machine continues with the ledger of the last one")
    func relay() async throws {
        let bucket = try await BucketUnderTest()
        func run(_ state: String, _ options: String..., expecting end: String) throws {
            let run = try bucket.start(mirror(bucket, state: state) + options).end()
            #expect(run.code == 0, "\(run.err)")
            #expect(try RunEvent.all(in: run.out).ended(end).count == photos, "\(state)")
        }
        try run("one", expecting: "done")
        let objects = try bucket.objects(below: "m")
        try run("two", expecting: "kept")
        #expect(try bucket.objects(below: "m") == objects)
        try run("two", "--sizes", "32,64", expecting: "done")
        // The ledger of the first machine is older than that in the bucket.
        try run("one", "--sizes", "32,64", expecting: "kept")
    }

    @Test("A location has one writer, also if that writer does not respond")
    func oneWriter() async throws {
        let bucket = try await BucketUnderTest()
        let first = try bucket.start(mirror(bucket, state: "one"))
        try first.wait(for: "run-started")
        first.send(SIGSTOP)
        let second = try bucket.start(mirror(bucket, state: "two")).end()
        first.send(SIGCONT)
        #expect(second.code == 6, "\(second.err)")
        #expect(second.err.contains("it belongs to the run with its state in "), "\(second.err)")
        #expect(try first.end().code == 0)
    }

    @Test("A run on another machine takes over from one that was lost")
    func takeover() async throws {
        let bucket = try await BucketUnderTest()
        let first = try bucket.start(mirror(bucket, state: "one", "--s3-lease", "2s"))
        try first.wait(for: "item-ended", count: 3)
        first.send(SIGKILL)
        _ = try first.end()
        let deadline = ContinuousClock.now + .seconds(60)
        var second: Binary.Result
        repeat {
            second = try bucket.start(mirror(bucket, state: "two")).end()
        } while second.code == 6 && ContinuousClock.now < deadline
        #expect(second.code == 0, "\(second.err)")
        let events = try RunEvent.all(in: second.out)
        #expect(events.ended("done").count + events.ended("kept").count == photos)
        let names = try bucket.objects(below: "m").keys
        #expect(names.count { $0.hasPrefix("originals/") } == photos)
        #expect(names.count { $0.hasPrefix("thumbs/") } == photos)
    }
}
