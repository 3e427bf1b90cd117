// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

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
        let local = try bucket.start(mirror + ["--out", "local"]).end()
        #expect(local.code == 0, "\(local.err)")
        let proxy = try proxy(
            of: bucket,
            [.slowDown, .resetRequest, .lostResponse, .resetResponse, .truncatedResponse, .wrongChecksum])
        defer { proxy.stop() }
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
        defer { proxy.stop() }
        let source = bucket.url("m/originals")
        let run = try bucket.start([
            "mirror", source, "--out", "copy", "--sizes", "none", "--json", "--s3-endpoint", proxy.endpoint,
        ]).end()
        #expect(run.code == 0 && proxy.faults > 3, "\(proxy.faults) faults: \(run.err)")
        let originals = try bucket.objects(below: "m").filter { $0.key.hasPrefix("originals/") }
        let copies = try Tree(of: bucket.folder.path("copy")).filtered { $0.hasPrefix("originals/") }
        #expect(originals.count == 12 && Set(copies.files.values) == Set(originals.values))
        let verified = try bucket.start(["verify", bucket.url("m"), "--deep", "--s3-endpoint", proxy.endpoint]).end()
        #expect(verified.code == 0, "\(verified.err)")
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
        defer { proxy.stop() }
        let out = mirror + ["--out", bucket.url("m"), "--state", "state"]
        let run = try bucket.start(out + ["--s3-endpoint", proxy.endpoint]).end()
        #expect(run.code != 0 && run.err.contains("SlowDown"), "\(run.code): \(run.err)")
        let events = try RunEvent.all(in: run.out)
        for event in events where event[text: "end"] == "done" {
            let file = try #require(event[text: "file"])
            #expect(try bucket.contains("m/\(file)"), "\(file)")
        }
        let next = try bucket.start(out).end()
        #expect(next.code == 0, "\(next.err)")
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
        defer { proxy.stop() }
        for command in ["mirror", "thumbs"] {
            let run = try bucket.start([command, bucket.url("in"), "--out", command, "--s3-endpoint", proxy.endpoint])
                .end()
            #expect(run.code == code && run.err.contains(sentence), "\(command): \(run.code) \(run.err)")
        }
    }
}
