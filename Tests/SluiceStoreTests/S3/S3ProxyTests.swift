// SPDX-License-Identifier: MIT

import SluiceFiles
import TestSupport
import Testing

@testable import SluiceStore

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
        defer { proxy.stop() }
        let client = try TestBucket.client(direct.endpoint.bucket, at: proxy.endpoint)
        let temporary = try TemporaryFolder()
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
        defer { proxy.stop() }
        let client = try TestBucket.client(direct.endpoint.bucket, at: proxy.endpoint)
        #expect(try client.put([1], ifAbsent: "key"))
        #expect(try !client.put([2], ifAbsent: "key") && proxy.faults == 1)
        #expect(try direct.get("key", limit: 10) == [1])
    }
}
