// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Buckets: commands for mirrors", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(10)))
struct BucketReadingTests {
    private let photos = 12

    /// Mirrors the demo into a bucket and into a folder.
    private func make() async throws -> BucketUnderTest {
        let bucket = try await BucketUnderTest()
        for out in [bucket.url("m"), "local"] {
            let run = try bucket.run(
                "mirror", "demo", "--pages", "1", "--per-page", "\(photos)", "--variant", "thumb", "--sizes", "64",
                "--title", "t", "--out", out)
            #expect(run.code == 0, "\(run.err)")
        }
        return bucket
    }

    @Test("verify finds missing, changed and extra objects, without and with downloads")
    func verify() async throws {
        let bucket = try await make()
        let sound = try bucket.run("verify", bucket.url("m"))
        #expect(sound.code == 0 && sound.err.contains("24 files of 12 photos"), "\(sound.err)")
        let names = try bucket.objects(below: "m").keys.filter { $0.hasPrefix("thumbs/") }.sorted()
        try bucket.client.delete("m/\(names[0])")
        let (size, other) = (try #require(try bucket.client.head("m/\(names[1])")).size, names[2])
        try bucket.put(Data(repeating: 7, count: size), to: "m/\(names[1])")
        try bucket.put(Data([1]), to: "m/\(other)")
        try bucket.put(Data([1]), to: "m/originals/extra.jpg")
        for arguments in [[], ["--deep"]] {
            // A machine that has not written to the bucket reads the ledger there.
            let run = try bucket.start(["verify", bucket.url("m"), "--state", "reader"] + arguments).end()
            #expect(run.code == 7, "\(run.err)")
            let lines = run.out.split(separator: "\n").sorted()
            #expect(lines.count == 4, "\(run.out)")
            #expect(run.out.contains("missing     \(names[0])"))
            #expect(run.out.contains("\(names[1]): the size matches, but the checksum does not"))
            #expect(run.out.contains("changed     \(other): 1 bytes, expected "))
            #expect(run.out.contains("extra       originals/extra.jpg"))
        }
        let repair = try bucket.run("verify", bucket.url("m"), "--repair")
        #expect(repair.code == 0, "\(repair.err)")
        let none = try bucket.run("verify", bucket.url("nothing"))
        #expect(none.code == 2 && none.err.contains("there is no mirror at this location"), "\(none.err)")
    }

    @Test("explain, diff, duplicates and gallery have the same results as for a local mirror")
    func reports() async throws {
        let bucket = try await make()
        for command in ["explain", "duplicates", "diff"] {
            let expected = try bucket.run(command, "local")
            let run = try bucket.run(command, bucket.url("m"), "--state", "reader")
            let text = run.out.replacing(bucket.url("m"), with: "local")
            #expect(run.code == expected.code && text == expected.out, "\(command): \(run.err)")
        }
        for out in [bucket.url("m"), "local"] {
            let run = try bucket.run("gallery", out, "--title", "another")
            #expect(run.code == 0, "\(run.err)")
        }
        let expected = try Tree(of: bucket.folder.path("local")).visible.files
        #expect(try bucket.objects(below: "m") == expected)
        #expect(expected["index.html"].map { String(decoding: $0, as: UTF8.self) }?.contains("another") == true)
    }

    @Test("export reads from buckets, with the same bytes as from a folder")
    func export() async throws {
        let bucket = try await make()
        #expect(try bucket.run("export", "local", "--out", "expected").code == 0)
        let run = try bucket.run("export", bucket.url("m"), "--out", "shards")
        #expect(run.code == 0, "\(run.err)")
        #expect(try Tree(of: bucket.folder.path("shards")) == Tree(of: bucket.folder.path("expected")))
    }

    @Test("serve delivers the gallery of a bucket, and hides the ledger")
    func serve() async throws {
        let bucket = try await make()
        let port = try ObjectStoreTools.freePort()
        let server = try bucket.start(["serve", bucket.url("m"), "--port", "\(port)"])
        try await wait(for: "the server") { ObjectStoreTools.isListening(on: port) }
        func get(_ path: String) async throws -> (status: Int?, data: Data) {
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/\(path)"))
            let (data, response) = try await URLSession.shared.data(from: url)
            return ((response as? HTTPURLResponse)?.statusCode, data)
        }
        let objects = try bucket.objects(below: "m")
        for name in try #require(objects.keys.first { $0.hasPrefix("originals/") }.map { [$0, "manifest.jsonl"] }) {
            let reply = try await get(name)
            #expect(reply.status == 200 && reply.data == objects[name], "\(name)")
        }
        #expect(try await get("").status == 200)
        #expect(try await get(".sluice/ledger.sqlite").status == 404)
        server.send(SIGTERM)
        #expect(try server.end().code == 0)
    }
}
