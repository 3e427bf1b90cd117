// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceStore

@Suite("S3Lease", .enabled(if: ObjectStoreTools.hasSeaweed), .timeLimit(.minutes(5))) struct S3LeaseTests {
    private func bucket(_ client: S3Client, _ prefix: String) throws -> S3Bucket {
        S3Bucket(try #require(S3Location("s3://\(client.endpoint.bucket)/\(prefix)")), client: client)
    }

    private func lease(_ bucket: S3Bucket, _ holder: String, seconds: Int = 60) throws(LeaseError) -> S3Lease {
        try S3Lease(of: bucket, for: holder, at: "host:\(holder)", lasting: seconds, allowsUnsafeCommits: false)
    }

    /// The place of the writer that holds the lease; `nil` if it can be taken.
    private func holder(_ bucket: S3Bucket) throws -> String? {
        do throws(LeaseError) {
            _ = try lease(bucket, "other")
            return nil
        } catch {
            guard case .held(let place, _) = error else { throw error }
            return place
        }
    }

    @Test("A lease has one holder until it is released, and records where the newest ledger is")
    func release() async throws {
        let bucket = try bucket(try await TestBucket.make(), "p")
        let first = try lease(bucket, "first")
        #expect(first.earlier == nil && first.record.ledger == "first" && first.isHeld)
        #expect(try holder(bucket) == "host:first")
        first.renew()
        #expect(first.isHeld)
        // The same writer may take it again, for example after it was killed.
        let again = try lease(bucket, "first")
        first.renew()
        #expect(!first.isHeld && again.isHeld)
        again.release()
        #expect(!again.isHeld)
        let second = try lease(bucket, "second")
        #expect(second.earlier?.holder == "first" && second.record.ledger == "first")
        second.takeLedger(publishedAs: "copy")
        second.release()
        let third = try lease(bucket, "third")
        #expect(third.record.ledger == "second" && third.record.publication == "copy")
    }

    @Test("An expired lease is taken over, and its earlier holder can no longer write")
    func expiry() async throws {
        let client = try await TestBucket.make()
        let bucket = try bucket(client, "p")
        let temporary = TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.makeFolder("partial")
        let first = try lease(bucket, "first", seconds: 1)
        let store = S3Store(bucket, folder: folder, stagingIn: "partial", lease: first)
        try store.write([1], to: "a", temporary: "a", durability: .none)
        try await wait(for: "the end of the lease") { try holder(bucket) == nil }
        first.renew()
        #expect(!first.isHeld)
        let error = #expect(throws: FileError.self) {
            try store.write([2], to: "a", temporary: "a", durability: .none)
        }
        #expect(error?.reason.contains("the lease was lost") == true)
        #expect(throws: FileError.self) { try store.remove("a") }
        #expect(throws: FileError.self) { try store.writeIfAbsent([1], to: "b", temporary: "b") }
        #expect(try client.get("p/a", limit: 10) == [1])
    }

    @Test("An object that another writer has replaced since is not replaced")
    func replacedObject() async throws {
        let client = try await TestBucket.make()
        let temporary = TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.makeFolder("partial")
        let store = S3Store(try bucket(client, "p"), folder: folder, stagingIn: "partial")
        func replace(with byte: UInt8) throws(FileError) {
            try store.replace(folder.stage([byte], as: "a", temporary: "partial/a", flushed: false))
        }
        try replace(with: 1)
        try replace(with: 2)
        #expect(try client.get("p/a", limit: 10) == [2])
        try client.put([3], to: "p/a")
        let error = #expect(throws: FileError.self) { try replace(with: 4) }
        #expect(error?.reason.contains("another run has replaced it") == true)
        #expect(try client.get("p/a", limit: 10) == [3])
    }

    @Test("One of many writers gets a new lease")
    func races() async throws {
        let bucket = try bucket(try await TestBucket.make(), "p")
        let winners = Locked(0)
        DedicatedThread.forEach(Array(0..<8), width: 8) { [self] number in
            if (try? lease(bucket, "\(number)")) != nil { winners.withLock { $0 += 1 } }
        }
        #expect(winners.withLock(\.self) == 1)
    }

    @Test("A location with other objects is refused")
    func occupied() async throws {
        let client = try await TestBucket.make()
        try client.put([1], to: "p/object")
        let error = #expect(throws: LeaseError.self) { try lease(try bucket(client, "p"), "first") }
        guard case .notEmpty = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("One of many writers of an object succeeds")
    func exclusiveWriting() async throws {
        let client = try await TestBucket.make()
        let temporary = TemporaryFolder()
        let store = S3Store(try bucket(client, "p"), folder: try Folder(temporary.path), stagingIn: "partial")
        let writing = try #require(store.exclusiveWriting)
        let winners = Locked<[UInt8]>([])
        DedicatedThread.forEach(Array(UInt8(0)..<8), width: 8) { number in
            let isStored = (try? writing.writeIfAbsent([number], to: "once", temporary: "\(number)")) == true
            if isStored { winners.withLock { $0.append(number) } }
        }
        #expect(try winners.withLock { $0 } == client.get("p/once", limit: 10))
    }

    @Test("Uploads in parts that never ended are removed, but not those of other locations")
    func uploads() async throws {
        let client = try await TestBucket.make()
        for key in ["p/a b.tar", "p/ü.tar", "q/c.tar"] {
            try client.send(S3Request("POST", key: key, query: [("uploads", "")])) { (_) throws(S3Error) in }
        }
        #expect(try client.abortUploads(below: "p/") == 2)
        #expect(try client.abortUploads(below: "p/") == 0)
        #expect(try client.abortUploads(below: "") == 1)
    }
}

@Suite("LeaseRecord", .timeLimit(.minutes(10))) struct LeaseRecordTests {
    private func parse(seconds: String, number: String) -> LeaseRecord? {
        let text = #"{"holder": "h", "place": "p", "ledger": "l", "seconds": \#(seconds), "number": \#(number)}"#
        return LeaseRecord(Array(text.utf8))
    }

    @Test("A record survives encoding and parsing")
    func roundTrip() {
        var record = LeaseRecord(holder: "a", place: "host:/b", ledger: "c", seconds: 60)
        record.isReleased = true
        record.number = 7
        #expect(LeaseRecord(record.bytes) == record)
    }

    /// The arithmetic of the next writer overflowed, which ended its process.
    @Test(
        "Records with impossible numbers are malformed",
        arguments: ["9223372036854775807", "-9223372036854775808", "-1", "1e18", "1.5"])
    func extremes(_ number: String) {
        #expect(parse(seconds: "60", number: "1") != nil)
        #expect(parse(seconds: number, number: "1") == nil)
        #expect(parse(seconds: "60", number: number) == nil)
    }
}
