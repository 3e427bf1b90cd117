// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport

@testable import SluiceTransfer

extension FaultRow {
    /// Endless bodies, decompression bombs, and bodies of the wrong length.
    static let bodies: [FaultRow] =
        [
            FaultRow("A1", "endless", [.text(ok + "\r\n"), .endless]) {
                ($0.cause, $0.detail) = ("too-large", "more than 100000 bytes")
            },
            FaultRow(
                "A1", "endless chunks",
                [.text(ok + "Transfer-Encoding: chunked\r\n\r\n"), .repeated("4\r\nxxxx\r\n")]
            ) { $0.cause = "too-large" },
            FaultRow(
                "A1", "announced too large", ok + "Content-Length: 100001\r\n\r\nx", "too-large",
                "100001 bytes announced (limit 100000)"),
            FaultRow("A2", "a page that is a decompression bomb", [.text(encoded("gzip", bomb.count)), .raw(bomb)]) {
                ($0.isPage, $0.cause, $0.detail) = (true, "encoding-bomb", "bytes expanded to more than")
            },
            FaultRow(
                "A2", "a page compressed twenty times",
                encoded(
                    Array(repeating: "gzip", count: 20)
                        .joined(separator: ", "), 3) + "abc", "content-encoding"
            ).page,
            FaultRow("A2", "a page with an unknown encoding", encoded("sluice", 3) + "abc", "content-encoding").page,
        ]
        + ["br", "zstd", "gzip, gzip"].map {
            FaultRow("A2", "unrequested \($0)", encoded($0, 3) + "abc", "content-encoding", "\($0) not requested")
        }
        + [("gzip", gzip), ("x-gzip", gzip), ("deflate", zlib)].map { encoding, bytes in
            FaultRow("A2", "unrequested \(encoding)", [.text(encoded(encoding, bytes.count)), .raw(bytes)]) {
                $0.arrives = "photo photo photo"
            }
        } + [
            FaultRow("A2", "unrequested gzip that is damaged", encoded("gzip", 3) + "abc", "content-encoding"),
            FaultRow(
                "A2", "unrequested gzip that is a bomb", [.text(encoded("gzip", bomb.count)), .raw(bomb)]
            ) { $0.cause = "encoding-bomb" },
            FaultRow(
                "A2", "unrequested gzip, cut short, with a tag",
                [.text(ok + tag + "Content-Encoding: gzip\r\nContent-Length: 30\r\n\r\n"), .raw(gzip)]
            ) { ($0.cause, $0.waits) = ("truncated", again) },
            FaultRow(
                "A3", "another SHA-256 than stated",
                ok
                    + "Repr-Digest: md5=:x:, sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:\r\nContent-Length: 3\r\n\r\nabc",
                "digest-mismatch", "repr-digest states the sha256 e3b0c442", waits: again),
            FaultRow(
                "A3", "another MD5 than stated",
                ok + "x-goog-hash: crc32c=AAAAAA==,md5=1B2M2Y8AsgTpgAmY7PhCfg==\r\n"
                    + "Content-Length: 3\r\n\r\nabc", "digest-mismatch", "x-goog-hash states the md5 d41d8cd9",
                waits: again
            ),
            FaultRow("A4", "a status line without a reason", [.text("HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc")]) {
                $0.arrives = "abc"
            },
            FaultRow(
                "A3", "a chunk's size with leading zeros",
                [.text(ok + "Transfer-Encoding: chunked\r\n\r\n0000000000000003\r\nabc\r\n0\r\n\r\n")]
            ) { $0.arrives = "abc" },
            FaultRow(
                "A3", "cut short", ok + "Content-Length: 30\r\n\r\nabc", "truncated", "3 of 30 bytes", waits: again),
            FaultRow("A3", "cut short, with a tag", [.text(ok + tag + "Content-Length: 30\r\n\r\nabc")]) {
                ($0.cause, $0.waits, $0.isKept) = ("truncated", again, true)
            },
            FaultRow("A3", "reset", [.text(ok + "Content-Length: 30\r\n\r\nabc"), .reset]) {
                ($0.cause, $0.waits) = ("truncated", again)
            },
            FaultRow(
                "A3", "a cut chunk", ok + "Transfer-Encoding: chunked\r\n\r\n10\r\nabc", "truncated", waits: again),
            FaultRow(
                "A3", "a chunk that lacks a byte, and a bare LF",
                ok + "Transfer-Encoding: chunked\r\n\r\n4\r\nabc\r\n0\r\n\r\n", "bad-framing",
                "a chunk does not end with CRLF", waits: again),
            // Such a reply ended the run as a bug in Sluice.
            FaultRow(
                "A3", "a trailer without a colon",
                ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nrubbish\r\n\r\n", "bad-framing",
                "a field after the last chunk is malformed", waits: again),
            FaultRow(
                "A4", "two lengths", ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "bad-framing",
                "both 3 and 4", waits: again),
            FaultRow("A4", "a negative length", ok + "Content-Length: -3\r\n\r\nabc", "bad-headers"),
            FaultRow(
                "A4", "a length beyond 64 bits", ok + "Content-Length: 18446744073709551616\r\n\r\nabc",
                "bad-framing", waits: again),
            FaultRow(
                "A4", "a length that is not a number", ok + "Content-Length: 3x\r\n\r\nabc", "bad-framing", waits: again
            ),
        ]

    /// Successful statuses with the wrong content.
    static let wrongContent: [FaultRow] =
        ["text/html", "image/jpeg", "application/octet-stream", "application/json", "x"].flatMap { type in
            ["<!doctype html>", "{\"error\":1}"].map { body in
                let head = ok + "Content-Type: \(type)\r\nContent-Length: 500000\r\n\r\n"
                return FaultRow("A5", "\(body) as \(type)", [.text(head + body), .endless]) {
                    ($0.cause, $0.detail) = ("not-an-image", body)
                    $0.change = { request, _, _ in request.limit = 1_000_000 }
                }
            }
        } + [
            FaultRow("A5", "an empty body", ok + "Content-Length: 0\r\n\r\n", "empty-body", waits: again),
            FaultRow("A5", "an empty body without a length", ok + "\r\n", "empty-body", waits: again),
            FaultRow("A5", "no content", "HTTP/1.1 204 No\r\n\r\n", "unexpected-status", "204"),
            FaultRow(
                "A5", "an unrequested 206",
                "HTTP/1.1 206 P\r\nContent-Range: bytes 0-1/2\r\nContent-Length: 2\r\n\r\nab", "unexpected-status",
                "206"),
            FaultRow(
                "A5", "another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc",
                "unexpected-status", "101: the server switched to a protocol that was not requested"),
            FaultRow("A5", "an unrequested 304", "HTTP/1.1 304 Same\r\n\r\n", "unexpected-status", "304"),
        ]

    /// Hosts that answer a range request with something else; the file is always one complete version.
    static let resumptions: [FaultRow] = [
        resumed("the rest", with: part("10-29/30", tag, letters(10..<30)), arrives: letters(0..<30)),
        resumed("a new version", with: newVersion, arrives: "whole"),
        resumed("another version's rest", with: part("10-29/30", "ETag: \"v2\"\r\n", letters(10..<30)), requests: 3),
        resumed("a rest without a tag", with: part("10-29/30", "", letters(10..<30)), requests: 3),
        resumed("a rest from another offset", with: part("5-29/30", tag, letters(5..<30)), requests: 3),
        resumed("a rest of a file of another size", with: part("10-30/31", tag, letters(10..<31)), requests: 3),
        resumed("a rest without a range", with: part("x", tag, letters(10..<30)), requests: 3),
        resumed("no rest", with: "HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n", requests: 3),
        resumed("a weak tag", by: "ETag: W/\"v1\"\r\n", with: newVersion),
    ]

    private var page: FaultRow {
        var row = self
        row.isPage = true
        return row
    }

    private static let bomb = Deflate.zeros(blocks: 40_000)

    /// The text `photo photo photo` in two encodings.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 200, 200, 47, 201, 87, 40, 64, 144, 0, 226, 206, 219, 12, 17, 0, 0, 0,
    ]
    private static let zlib: [UInt8] = [120, 156, 43, 200, 200, 47, 201, 87, 40, 64, 144, 0, 60, 161, 6, 191]

    private static func encoded(_ encoding: String, _ count: Int) -> String {
        ok + "Content-Encoding: \(encoding)\r\nContent-Length: \(count)\r\n\r\n"
    }

    /// Consecutive letters, so that no two parts of the text are the same.
    private static func letters(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(range.map { Unicode.Scalar(UInt8(0x41 + $0)) }))
    }

    private static let newVersion = ok + "ETag: \"v2\"\r\nContent-Length: 5\r\n\r\nwhole"

    private static func part(_ range: String, _ tag: String, _ body: String) -> String {
        "HTTP/1.1 206 Rest\r\n\(tag)Content-Range: bytes \(range)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A file that is interrupted, and the response to the range request; later requests get a new version.
    private static func resumed(
        _ name: String, by tag: String = tag, with reply: String, requests: Int = 2, arrives: String = "whole"
    ) -> FaultRow {
        FaultRow("A6", name, []) {
            $0.host = [
                "/x": [
                    [.text(ok + tag + "Content-Length: 30\r\n\r\n" + letters(0..<10))], [.text(reply)],
                    [.text(newVersion)],
                ]
            ]
            ($0.arrives, $0.waits, $0.requests) = (arrives, [.seconds(1)], requests...requests)
        }
    }
}

/// A minimal gzip writer for decompression bombs.
enum Deflate {
    /// Compresses zeros: each 13-bit block stands for 258 of them.
    static func zeros(blocks: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var (buffer, count) = (0, 0)
        func put(_ bits: [Int], into bytes: inout [UInt8]) {
            for bit in bits {
                buffer |= bit << count
                count += 1
                guard count == 8 else { continue }
                bytes.append(UInt8(buffer))
                (buffer, count) = (0, 0)
            }
        }
        // A final block with fixed Huffman codes: one zero, and then copies of 258 bytes.
        put([1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0], into: &bytes)
        for _ in 0..<blocks { put([1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0], into: &bytes) }
        put([0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0], into: &bytes)
        return bytes
    }
}
