// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

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

    /// The restored folder named itself as the one with the newest ledger, and replaced it by the older one.
    @Test("A local folder that was restored from a backup loads the newer ledger", arguments: [false, true])
    func restored(onlyLedger: Bool) async throws {
        let bucket = try await BucketUnderTest()
        func run(_ state: String, _ options: String...) throws -> Binary.Result {
            try bucket.start(mirror(bucket, state: state) + options).end()
        }
        let name = onlyLedger ? "/.sluice/ledger.sqlite" : ""
        let (state, backup) = (bucket.folder.path("one\(name)"), bucket.folder.path("backup"))
        #expect(try run("one", "--max-items", "4").code == 0)
        try FileManager.default.copyItem(atPath: state, toPath: backup)
        #expect(try run("one").code == 0)
        let objects = try bucket.objects(below: "m")
        try FileManager.default.removeItem(atPath: state)
        try FileManager.default.copyItem(atPath: backup, toPath: state)

        let verified = try bucket.start(["verify", bucket.url("m"), "--state", "one"]).end()
        #expect(verified.code == 0 && !verified.err.contains("extra"), "\(verified.err)")
        let again = try run("one")
        #expect(again.code == 0, "\(again.err)")
        #expect(try RunEvent.all(in: again.out).ended("kept").count == photos)
        #expect(try bucket.objects(below: "m") == objects)
    }

    @Test("A ledger in the bucket that is older than the last one that was stored is refused")
    func olderObject() async throws {
        let bucket = try await BucketUnderTest()
        let key = "m/.sluice/ledger.sqlite"
        #expect(try bucket.start(mirror(bucket, state: "one", "--max-items", "4")).end().code == 0)
        let old = try bucket.client.get(key, limit: .max)
        #expect(try bucket.start(mirror(bucket, state: "one")).end().code == 0)
        try bucket.client.put(old, to: key)
        let refused = try bucket.start(mirror(bucket, state: "two")).end()
        #expect(refused.code == 7 && refused.err.contains("is older than the last one"), "\(refused.err)")
        #expect(try bucket.client.get(key, limit: .max) == old)
        // The folder that has the newest ledger mends it.
        let mended = try bucket.start(mirror(bucket, state: "one", "--sizes", "32,64")).end()
        #expect(mended.code == 0, "\(mended.err)")
        #expect(try bucket.start(mirror(bucket, state: "two", "--sizes", "32,64")).end().code == 0)
    }

    /// The other machine took the sidecars of the lost run for those of another program.
    @Test("A run that takes over knows the sidecars of the lost one")
    func sidecars() async throws {
        let bucket = try await BucketUnderTest()
        let options = ["--xmp", "--s3-lease", "2s"]
        let first = try bucket.start(mirror(bucket, state: "one") + options)
        try first.wait(for: "item-ended", count: photos - 2)
        first.send(SIGKILL)
        _ = try first.end()
        let deadline = ContinuousClock.now + .seconds(60)
        var second: Binary.Result
        repeat {
            second = try bucket.start(mirror(bucket, state: "two") + options).end()
        } while second.code == 6 && ContinuousClock.now < deadline
        #expect(second.code == 0 && !second.out.contains("another program"), "\(second.err)")
        let manifest = try #require(try bucket.objects(below: "m")["manifest.jsonl"])
        #expect(String(decoding: manifest, as: UTF8.self).matches(of: /"sidecar":/).count == photos)
    }
}
