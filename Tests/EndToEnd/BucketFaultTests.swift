// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceStore

/// Runs whose requests and responses are disturbed between Sluice and SeaweedFS.
@Suite("Buckets: faults", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketFaultTests {
    private let mirror = [
        "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "64", "--title", "t",
        "--json",
    ]

    /// Starts a proxy that disturbs each third request, but each at most three times, with these faults in turn.
    private func proxy(
        of bucket: BucketUnderTest, _ faults: [FaultProxy.Fault],
        where isAffected: @escaping @Sendable (FaultProxy.Request) -> Bool = { _ in true }
    ) throws -> FaultProxy {
        let attempts = Locked<[String: Int]>([:])
        let injected = Locked(0)
        return try FaultProxy(of: bucket.endpoint) { request in
            guard request.number % 3 == 0, isAffected(request) else { return nil }
            let earlier = attempts.withLock { attempts in
                attempts[request.method + request.target, default: 0] += 1
                return attempts[request.method + request.target] ?? 0
            }
            guard earlier <= 3 else { return nil }
            return injected.withLock { injected in
                injected += 1
                return faults[injected % faults.count]
            }
        }
    }

    @Test("Disturbed requests are repeated: the mirror is complete, and the next run repeats nothing")
    func writing() async throws {
        let bucket = try await BucketUnderTest()
        try bucket.start(mirror + ["--out", "local"]).end().expect()
        let proxy = try proxy(
            of: bucket,
            [.slowDown, .resetRequest, .lostResponse, .resetResponse, .truncatedResponse, .wrongChecksum])
        let out = mirror + ["--out", bucket.url("m"), "--state", "state"]
        let run = try bucket.start(out + ["--s3-endpoint", proxy.endpoint]).end()
        #expect(run.code == 0 && proxy.faults > 12, "\(proxy.faults) faults: \(run.err)")
        #expect(try RunEvent.all(in: run.out).ended("done").count == 12)
        let expected = try Tree(of: bucket.folder.path("local")).visible
        let stored = try bucket.objects(below: "m")
        #expect(stored.keys.sorted() == expected.names)
        for name in expected.names { #expect(stored[name] == expected.files[name], "\(name)") }
        let next = try bucket.start(out).end()
        #expect(try next.code == 0 && RunEvent.all(in: next.out).ended("kept").count == 12, "\(next.err)")
    }

    @Test("Disturbed downloads are repeated, and changed bytes are noticed")
    func reading() async throws {
        let bucket = try await BucketUnderTest()
        #expect(try bucket.start(mirror + ["--out", bucket.url("m")]).end().code == 0)
        let proxy = try proxy(
            of: bucket, [.changedByte, .resetResponse, .truncatedResponse, .slowDown, .wrongChecksum]
        ) { $0.target.contains("/originals/") }
        let source = bucket.url("m/originals")
        let run = try bucket.start([
            "mirror", source, "--out", "copy", "--sizes", "none", "--json", "--s3-endpoint", proxy.endpoint,
        ]).end()
        #expect(run.code == 0 && proxy.faults > 3, "\(proxy.faults) faults: \(run.err)")
        let originals = try bucket.objects(below: "m").filter { $0.key.hasPrefix("originals/") }
        let copies = try Tree(of: bucket.folder.path("copy")).filtered { $0.hasPrefix("originals/") }
        #expect(originals.count == 12 && Set(copies.files.values) == Set(originals.values))
        try bucket.start(["verify", bucket.url("m"), "--deep", "--s3-endpoint", proxy.endpoint]).end().expect()
    }

    @Test("A service that stays overloaded ends the run, which has told only of stored objects")
    func overload() async throws {
        let bucket = try await BucketUnderTest()
        let stored = Locked<Set<String>>([])
        // The first five originals are stored, and all later ones are refused.
        let proxy = try FaultProxy(of: bucket.endpoint) { request in
            guard request.method == "PUT", request.target.contains("/originals/") else { return nil }
            return stored.withLock { stored in
                if stored.count < 5 { stored.insert(request.target) }
                return stored.contains(request.target) ? nil : .slowDown
            }
        }
        let out = mirror + ["--out", bucket.url("m"), "--state", "state"]
        let run = try bucket.start(out + ["--s3-endpoint", proxy.endpoint]).end()
        #expect(run.code != 0 && run.err.contains("SlowDown"), "\(run.code): \(run.err)")
        let events = try RunEvent.all(in: run.out)
        for event in events where event[text: "end"] == "done" {
            let file = try #require(event[text: "file"])
            #expect(try bucket.contains("m/\(file)"), "\(file)")
        }
        let next = try bucket.start(out).end().expect()
        let ended = try RunEvent.all(in: next.out)
        #expect(ended.ended("kept").isSuperset(of: events.ended("done")))
        #expect(ended.ended("kept").count + ended.ended("done").count == 12)
    }

    @Test(
        "A listing that repeats its keys or its pages ends the run",
        arguments: [
            (FaultProxy.Fault.repeatedKey, "the listing repeats keys", Int32(4)),
            // The first page lists files that are not photos; these have failed, too.
            (.repeatedToken, "the listing repeats", 3),
        ])
    func listings(_ fault: FaultProxy.Fault, sentence: String, code: Int32) async throws {
        let bucket = try await BucketUnderTest()
        for name in ["a.jpg", "b.jpg"] { try bucket.put(Data("text".utf8), to: "in/\(name)") }
        let proxy = try FaultProxy(of: bucket.endpoint) { $0.target.contains("list-type=2") ? fault : nil }
        for command in ["mirror", "thumbs"] {
            let run = try bucket.start([command, bucket.url("in"), "--out", command, "--s3-endpoint", proxy.endpoint])
                .end()
            #expect(run.code == code && run.err.contains(sentence), "\(command): \(run.code) \(run.err)")
        }
    }
}

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
            let run = try bucket.start(mirror(bucket, state: state) + options).end().expect()
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
