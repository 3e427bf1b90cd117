// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Digest", .timeLimit(.minutes(10))) struct DigestTests {
    @Test("Hashing a file ends without a result when its token is cancelled")
    func cancellation() throws {
        let folder = TemporaryFolder()
        try folder.write("abc", to: "file")
        let file = try FileHandle(forReadingFrom: folder.url.appending(path: "file"))
        let token = CancellationToken()
        let wanted = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, token: token) == wanted)
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor) == wanted)
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, upTo: 3) == wanted)
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, upTo: 1000) == wanted)
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, upTo: 2) == SHA256.digest(of: Array("ab".utf8)))
        token.cancel()
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, token: token) == nil)
    }

    /// The wanted values are Python's.
    @Test("SHA-256 of every length up to three blocks, and of a long text in pieces")
    func values() {
        let hashes = SHA256()
        for length in 0..<200 {
            let digest = SHA256.digest(of: (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) })
            hashes.update(Array(digest.utf8))
        }
        #expect(hashes.finish() == "ca07a79e06ea4c825585cbbf34308733cb36356746a5eec888d7f813ec003999")
        for size in [1, 63, 64, 65, 4096] {
            var left = 1_000_000
            while left > 0 {
                let count = min(size, left)
                hashes.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
                left -= count
                if left == 500_000 { #expect(hashes.currentValue().count == 64) }
            }
            #expect(hashes.currentValue() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
            #expect(hashes.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        }
    }
}

@Suite("Digests that hosts state", .timeLimit(.minutes(5))) struct HostDigestTests {
    /// The MD5 and SHA-256 of `abc` and of nothing.
    private static let (md5, emptyMD5) = ("kAFQmDzST7DWlj99KOF/cg==", "1B2M2Y8AsgTpgAmY7PhCfg==")
    private static let sha256 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private static let emptySHA256 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    /// Six of six wrong digests were accepted.
    @Test(
        "A digest in a header is compared with the file; malformed ones, and those of other bytes, state nothing",
        arguments: [
            ("Content-MD5: \(md5)", true), ("Content-MD5: \(emptyMD5)", false), ("Content-MD5: rubbish", true),
            ("Content-MD5: \(emptyMD5)\nContent-Encoding: gzip", true),
            ("Digest: SHA-256=\(sha256),MD5=\(emptyMD5)", true), ("Digest: md5=\(emptyMD5)", false),
            ("Digest: UNIXsum=30637, sha-256=\(emptySHA256)", false),
            ("Repr-Digest: sha-512=:AAAA:, sha-256=:\(sha256):", true),
            ("Repr-Digest: sha-256=:\(emptySHA256):", false),
            ("x-amz-checksum-sha256: \(emptySHA256)", false), ("x-amz-checksum-sha256: \(emptySHA256)-3", true),
            ("x-amz-checksum-sha1: 2jmj7l5rSw0yVb/vlWAYkK/YBwk=", false), ("x-goog-hash: crc32c=AAAAAA==", true),
            ("x-goog-hash: crc32c=AAAAAA==\nx-goog-hash: md5=\(emptyMD5)", false),
            ("x-goog-hash: md5=\(emptyMD5)\nx-goog-stored-content-encoding: gzip", true),
            ("ETag: \"\(emptyMD5)\"", true),
        ])
    func check(headers: String, isAccepted: Bool) throws {
        let folder = TemporaryFolder()
        try folder.write("abc", to: "file")
        let file = try FileHandle(forReadingFrom: folder.url.appending(path: "file"))
        var fields = HeaderFields()
        for line in headers.split(separator: "\n") { fields.add(line: String(line)) }
        let response = Response(
            status: 200, url: "http://a.test/", headers: fields, body: [], bytes: 3,
            sha256: SHA256.digest(of: Array("abc".utf8)))
        let failure: Failure?
        do throws(Failure) {
            try HostDigest.check(response, of: file.fileDescriptor)
            failure = nil
        } catch { failure = error }
        #expect((failure == nil) == isAccepted && failure.map(\.cause.isRetryable) != false, "\(headers)")
    }
}

@Suite("Chunk framing", .timeLimit(.minutes(10))) struct ChunkFramingTests {
    /// Returns the framing after the bytes in two pieces that meet at an offset.
    private func framing(of text: String, splitAt offset: Int) -> ChunkFraming {
        let bytes = Array(text.utf8)
        var framing = ChunkFraming()
        for piece in [bytes[..<offset], bytes[offset...]] {
            unsafe piece.withUnsafeBytes { unsafe framing.receive($0) }
        }
        return framing
    }

    /// libcurl accepted the LF, and the file ended with the CR.
    @Test(
        "A chunk must end with CRLF",
        arguments: [
            ("4\r\nabc\r\n0\r\n\r\n", true), ("3\r\nabc\n0\r\n\r\n", true), ("3\r\nabcd\r\n0\r\n\r\n", true),
            ("1\r\na\r\n4\r\nabc\r\n0\r\n\r\n", true), ("3\r\nabc\r\n0\r\n\r\n", false),
            ("3;x=y\r\nabc\r\nA\r\n\r\n23456789\r\n0\r\nX: y\r\n\r\n", false), ("3\nabc\r\n0\n\n", false),
            ("0\r\n\r\n", false), ("3\r\nab", false), ("", false),
            ("0000000000000003\r\nabc\r\n0000\r\n\r\n", false), ("0000000000000003\r\nabcd\r\n", true),
            // Bytes that are not chunks are left to libcurl.
            ("\u{FF}\u{D8}4\r\nabc\r\n", false), ("xyz", false),
        ])
    func ends(text: String, isBroken: Bool) {
        for offset in 0...text.utf8.count { #expect(framing(of: text, splitAt: offset).isBroken == isBroken) }
    }

    @Test(
        "Bytes after the last chunk are found",
        arguments: [
            ("3\r\nabc\r\n0\r\n\r\n", false), ("3\r\nabc\r\n0\r\n\r\nx", true),
            ("0\r\nX: y\r\n\r\n\r\n", true), ("0\r\nX: y\r\n\r\n", false), ("3\r\nabc\r\n0\r\n", false),
            ("0\n\nx", true), ("xyz", false),
        ])
    func surplus(text: String, hasSurplus: Bool) {
        for offset in 0...text.utf8.count {
            #expect(framing(of: text, splitAt: offset).hasSurplus == hasSurplus)
        }
    }
}
