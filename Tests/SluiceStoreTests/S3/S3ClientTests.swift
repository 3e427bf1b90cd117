// SPDX-License-Identifier: MIT

import Dispatch
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
        let temporary = TemporaryFolder()
        var bytes = [UInt8](repeating: 7, count: S3Client.multipartSize + 12345)
        for index in stride(from: 0, to: bytes.count, by: 4096) {
            bytes[index] = UInt8(truncatingIfNeeded: index >> 12)
        }
        try temporary.write(bytes, to: "large")
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

@Suite("ObjectSizes", .timeLimit(.minutes(10))) struct ObjectSizesTests {
    @Test("Sizes are those of a dictionary, after any changes")
    func changes() {
        var sizes = ObjectSizes()
        var expected: [String: Int] = [:]
        var generator = SystemRandomNumberGenerator()
        // Enough for several merges.
        for step in 0..<150_000 {
            let key = "originals/\(Int.random(in: 0..<80_000, using: &generator)).jpg"
            let size = step % 4 == 3 ? nil : step
            sizes[key] = size
            expected[key] = size
        }
        let wrong = (0..<90_000).map { "originals/\($0).jpg" }.filter { sizes[$0] != expected[$0] }
        #expect(wrong == [])
    }
}

/// Uploads in parts whose requests are disturbed between the client and SeaweedFS.
@Suite("S3Client: disturbed uploads", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(5)))
struct S3ProxyTests {
    @Test(
        "An upload in parts is stored whole though its completion fails with status 200, or its response is lost",
        arguments: [FaultProxy.Fault.errorWithStatus200, .lostResponse, .slowDown])
    func completion(_ fault: FaultProxy.Fault) async throws {
        let direct = try await TestBucket.make()
        let proxy = try FaultProxy(of: try await SeaweedServer.running().endpoint) { request in
            let isPart = request.target.contains("partNumber=2")
            let isCompletion = request.method == "POST" && request.target.contains("uploadId=")
            if isPart, request.attempt == 1 { return .resetRequest }
            return isCompletion && request.attempt == 1 ? fault : nil
        }
        let client = try TestBucket.client(direct.endpoint.bucket, at: proxy.endpoint)
        let temporary = TemporaryFolder()
        let partial = try PartialFile("large", in: try Folder(temporary.path))
        try partial.write([1, 2, 3])
        try partial.truncate(to: S3Client.multipartSize)
        try client.put(try OpenFile.reading(temporary.path("large"), followsLink: false), to: "key")
        #expect(proxy.faults == 2)
        let copy = try PartialFile("copy", in: try Folder(temporary.path))
        #expect(try direct.get("key", into: copy, limit: .max).size == S3Client.multipartSize)
        #expect(try copy.read(at: 0, count: 4) == [1, 2, 3, 0])
        #expect(try direct.abortUploads(below: "key") == 0)
    }

    @Test("A conditional upload whose response is lost is recognised as stored")
    func lostResponse() async throws {
        let direct = try await TestBucket.make()
        let proxy = try FaultProxy(of: try await SeaweedServer.running().endpoint) {
            $0.method == "PUT" && $0.attempt == 1 ? .lostResponse : nil
        }
        let client = try TestBucket.client(direct.endpoint.bucket, at: proxy.endpoint)
        #expect(try client.put([1], ifAbsent: "key"))
        #expect(try !client.put([2], ifAbsent: "key") && proxy.faults == 1)
        #expect(try direct.get("key", limit: 10) == [1])
    }
}

@Suite("RequestThreads", .timeLimit(.minutes(5))) struct RequestThreadsTests {
    @Test("All calls are made, never more at a time than there may be threads")
    func width() {
        let threads = RequestThreads(width: 3)
        let counts = Locked((now: 0, most: 0, all: 0))
        for _ in 0..<20 {
            threads.forEach(Array(0..<50)) { _ in
                counts.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                    $0.all += 1
                }
                counts.withLock { $0.now -= 1 }
            }
        }
        threads.forEach([Int]()) { _ in Issue.record("no element") }
        #expect(counts.withLock { $0.all == 1000 && $0.now == 0 && (1...3).contains($0.most) })
    }

    @Test("Calls of another caller begin while one is still running, on the threads that are left")
    func sharing() async {
        let threads = RequestThreads(width: 2)
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first: Void = DedicatedThread.run {
            threads.forEach([0]) { _ in
                began.signal()
                mayEnd.wait()
            }
        }
        await DedicatedThread.run {
            began.wait()
            let order = Locked<[Int]>([])
            threads.forEach([1, 2, 3]) { number in order.withLock { $0.append(number) } }
            // One thread is left, which keeps the order.
            #expect(order.withLock { $0 } == [1, 2, 3])
            mayEnd.signal()
        }
        await first
    }

    /// A store was never released, because its threads kept its calls.
    @Test("Calls are released after they were made, and so are threads that their own calls refer to")
    func release() async throws {
        weak var released: RequestThreads?
        do {
            let threads = RequestThreads(width: 2)
            released = threads
            threads.forEach([1, 2, 3]) { _ in withExtendedLifetime(threads) {} }
        }
        try await wait(for: "the release") { released == nil }
    }
}

@Suite("S3Store: all files", .timeLimit(.minutes(5))) struct S3WalkingTests {
    /// Returns the shown names of a sorted listing, and the folders whose mirrors were looked for.
    private func shown(_ names: [String], mirrors: Set<String> = []) throws -> (shown: [String], asked: [String]) {
        var (filter, asked) = (ShownObjects(), [String]())
        let shown = try names.filter { name in
            try filter.shows(name) { folder in
                asked.append(folder)
                return mirrors.contains(folder)
            }
        }
        return (shown, asked)
    }

    @Test("Hidden objects and those of other mirrors are not shown")
    func filter() throws {
        let names = [
            ".sluice/lease", "a", "b/.x/y", "b/c/d", "b/c/e", "m/.sluice/lease", "m/photo", "m/x/y", "n/photo",
        ]
        let (shown, asked) = try shown(names)
        #expect(shown == ["a", "b/c/d", "b/c/e", "n/photo"])
        // The order of the names suffices.
        #expect(asked == [])
    }

    @Test("A folder is asked about only if its first name sorts before a mirror's state")
    func asking() throws {
        let names = ["m/+1", "m/.sluice/lease", "m/x/y", "n/!", "n/x/-1", "n/x/2"]
        let (shown, asked) = try shown(names, mirrors: ["m"])
        #expect(shown == ["n/!", "n/x/-1", "n/x/2"])
        #expect(asked == ["m", "n", "n/x"])
    }

    @Test("Objects in many folders are listed with one request", .enabled(if: ObjectStoreTools.hasSeaweed))
    func requests() async throws {
        let requests = Locked(0)
        let direct = try await TestBucket.make()
        let proxy = try FaultProxy(of: try await SeaweedServer.running().endpoint) { _ in
            requests.withLock { $0 += 1 }
            return nil
        }
        let names = (0..<10).map { "\($0)/photo.jpg" }
        for name in names { try direct.put([1], to: "m/\(name)") }
        let client = try TestBucket.client(direct.endpoint.bucket, at: proxy.endpoint)
        let temporary = TemporaryFolder()
        let location = try #require(S3Location("s3://\(direct.endpoint.bucket)/m"))
        let store = S3Store(
            S3Bucket(location, client: client), folder: try Folder(temporary.path), stagingIn: "partial")
        var found: [String] = []
        try store.forEachFile { name in
            found.append(name)
            return true
        }
        // There was a request for each folder, and all names of a folder were in memory.
        #expect(found == names && requests.withLock { $0 } == 1)
    }

    @Test("A listing that fails is an error, and no empty store", .enabled(if: ObjectStoreTools.hasSeaweed))
    func failure() async throws {
        let client = try TestBucket.client("no-such-bucket", at: try await SeaweedServer.running().endpoint)
        let temporary = TemporaryFolder()
        let location = try #require(S3Location("s3://no-such-bucket/m"))
        let store = S3Store(
            S3Bucket(location, client: client), folder: try Folder(temporary.path), stagingIn: "partial")
        #expect(throws: FileError.self) { try store.forEachFile { _ in true } }
    }
}
