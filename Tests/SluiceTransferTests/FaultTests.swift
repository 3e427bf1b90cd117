// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// What hosts do wrong, one row each: the cause, how often it was tried, how long it took, and what is left on the disk.
@Suite("Faults", .timeLimit(.minutes(10))) struct FaultTests {
    enum Deadline: Sendable { case none, firstByte, leastSpeed, whole }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let script: [RawServer.Step]
        let cause: String
        /// What the failure must say.
        var detail = ""
        var requests = 1
        /// Whether bytes stay for the next run.
        var isKept = false
        /// What ends it, where it would not end by itself: all other deadlines are far away.
        var deadline = Deadline.none

        var testDescription: String { name }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let tag = "ETag: \"v1\"\r\n"

    private static func text(_ name: String, _ text: String, _ cause: String, _ detail: String = "", requests: Int = 1)
        -> Row
    {
        Row(name: name, script: [.text(text)], cause: cause, detail: detail, requests: requests)
    }

    /// The rows of bodies that are too long, too short, or not as they were announced.
    static let bodies: [Row] = [
        Row(
            name: "endless", script: [.text(ok + "\r\n"), .endless], cause: "too-large",
            detail: "more than 100000 bytes"),
        Row(
            name: "endless chunks",
            script: [.text(ok + "Transfer-Encoding: chunked\r\n\r\n"), .repeated("4\r\nxxxx\r\n")], cause: "too-large"),
        text("announced too large", ok + "Content-Length: 100001\r\n\r\nx", "too-large", "100001 bytes announced"),
        text("cut short", ok + "Content-Length: 30\r\n\r\nabc", "truncated", "3 of 30 bytes", requests: 3),
        Row(
            name: "cut short, with a tag", script: [.text(ok + tag + "Content-Length: 30\r\n\r\nabc")],
            cause: "truncated", requests: 3, isKept: true),
        Row(
            name: "reset", script: [.text(ok + "Content-Length: 30\r\n\r\nabc"), .reset], cause: "truncated",
            requests: 3),
        text("a cut chunk", ok + "Transfer-Encoding: chunked\r\n\r\n10\r\nabc", "truncated", requests: 3),
        text("two lengths", ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "bad-framing", requests: 3),
        text("a negative length", ok + "Content-Length: -3\r\n\r\nabc", "bad-headers"),
        text(
            "a length beyond counting", ok + "Content-Length: 18446744073709551616\r\n\r\nabc", "bad-framing",
            requests: 3),
        text("a length that is no number", ok + "Content-Length: 3x\r\n\r\nabc", "bad-framing", requests: 3),
        text("no bytes", ok + "Content-Length: 0\r\n\r\n", "empty-body", requests: 3),
        text("nothing and the end", ok + "\r\n", "empty-body", requests: 3),
        text("no content", "HTTP/1.1 204 No\r\n\r\n", "unexpected-status", "204"),
        text(
            "a part unasked", "HTTP/1.1 206 P\r\nContent-Range: bytes 0-1/2\r\nContent-Length: 2\r\n\r\nab",
            "unexpected-status"),
        text("unchanged unasked", "HTTP/1.1 304 Same\r\n\r\n", "unexpected-status", "304"),
        text(
            "compressed unasked", ok + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "content-encoding",
            "gzip not requested"),
    ]

    static let heads: [Row] = [
        text("no HTTP at all", "rubbish\r\n\r\n", "bad-headers"),
        Row(
            name: "endless heads", script: [.repeated("HTTP/1.1 100 Continue\r\n\r\n")], cause: "bad-headers",
            detail: "more than 307200"),
        Row(name: "an endless line", script: [.text(ok + "X: "), .endless], cause: "bad-headers"),
        Row(name: "endless lines", script: [.text(ok), .repeated("X-Y: z\r\n")], cause: "bad-headers"),
        text("a NUL in a line", ok + "X: a\u{0}b\r\nContent-Length: 1\r\n\r\nz", "bad-headers"),
        Row(name: "nothing", script: [], cause: "connect", requests: 3),
        Row(name: "a reset before a reply", script: [.reset], cause: "connect", requests: 3),
    ]

    /// What takes its time, and the deadline that ends it.
    static let silences: [Row] = [
        Row(
            name: "silence", script: [.hang], cause: "timeout", detail: "no byte for 300 ms", requests: 3,
            deadline: .firstByte),
        Row(
            name: "half a head", script: [.text(ok), .hang], cause: "timeout", detail: "too slow", requests: 3,
            deadline: .leastSpeed),
        Row(
            name: "half a body", script: [.text(ok + "Content-Length: 30\r\n\r\nabc"), .hang], cause: "timeout",
            detail: "too slow", requests: 3, deadline: .leastSpeed),
        Row(
            name: "half a body, with a tag", script: [.text(ok + tag + "Content-Length: 30\r\n\r\nabc"), .hang],
            cause: "timeout", requests: 3, isKept: true, deadline: .leastSpeed),
        Row(
            name: "a dripping head", script: [.text(ok + "X: "), .drip(1000, milliseconds: 50)], cause: "timeout",
            requests: 3, deadline: .leastSpeed),
        Row(
            name: "a dripping body",
            script: [.text(ok + "Content-Length: 1000\r\n\r\n"), .drip(1000, milliseconds: 50)],
            cause: "timeout", requests: 3, deadline: .whole),
    ]

    static let statuses: [Row] = [
        text("not found", "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", "http-404"),
        text("gone", "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", "http-410"),
        text("forbidden", "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", "http-403"),
        Row(name: "not found, endlessly", script: [.text("HTTP/1.1 404 No\r\n\r\n"), .endless], cause: "http-404"),
        text("too many", "HTTP/1.1 429 Slow\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n", "http-429", requests: 3),
        text("busy", "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "http-5xx", requests: 3),
        text(
            "later than ever", "HTTP/1.1 429 S\r\nRetry-After: 99999999999999\r\nContent-Length: 0\r\n\r\n", "deferred",
            "limit 300"),
        text(
            "round and round", "HTTP/1.1 302 F\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", "redirect-loop",
            requests: 6),
        text(
            "to a file", "HTTP/1.1 302 F\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            "redirect-scheme", "file"),
        text("to nowhere", "HTTP/1.1 302 F\r\nContent-Length: 0\r\n\r\n", "redirect-scheme"),
        text(
            "a body that follows a redirect",
            "HTTP/1.1 302 F\r\nLocation: file:///\r\n\r\n" + String(repeating: "x", count: 200_000), "redirect-scheme"),
    ]

    @Test(
        "Each fault has its cause, its count, its time, and leaves what it should",
        arguments: bodies + heads + silences + statuses)
    func faults(row: Row) async throws {
        let folder = try TemporaryFolder()
        let server = try RawServer(["/x": row.script])
        defer { server.stop() }
        var options = TransferOptions.patient
        options.retry.retries = 2
        options.retry.base = .milliseconds(1)
        options.addressGuard = .open
        if row.deadline == .firstByte { options.firstByteTimeout = .milliseconds(300) }
        if row.deadline == .leastSpeed { options.leastSpeedTime = .seconds(1) }
        let transfers = Transfers(options)
        let timeout = Duration.seconds(row.deadline == .whole ? 2 : 1000)
        let request = Request(server.url("/x"), limit: 100_000, timeout: timeout)
        let partial = try PartialFile("f", in: Folder(folder.path))
        var arrival: Arrival?
        var failure: Failure?
        let time = await ContinuousClock().measure {
            do throws(Failure) {
                arrival = try await transfers.download(request, into: partial, token: Token())
            } catch {
                failure = error
            }
        }
        #expect(arrival == nil && failure?.cause.name == row.cause, "\(String(describing: failure))")
        #expect(row.detail.isEmpty || failure?.detail.contains(row.detail) == true, "\(String(describing: failure))")
        #expect(server.requests.count == row.requests)
        #expect(folder.names() == (row.isKept ? ["f", "f.note"] : []))
        // Only what nothing but a deadline of 1000 s would end, or nothing at all, takes so long, however busy the machine.
        #expect(time < .seconds(200))
    }

    @Test("What a connection brings behind a reply is not the next one's reply")
    func desync() async throws {
        let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        let good = Self.ok + "Content-Length: 4\r\n\r\ngood"
        let server = try RawServer(sequences: ["/x": [[.text(good + evil), .again], [.text(good), .again]]])
        defer { server.stop() }
        var options = TransferOptions.patient
        options.addressGuard = .open
        let transfers = Transfers(options)
        for _ in 0..<20 {
            let response = try await transfers.fetch(Request(server.url("/x")), token: Token())
            #expect(String(decoding: response.body, as: UTF8.self) == "good")
        }
        #expect(server.connections == 2, "the connection that brought too much is not used again, the other is")
    }

    @Test("A page that grows without end when it is unpacked is cut off as a bomb", arguments: [200_000, 64 << 20])
    func bomb(limit: Int) async throws {
        let bomb = Deflate.zeros(blocks: 40_000)
        let head = Self.ok + "Content-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let server = try RawServer(["/x": [.text(head), .raw(bomb)]])
        defer { server.stop() }
        var options = TransferOptions.patient
        options.addressGuard = .open
        options.retry.retries = 2
        let transfers = Transfers(options)
        let request = Request(server.url("/x"), limit: limit, acceptsCompression: true)
        let failure = await #expect(throws: Failure.self) { try await transfers.fetch(request, token: Token()) }
        #expect(failure?.cause == .encodingBomb, "\(String(describing: failure))")
        #expect(server.requests.count == 1)
    }
}

/// As much of a gzip writer as a bomb takes.
enum Deflate {
    /// Zeros in a gzip stream: 258 for each block, of 13 bits.
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
        // The last block, with the codes that every reader knows; a zero, and then "258 more of what was there before".
        put([1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0], into: &bytes)
        for _ in 0..<blocks { put([1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0], into: &bytes) }
        put([0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0], into: &bytes)
        return bytes
    }
}
