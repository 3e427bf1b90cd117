// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceStore

/// Services that break the rules.
@Suite("S3Client: faults", .timeLimit(.minutes(5))) struct S3FaultTests {
    /// A server stops when it is released.
    private let servers = Locked<[RawServer]>([])
    private static let listingPath = "/bucket?encoding-type=url&list-type=2&max-keys=1000&prefix="

    private func reply(_ body: String = "", status: String = "200 OK", headers: [String] = []) -> [RawServer.Step] {
        let head = (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).joined(separator: "\r\n")
        return [.text("\(head)\r\n\r\n\(body)")]
    }

    private func error(_ code: String, status: String, more: String = "") -> [RawServer.Step] {
        reply("<Error><Code>\(code)</Code><Message>m</Message>\(more)</Error>", status: status)
    }

    private func client(_ scripts: [String: [[RawServer.Step]]]) throws -> (S3Client, RawServer) {
        let server = try RawServer(sequences: scripts)
        servers.withLock { $0.append(server) }
        return (try TestBucket.client("bucket", at: server.url("")), server)
    }

    private func reason(_ client: S3Client, _ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? S3Error)?.reason(bucket: "bucket") }
        return nil
    }

    @Test("Overload, internal errors, resets and truncated replies are repeated")
    func retries() throws {
        let (client, server) = try client([
            "/bucket/key": [
                error("SlowDown", status: "503 Slow Down"), error("InternalError", status: "500 Internal Server Error"),
                [.reset], [.text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"), .reset],
                reply("abcd", headers: ["x-amz-checksum-sha256: AAAA"]), reply("abcd"),
            ]
        ])
        #expect(try client.get("key", limit: 10) == Array("abcd".utf8))
        #expect(server.requests.count == 6)
    }

    @Test("A service that never recovers ends the request")
    func bounded() throws {
        let (client, server) = try client(["/bucket/key": [error("Whatever", status: "500 Internal Server Error")]])
        let reason = reason(client) { try client.put([1], to: "key") }
        #expect(reason == "Whatever: m (status 500)" && server.requests.count == 8)
    }

    @Test("A conflict is repeated, and a lost reply of our own upload is recognised")
    func conflicts() throws {
        let exists = error("PreconditionFailed", status: "412 Precondition Failed")
        let (client, server) = try client([
            "/bucket/a": [error("ConditionalRequestConflict", status: "409 Conflict"), reply()],
            "/bucket/b": [[.reset], exists, reply("x")],
            "/bucket/c": [[.reset], exists, reply("y")],
        ])
        #expect(try client.put(Array("x".utf8), ifAbsent: "a"))
        #expect(try client.put(Array("x".utf8), ifAbsent: "b"))
        #expect(try !client.put(Array("x".utf8), ifAbsent: "c"))
        #expect(server.requests.count == 8)
    }

    @Test(
        "A lease outlives a renewal whose replies were lost, and ends if another writer has replaced it",
        arguments: [true, false])
    func lostRenewal(isOwn: Bool) throws {
        let precondition = error("PreconditionFailed", status: "412 Precondition Failed")
        func stored(_ tag: String, _ body: String = "") -> [RawServer.Step] {
            reply(body, headers: ["ETag: \"\(tag)\""])
        }
        var (earlier, record) = (
            LeaseRecord(holder: "b", place: "there", ledger: "b", seconds: 60),
            LeaseRecord(holder: "a", place: "here", ledger: "b", seconds: 600)
        )
        earlier.isReleased = true
        // Taking the lease has the first number.
        (record.number, record.holder) = (2, isOwn ? "a" : "c")
        let object = [
            stored("0", String(decoding: earlier.bytes, as: UTF8.self)), stored("1"), precondition, precondition,
        ]
        let lost = [[RawServer.Step]](repeating: [.reset], count: 8)
        let found = [precondition, stored("2", String(decoding: record.bytes, as: UTF8.self)), stored("3")]
        let (client, server) = try client(["/bucket/p/.sluice/lease": object + lost + found])
        let bucket = S3Bucket(try #require(S3Location("s3://bucket/p")), client: client)
        let lease = try S3Lease(of: bucket, for: "a", at: "here", lasting: 600, allowsUnsafeCommits: false)
        lease.renew()
        #expect(server.requests.count == 12 && lease.isHeld)
        lease.renew()
        #expect(lease.isHeld == isOwn && server.requests.count == (isOwn ? 15 : 14))
    }

    @Test("An object is copied only if the service proves the copy's content")
    func copies() throws {
        let sha256 = "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"
        let checksum = "S/USLzRFVMU73i67jNK349FgCtYxw4Wl18ziPHeFRZo="
        func result(_ text: String) -> [RawServer.Step] {
            reply("<CopyObjectResult><ETag>x</ETag>\(text)</CopyObjectResult>")
        }
        func size(_ header: String = "") -> [RawServer.Step] {
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\(header)\r\n")]
        }
        let (client, server) = try client([
            "/bucket/a": [result("<ChecksumSHA256>\(checksum)</ChecksumSHA256>")],
            "/bucket/b": [result(""), size("x-amz-checksum-sha256: \(checksum)\r\n")],
            "/bucket/c": [result(""), size()],
            "/bucket/d": [error("NotImplemented", status: "501 Not Implemented")],
            "/bucket/e": [error("SlowDown", status: "200 OK"), result("<ChecksumSHA256>\(checksum)</ChecksumSHA256>")],
        ])
        for (key, isCopied) in [("a", true), ("b", true), ("c", false), ("d", false), ("e", true)] {
            #expect(try client.copy("s/ü", to: key, size: 1, sha256: sha256) == isCopied, "\(key)")
        }
        #expect(server.requests[0].contains("\r\nx-amz-copy-source: /bucket/s/%C3%BC\r\n"))
        #expect(try !client.copy("s", to: "large", size: S3Client.multipartSize, sha256: sha256))
        #expect(server.requests.count == 8)
    }

    @Test("An upload whose stored checksum differs is repeated")
    func wrongChecksum() throws {
        let (client, server) = try client([
            "/bucket/a": [reply(headers: ["x-amz-checksum-sha256: AAAA"]), reply()]
        ])
        try client.put([1], to: "a")
        #expect(server.requests.count == 2)
        #expect(
            server.requests[0].contains(
                "\r\nx-amz-checksum-sha256: S/UXw7MLHoC7Lxe1Xf9GnB5tB0xOblKidTS0vO3Y2i0=".prefix(26)))
    }

    @Test(
        "Answers are one clear sentence",
        arguments: [
            ("ExpiredToken", "400 Bad Request", "", "the session token has expired"),
            ("RequestTimeTooSkewed", "403 Forbidden", "", "this machine's clock differs too much from the service's"),
            (
                "AuthorizationHeaderMalformed", "400 Bad Request", "<Region>eu-west-1</Region>",
                "the bucket is in another region: eu-west-1"
            ),
            ("AccessDenied", "403 Forbidden", "", "the credentials do not permit this"),
            ("NoSuchBucket", "404 Not Found", "", "the bucket 'bucket' does not exist"),
        ])
    func sentences(_ code: String, status: String, more: String, sentence: String) throws {
        let (client, _) = try client(["/bucket/key": [error(code, status: status, more: more)]])
        #expect(reason(client) { _ = try client.get("key", limit: 1) } == sentence)
    }

    @Test("A reader refuses other bytes than those of the version that it began with")
    func reader() throws {
        let head: [RawServer.Step] = [
            .text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nETag: \"e\"\r\nx-amz-checksum-sha256: AAAA\r\n\r\n")
        ]
        let replaced = error("PreconditionFailed", status: "412 Precondition Failed")
        let cases = [
            (reply("abcd", status: "206 Partial Content"), "the received bytes do not match the object's SHA-256"),
            (reply("abcd"), "the received bytes do not match the object's SHA-256"),
            (reply("ab", status: "206 Partial Content"), "the service sent another part than the requested one"),
            (replaced, "the object was replaced while it was read"),
        ]
        for (reply, sentence) in cases {
            let (client, server) = try client(["/bucket/key": [head, reply]])
            let location = try #require(S3Location("s3://bucket/key"))
            let error = #expect(throws: FileError.self) {
                var reader = try S3Bucket(location, client: client).reader()
                while try !reader.read(10).isEmpty {}
            }
            #expect(error?.reason == sentence)
            #expect(server.requests.last?.contains("\r\nif-match: \"e\"\r\n") == true)
            #expect(server.requests.last?.contains("\r\nrange: bytes=0-3\r\n") == true)
        }
    }

    @Test("A redirect to another region is not followed")
    func redirect() throws {
        let (client, _) = try client([
            "/bucket/key": [
                reply(status: "301 Moved Permanently", headers: ["x-amz-bucket-region: eu-west-3", "Location: /other"])
            ]
        ])
        #expect(reason(client) { _ = try client.get("key", limit: 1) } == "the bucket is in another region: eu-west-3")
    }

    private func page(_ keys: [String], next: String? = nil) -> [RawServer.Step] {
        let entries = keys.map { "<Contents><Key>\($0)</Key><Size>1</Size><ETag>e</ETag></Contents>" }.joined()
        let more = next.map { "<IsTruncated>true</IsTruncated><NextContinuationToken>\($0)</NextContinuationToken>" }
        return reply("<ListBucketResult>\(entries)\(more ?? "")</ListBucketResult>")
    }

    @Test(
        "Listings that repeat keys or pages, or that are malformed, are refused",
        arguments: [
            (["a", "a"], [], "the listing repeats keys"), (["a"], ["a"], "the listing repeats keys"),
            (["a"], ["b"], "the listing repeats its pages"), ([], [], "the service sent an invalid listing"),
        ])
    func listings(_ first: [String], _ second: [String], sentence: String) throws {
        let paged = "/bucket?continuation-token=t&\(Self.listingPath.dropFirst("/bucket?".count))"
        let (client, _) = try client([
            Self.listingPath: [first.isEmpty ? reply("<ListBucketResult>") : page(first, next: "t")],
            paged: [page(second, next: "t")],
        ])
        var listing = S3Listing(client, prefix: "")
        #expect(reason(client) { while try listing.next() != nil {} } == sentence)
    }

    /// Keys were compared as Unicode compares texts, so a bucket with both forms of a name could not be listed.
    @Test("Keys that are equal in Unicode, but have different bytes, are two keys")
    func equivalentKeys() throws {
        let (client, _) = try client([Self.listingPath: [page(["e\u{301}.jpg", "\u{E9}.jpg"])]])
        var listing = S3Listing(client, prefix: "")
        let keys = try #require(try listing.next()).objects.map(\.key)
        #expect(keys.map { Array($0.utf8) } == [Array("e\u{301}.jpg".utf8), Array("\u{E9}.jpg".utf8)])
    }

    /// The path was split into characters, and a slash before a combining mark is part of another character.
    @Test("A key that a client would shorten is refused, also before a combining mark")
    func dots() throws {
        for key in ["a/../b", "a/../\u{301}b", "./\u{301}", ""] {
            #expect(throws: S3Error.self, "\(key)") { try S3Client.checked(key) }
        }
        #expect(try S3Client.checked("a/\u{301}b") == "a/\u{301}b")
    }

    @Test("An upload in parts that fails with status 200 is an error, and its parts are removed")
    func completion() throws {
        let (client, server) = try client([
            "/bucket/key?uploads=": [reply("<R><UploadId>u</UploadId></R>")],
            "/bucket/key?partNumber=1&uploadId=u": [reply(headers: ["ETag: \"1\""])],
            "/bucket/key?partNumber=2&uploadId=u": [reply(headers: ["ETag: \"2\""])],
            "/bucket/key?partNumber=3&uploadId=u": [reply(headers: ["ETag: \"3\""])],
            "/bucket/key?partNumber=4&uploadId=u": [reply(headers: ["ETag: \"4\""])],
            "/bucket/key?uploadId=u": [reply("<Error><Code>InvalidPart</Code><Message>m</Message></Error>"), reply()],
        ])
        let temporary = TemporaryFolder()
        let partial = try PartialFile("large", in: try Folder(temporary.path))
        try partial.write([1])
        try partial.truncate(to: S3Client.multipartSize)
        let file = try OpenFile.reading(temporary.path("large"), followsLink: false)
        let reason = reason(client) { try client.put(file, to: "key") }
        #expect(reason == "InvalidPart: m (status 200)")
        #expect(server.requests.last?.hasPrefix("DELETE /bucket/key?uploadId=u ") == true)
    }
}
