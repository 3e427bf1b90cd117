// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Download", .timeLimit(.minutes(10))) struct DownloadTests {
    private let folder = TemporaryFolder()
    private let files: Folder

    init() throws {
        files = try Folder(folder.path)
    }

    private func download(
        _ request: Request, retries: Int = 0, token: CancellationToken = CancellationToken(),
        earlyCheck: EarlyCheck? = nil
    ) async throws(Failure) -> DownloadResult {
        let partial: PartialFile
        do { partial = try PartialFile("f", in: files) } catch { throw Failure(.disk, "\(error)") }
        return try await transfers(retries: retries).download(
            request, into: partial, token: token, earlyCheck: earlyCheck)
    }

    private func response(of result: DownloadResult) throws -> Response {
        guard case .complete(let response) = result else { throw Failure(.internal, "\(result)") }
        return response
    }

    /// Consecutive letters, so that no two parts of the text are the same.
    private static func text(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(range.map { Unicode.Scalar(UInt8(0x41 + $0)) }))
    }

    private static let cut = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 30\r\n\r\n" + text(0..<10)
    private static let rest =
        "HTTP/1.1 206 Rest\r\nETag: \"v1\"\r\nContent-Range: bytes 10-29/30\r\nContent-Length: 20\r\n\r\n"
        + text(10..<30)
    private static let newVersion = "HTTP/1.1 200 OK\r\nETag: \"v2\"\r\nContent-Length: 5\r\n\r\nwhole"

    @Test("An interrupted download is resumed, in the same run and in the next", arguments: [1, 0])
    func resumes(retries: Int) async throws {
        let server = try RawServer(sequences: ["/x": [[.text(Self.cut)], [.text(Self.rest)]]])
        let request = Request(server.url("/x"))
        if retries == 0 {
            let failure = await #expect(throws: Failure.self) { try await download(request) }
            #expect(failure?.cause == .truncated && failure?.detail == "10 of 30 bytes")
            #expect(folder.names() == ["f", "f.note"])
        }
        let response = try response(of: try await download(request, retries: retries))
        #expect(try folder.bytes(of: "f") == Array(Self.text(0..<30).utf8))
        #expect(response.sha256 == sha256(Array(Self.text(0..<30).utf8)) && response.bytes == 30)
        // The response is the same as without an interruption.
        #expect(response.status == 200 && response.headers["etag"] == "\"v1\"")
        let head = try #require(server.requests.last)
        #expect(head.contains("Range: bytes=10-\r\n") && head.contains("If-Range: \"v1\"\r\n"))
        #expect(server.requests.count == 2 && !server.requests[0].contains("Range"))
    }

    @Test("A running download keeps a note, so that it can be resumed after a crash")
    func noteOnTheWay() async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 90000\r\n\r\n"
        let server = try RawServer(["/x": [.text(head), .bytes(40_000), .drip(200, milliseconds: 50), .hang]])
        let token = CancellationToken()
        let request = Request(server.url("/x"))
        let running = Task { try await download(request, token: token) }
        try await wait(for: "the note") { folder.names().contains("f.note") }
        let note = try JSON(parsing: folder.bytes(of: "f.note"))
        let bytes = try #require(note["bytes"]?.integer)
        // The note covers 32 KiB or more; how many depends on the sizes in which the bytes arrive.
        #expect(try bytes >= 32 << 10 && folder.bytes(of: "f").count >= bytes)
        #expect(note["sha256"]?.text == sha256([UInt8](repeating: 0x78, count: bytes)))
        token.cancel()
        await #expect(throws: Failure.self) { try await running.value }
        #expect(folder.names() == ["f", "f.note"])
    }

    @Test(
        "If the rest cannot be trusted, the whole file is downloaded again",
        arguments: [
            // The host sends the whole file, so no third request is needed.
            (DownloadTests.newVersion, 2),
            ("HTTP/1.1 416 No\r\nContent-Range: bytes */5\r\nContent-Length: 0\r\n\r\n", 3),
            (rest.replacing("\"v1\"", with: "\"v2\""), 3), (rest.replacing("10-29/30", with: "0-19/30"), 3),
            (rest.replacing("10-29/30", with: "10-29/31"), 3), (rest.replacing("Content-Range", with: "X-Range"), 3),
        ])
    func restarts(reply: String, requests: Int) async throws {
        let server = try RawServer(sequences: ["/x": [[.text(Self.cut)], [.text(reply)], [.text(Self.newVersion)]]])
        let response = try response(of: try await download(Request(server.url("/x")), retries: 1))
        #expect(try folder.bytes(of: "f") == Array("whole".utf8))
        #expect(response.sha256 == sha256(Array("whole".utf8)) && response.headers["etag"] == "\"v2\"")
        #expect(server.requests.count == requests)
        #expect(requests == 2 || !server.requests[2].contains("Range"))
    }

    @Test("Without a strong validator the download starts again, in the same run and in the next")
    func noValidator() async throws {
        let weak = Self.cut.replacing("\"v1\"", with: "W/\"v1\"")
        let server = try RawServer(sequences: ["/x": [[.text(weak)], [.text(weak)], [.text(Self.newVersion)]]])
        await #expect(throws: Failure.self) { try await download(Request(server.url("/x")), retries: 1) }
        #expect(folder.names() == [])
        _ = try response(of: try await download(Request(server.url("/x"))))
        #expect(try folder.bytes(of: "f") == Array("whole".utf8))
        #expect(server.requests.allSatisfy { !$0.contains("Range") })
    }

    @Test(
        "A partial file that does not match its note is not resumed",
        arguments: ["bytes", "length", "note", "address"])
    func damaged(part: String) async throws {
        let server = try RawServer(sequences: ["/x": [[.text(Self.cut)], [.text(Self.newVersion)]]])
        await #expect(throws: Failure.self) { try await download(Request(server.url("/x"))) }
        let file = folder.url.appending(path: "f")
        switch part {
        case "bytes": try Data(repeating: 0, count: 10).write(to: file)
        case "length": try Data(folder.bytes(of: "f").prefix(9)).write(to: file)
        case "note": try folder.write(folder.bytes(of: "f.note").prefix(50), to: "f.note")
        default: break
        }
        let url = server.url(part == "address" ? "/x?other" : "/x")
        _ = try? await download(Request(url))
        #expect(server.requests.count == 2 && server.requests[1].contains("Range") == false)
    }

    @Test("Bytes after the noted length are removed before the download is resumed")
    func longer() async throws {
        let server = try RawServer(sequences: ["/x": [[.text(Self.cut)], [.text(Self.rest)]]])
        await #expect(throws: Failure.self) { try await download(Request(server.url("/x"))) }
        try folder.write(Array((Self.text(0..<10) + "rubbish").utf8), to: "f")
        _ = try response(of: try await download(Request(server.url("/x"))))
        #expect(try folder.bytes(of: "f") == Array(Self.text(0..<30).utf8))
    }

    @Test("After a redirect to another host the whole file is requested")
    func elsewhere() async throws {
        let other = try RawServer(["/x": [.text(Self.newVersion)]])
        let away = "HTTP/1.1 302 Found\r\nLocation: \(other.url("/x"))\r\nContent-Length: 0\r\n\r\n"
        let server = try RawServer(sequences: ["/x": [[.text(Self.cut)], [.text(away)]]])
        defer {
            server.stop()
            other.stop()
        }
        _ = try response(of: try await download(Request(server.url("/x")), retries: 1))
        #expect(server.requests[1].contains("Range") && other.requests.allSatisfy { !$0.contains("Range") })
        #expect(try folder.bytes(of: "f") == Array("whole".utf8))
    }

    /// The parts of two files with the same tag and size were joined.
    @Test("After a redirect to another file of the host the whole file is requested")
    func otherFile() async throws {
        func away(_ path: String) -> [RawServer.Step] {
            [.text("HTTP/1.1 302 Found\r\nLocation: \(path)\r\nContent-Length: 0\r\n\r\n")]
        }
        let server = try RawServer(sequences: [
            "/x": [away("/a?signature=1"), away("/a?signature=2"), away("/b")],
            "/a?signature=1": [[.text(Self.cut)]], "/a?signature=2": [[.reset]], "/b": [[.text(Self.newVersion)]],
        ])
        _ = try response(of: try await download(Request(server.url("/x")), retries: 2))
        func hasRange(_ path: String) -> Bool? {
            server.requests.last { $0.hasPrefix("GET \(path) ") }?.contains("Range")
        }
        #expect(hasRange("/a?signature=2") == true && hasRange("/b") == false)
        #expect(try folder.bytes(of: "f") == Array("whole".utf8))
    }

    @Test("A permanent failure leaves no files")
    func permanent() async throws {
        let gone = "HTTP/1.1 404 Gone\r\nContent-Length: 0\r\n\r\n"
        let server = try RawServer(sequences: ["/x": [[.text(Self.cut)], [.text(gone)]]])
        let failure = await #expect(throws: Failure.self) { try await download(Request(server.url("/x")), retries: 1) }
        #expect(failure?.cause == .httpClientError(404))
        #expect(folder.names() == [])
    }

    @Test("Despite interruptions and changes, a downloaded file is one complete version")
    func oneVersion() async throws {
        let service = Versions()
        var options = OriginOptions()
        options.faults = [
            OriginFaultRule(.cut(afterBytes: 40_000), .fraction(0.4, seed: 7)),
            OriginFaultRule(.cut(afterBytes: 3), .fraction(0.2, seed: 8)),
        ]
        let origin = try OriginServer(service, options: options)
        var (arrived, resumed) = (0, 0)
        for number in 0..<60 {
            guard case .complete(let response) = try? await download(Request("\(origin.address)/\(number)"), retries: 2)
            else { continue }
            let bytes = try folder.bytes(of: "f")
            #expect(Versions.all.contains(bytes))
            #expect(response.sha256 == sha256(bytes))
            arrived += 1
        }
        resumed = origin.requests.count { $0.header("Range") != nil }
        #expect(arrived > 30 && resumed > 10)
    }

    @Test("The early check sees the first bytes, and rejected files are not downloaded")
    func earlyCheck() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 50000000\r\n\r\n<!doctype html>"
        let server = try RawServer(["/x": [.text(head), .endless]])
        let request = Request(server.url("/x"))
        let refused = await #expect(throws: Failure.self) {
            try await download(request) { (start, headers) throws(Failure) in
                throw Failure(.notAnImage, "\(headers["content-type"] ?? ""), \(start.count > 0)")
            }
        }
        #expect(refused?.cause == .notAnImage && refused?.detail == "text/html, true")
        #expect(refused?.savedBytes ?? 0 > 49_000_000)
        let result = try await download(request) { (start, _) throws(Failure) in
            start.count < 20 ? .undecided : .rejected("too small")
        }
        guard case .rejected(let rejected) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(rejected.reason == "too small" && rejected.saved ?? 0 > 49_000_000)
        #expect(folder.names() == [])
    }

    @Test("A conditional request is sent to the version's own host, which may answer 304")
    func conditional() async throws {
        let server = try RawServer([
            "/x": [.text("HTTP/1.1 304 Same\r\nETag: \"v1\"\r\n\r\n")], "/y": [.text(Self.newVersion)],
        ])
        var request = Request(server.url("/x"))
        request.cachedVersion = CachedVersion(
            from: server.url("/x?signature=old"), etag: "W/\"v1\"", lastModified: "Mon, 02 Mar 2026 12:00:00 GMT")
        let result = try await download(request)
        guard case .unchanged = result else {
            Issue.record("\(result)")
            return
        }
        let head = try #require(server.requests.first)
        #expect(head.contains("If-None-Match: W/\"v1\"\r\n") && head.contains("If-Modified-Since: Mon, 02 Mar 2026"))
        request.url = server.url("/y")
        #expect(try response(of: try await download(request)).bytes == 5)
        // Another host or path gets no condition, and its 304 is refused.
        for sender in ["http://other.example/x", server.url("/y")] {
            request.cachedVersion = CachedVersion(from: sender, etag: "\"v1\"", lastModified: nil)
            request.url = server.url("/x")
            let failure = await #expect(throws: Failure.self) { try await download(request) }
            #expect(failure?.cause == .unexpectedStatus && server.requests.last?.contains("If-None-Match") == false)
        }
    }
}

/// Serves a file that changes, with strong, weak and missing tags, and sometimes sends a wrong range.
private final class Versions: OriginService {
    static let all: [[UInt8]] = (0..<3).map { version in
        (0..<(90_000 + version * 7)).map { UInt8(truncatingIfNeeded: $0 &* (version + 3) + version) }
    }

    private let count = Locked(0)

    func reply(to request: OriginRequest) -> OriginReply {
        let number = count.withLock {
            $0 += 1
            return $0
        }
        // The version changes with every fifth request, so a range request may meet another version.
        let version = number / 5 % 3
        let tag =
            number % 7 == 0 ? [] : [OriginHeader("ETag", number % 11 == 0 ? "W/\"\(version)\"" : "\"\(version)\"")]
        var reply = OriginReply(type: "image/jpeg", Self.all[version], headers: tag)
        reply = number % 13 == 0 ? Self.wrongRange(reply, request) : reply.applyingConditions(of: request)
        return reply
    }

    /// Sends another range than the requested one, with a matching header.
    private static func wrongRange(_ reply: OriginReply, _ request: OriginRequest) -> OriginReply {
        guard request.header("Range") != nil else { return reply }
        var reply = reply
        reply.status = 206
        reply.headers.append(OriginHeader("Content-Range", "bytes 0-\(reply.body.count - 1)/\(reply.body.count)"))
        return reply
    }
}
