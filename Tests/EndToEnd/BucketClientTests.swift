// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@testable import SluiceStore

/// Another client reads what Sluice has written, and the other way round: boto3, which AWS publishes.
@Suite(
    "Buckets: boto3", .enabled(if: ObjectStoreTools.hasSeaweed && PythonPackages.hasBoto), .timeLimit(.minutes(10)))
struct BucketClientTests {
    private static let client = """
        import base64, boto3, hashlib, json, sys
        import awscrt  # With it, boto3 verifies CRC64NVME.
        endpoint, key, secret, bucket, *rest = sys.argv[1:]
        s3 = boto3.client("s3", endpoint_url=endpoint, aws_access_key_id=key, aws_secret_access_key=secret,
                          region_name="us-east-1")

        """
    /// Prints one JSON object for each object below a prefix.
    private static let reading = """
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=rest[0]):
            for entry in page["Contents"]:
                reply = s3.get_object(Bucket=bucket, Key=entry["Key"], ChecksumMode="ENABLED")
                body = reply["Body"].read()
                assert len(body) == entry["Size"] == reply["ContentLength"]
                digest = hashlib.sha256(body).digest()
                print(json.dumps({
                    "key": entry["Key"], "sha256": digest.hex(), "type": reply["ContentType"],
                    "computed": base64.b64encode(digest).decode(),
                    "stored": reply.get("ChecksumSHA256"), "crc64": reply.get("ChecksumCRC64NVME"),
                    "kind": reply.get("ChecksumType")}))
        """

    private func run(_ script: String, _ arguments: [String], on bucket: BucketUnderTest) throws -> [RunEvent] {
        let keys = SeaweedServer.owner
        let output = try PythonPackages.run(
            Self.client + script, [bucket.endpoint, keys.key, keys.secret, bucket.name] + arguments)
        return try RunEvent.all(in: output)
    }

    @Test("boto3 reads the same bytes, media types and checksums that a mirror has stored")
    func mirror() async throws {
        let bucket = try await BucketUnderTest()
        let mirror = [
            "mirror", "demo", "--pages", "1", "--per-page", "12", "--variant", "thumb", "--sizes", "64", "--title", "t",
        ]
        for out in [bucket.url("m"), "local"] {
            try bucket.start(mirror + ["--out", out]).end().expect()
        }
        let expected = try Tree(of: bucket.folder.path("local")).visible
        let types = [
            "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif", "avif": "image/avif",
            "html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript",
            "json": "application/json", "jsonl": "application/jsonl", "csv": "text/csv",
        ]
        var found: Set<String> = []
        for object in try run(Self.reading, ["m/"], on: bucket) {
            let name = String(try #require(object[text: "key"]).dropFirst(2))
            #expect(object[text: "stored"] == object[text: "computed"], "\(name)")
            guard let bytes = expected.files[name] else { continue }
            found.insert(name)
            #expect(object[text: "sha256"] == sha256([UInt8](bytes)), "\(name)")
            let type = try #require(types[name.split(separator: ".").last.map(String.init) ?? ""], "\(name)")
            #expect(object[text: "type"] == type, "\(name)")
        }
        #expect(found == Set(expected.names) && found.count > 30)
    }

    @Test("boto3 accepts the checksum of a large object, which is stored in parts")
    func parts() async throws {
        let bucket = try await BucketUnderTest()
        var bytes = Data(count: S3Client.multipartSize + 1)
        for index in stride(from: 0, to: bytes.count, by: 4096) {
            bytes[index] = UInt8(truncatingIfNeeded: index >> 12)
        }
        try bucket.folder.write(bytes, to: "large")
        try bucket.client.put(try OpenFile.reading(bucket.folder.path("large"), followsLink: false), to: "large.tar")
        let object = try #require(try run(Self.reading, ["large.tar"], on: bucket).first)
        #expect(object[text: "sha256"] == sha256([UInt8](bytes)))
        #expect(object[text: "type"] == "application/x-tar")
        #expect(object[text: "crc64"] != nil && object[text: "kind"] == "FULL_OBJECT", "\(object.members)")
    }

    @Test("Photos that boto3 has stored, whole or in parts, are mirrored")
    func source() async throws {
        let bucket = try await BucketUnderTest()
        try bucket.run(
            "mirror", "demo", "--pages", "1", "--per-page", "3", "--sizes", "none", "--out", "demo"
        ).expect()
        let photos = try Tree(of: bucket.folder.path("demo")).filtered { $0.hasPrefix("originals/") }
        let writing = """
            from boto3.s3.transfer import TransferConfig
            parts = TransferConfig(multipart_threshold=1, multipart_chunksize=5 << 20)
            for number, path in enumerate(rest):
                s3.upload_file(path, bucket, f"in/{number}.jpg", Config=parts if number == 0 else None)
            """
        _ = try run(writing, photos.names.map { bucket.folder.path("demo/\($0)") }, on: bucket)
        try bucket.run("mirror", bucket.url("in"), "--sizes", "none", "--out", "copy").expect()
        let copies = try Tree(of: bucket.folder.path("copy")).filtered { $0.hasPrefix("originals/") }
        #expect(Set(copies.files.values) == Set(photos.files.values) && photos.files.count == 3)
    }
}
