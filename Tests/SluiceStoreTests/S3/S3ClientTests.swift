// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceStore

/// Makes clients of test servers.
enum TestBucket {
    static func client(
        _ bucket: String, at endpoint: String, keys: (key: String, secret: String) = SeaweedServer.owner,
        region: String = "us-east-1"
    ) throws -> S3Client {
        var options = S3Options()
        options.endpoint = endpoint
        options.region = region
        let variables = ["AWS_ACCESS_KEY_ID": keys.key, "AWS_SECRET_ACCESS_KEY": keys.secret]
        return try S3Client(
            bucket: bucket, options: options, transfer: TransferOptions(userAgent: "test"),
            configuration: AWSConfiguration { variables[$0] })
    }

    /// Creates a bucket of SeaweedFS.
    static func make() async throws -> S3Client {
        let client = try client("test-\(UUID().uuidString.lowercased())", at: await SeaweedServer.running().endpoint)
        try client.send(S3Request("PUT")) { (_) throws(S3Error) in }
        return client
    }
}

@Suite("S3Client: SeaweedFS", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(5))) struct S3ClientTests {
    @Test("Objects are stored, read, found and removed under odd keys")
    func objects() async throws {
        let client = try await TestBucket.make()
        // No backslash, because SeaweedFS replaces it with a slash.
        let keys = [
            "plain.jpg", "a/b c/d.jpg", "ü/日本.png", "a=b&c+d?e#f%20g", "x*'()!~@:$,;", "\"q\"<t>", "é|^`{}[]",
        ]
        for key in keys {
            let bytes = Array("bytes of \(key)".utf8)
            try client.put(bytes, to: key)
            #expect(try client.get(key, limit: 1000) == bytes, "\(key)")
            #expect(try client.head(key)?.size == bytes.count, "\(key)")
        }
        var listing = S3Listing(client, prefix: "")
        let listed = try #require(try listing.next())
        #expect(Set(listed.objects.map(\.key)) == Set(keys))
        #expect(try listed.objects.first { $0.key == "plain.jpg" }?.stamp == client.head("plain.jpg")?.stamp)
        for key in keys { try client.delete(key) }
        try client.delete("never/was/there")
        #expect(try client.head("plain.jpg") == nil)
        #expect(throws: S3Error.self) { try client.get("plain.jpg", limit: 10) }
    }

    @Test("Empty objects and those beyond the limit")
    func sizes() async throws {
        let client = try await TestBucket.make()
        try client.put([], to: "empty")
        #expect(try client.get("empty", limit: 0) == [] && client.head("empty")?.size == 0)
        try client.put([1, 2, 3], to: "three")
        #expect(throws: S3Error.self) { try client.get("three", limit: 2) }
    }

    @Test("The service refuses bytes with another checksum than the known one")
    func knownChecksum() async throws {
        let client = try await TestBucket.make()
        let bytes = [UInt8](repeating: 7, count: 100_000)
        try client.put(bytes, to: "right", sha256: SHA256.digest(of: bytes))
        #expect(try client.get("right", limit: bytes.count) == bytes)
        #expect(throws: S3Error.self) { try client.put(bytes, to: "wrong", sha256: SHA256.digest(of: [7])) }
        #expect(try client.head("wrong") == nil)
    }

    @Test("Only the first of two conditional uploads succeeds")
    func conditions() async throws {
        let client = try await TestBucket.make()
        #expect(try client.put([1], ifAbsent: "once"))
        #expect(try !client.put([2], ifAbsent: "once"))
        #expect(try !client.put([1], ifAbsent: "once"))
        #expect(try client.get("once", limit: 10) == [1])
    }

    @Test("A listing has all keys in pages, and folders sum up keys")
    func listing() async throws {
        let client = try await TestBucket.make()
        let keys = (0..<10).map { "p/\($0)/a.jpg" } + ["p/z.jpg", "q"]
        for key in keys { try client.put([1], to: key) }
        var listing = S3Listing(client, prefix: "p/", pageSize: 3)
        var found: [String] = []
        while let page = try listing.next() { found += page.objects.map(\.key) }
        #expect(found.sorted() == keys.dropLast().sorted())
        var folder = S3Listing(client, prefix: "p/", isFolder: true)
        let page = try #require(try folder.next())
        #expect(page.objects.map(\.key) == ["p/z.jpg"] && page.folders.sorted() == (0..<10).map { "p/\($0)/" })
    }

    @Test("Large files are uploaded in parts and downloaded into files, both with checksums")
    func parts() async throws {
        let client = try await TestBucket.make()
        let temporary = try TemporaryFolder()
        var bytes = [UInt8](repeating: 7, count: S3Client.multipartSize + 12345)
        for index in stride(from: 0, to: bytes.count, by: 4096) {
            bytes[index] = UInt8(truncatingIfNeeded: index >> 12)
        }
        try Data(bytes).write(to: temporary.url.appending(path: "large"))
        try client.put(try OpenFile.reading(temporary.path("large"), followsLink: false), to: "data/large.tar")
        let partial = try PartialFile("copy", in: try Folder(temporary.path))
        let object = try client.get("data/large.tar", into: partial, limit: bytes.count)
        #expect(object.size == bytes.count && object.etag.contains("-"))
        #expect(try client.head("data/large.tar")?.size == bytes.count)
        #expect(try temporary.bytes(of: "copy") == bytes)
    }

    @Test("A reader reads objects of several blocks, and reports missing ones")
    func reader() async throws {
        let client = try await TestBucket.make()
        let bytes = (0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 8 ^ $0) }
        for (key, size) in [("large", bytes.count), ("small", 10), ("empty", 0)] {
            try client.put(Array(bytes[..<size]), to: key)
            let location = try #require(S3Location("s3://\(client.endpoint.bucket)/\(key)"))
            var reader = try S3Bucket(location, client: client).reader()
            var read: [UInt8] = []
            while true {
                let block = try reader.read(1 << 20)
                guard !block.isEmpty else { break }
                read += block
            }
            #expect(read == Array(bytes[..<size]), "\(key)")
        }
        let missing = try #require(S3Location("s3://\(client.endpoint.bucket)/missing"))
        let error = #expect(throws: FileError.self) { _ = try S3Bucket(missing, client: client).reader() }
        #expect(error?.isMissing == true)
    }

    @Test("Errors of the service have a clear reason")
    func errors() async throws {
        let client = try await TestBucket.make()
        let bucket = client.endpoint.bucket
        let endpoint = try await SeaweedServer.running().endpoint
        func reason(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return (error as? S3Error)?.reason(bucket: bucket) }
            return nil
        }
        let unknown = try TestBucket.client(bucket, at: endpoint, keys: ("nobody", "secret"))
        #expect(reason { try unknown.put([1], to: "a") } == "the service does not know the access key")
        let wrong = try TestBucket.client(bucket, at: endpoint, keys: (SeaweedServer.owner.key, "wrong"))
        #expect(reason { try wrong.put([1], to: "a") }?.hasPrefix("the secret key is wrong") == true)
        let reader = try TestBucket.client(bucket, at: endpoint, keys: SeaweedServer.reader)
        #expect(reason { try reader.put([1], to: "a") } == "the credentials do not permit this")
        let missing = try TestBucket.client("no-such-bucket", at: endpoint)
        #expect(reason { _ = try missing.get("a", limit: 1) }?.hasSuffix("does not exist") == true)
        #expect(reason { try client.put([1], to: "a/../b") } == "the key 'a/../b' cannot be used in a URL")
    }
}
