// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// Downloads that stop when the first bytes suffice.
@Suite("Prefix downloads", .timeLimit(.minutes(10))) struct PrefixDownloadTests {
    /// A part that suffices up to the first `|`, with an end of its own.
    private struct UpToBar: PrefixReading {
        private var count = 0

        mutating func receive(_ bytes: UnsafeRawBufferPointer) -> SufficientPart? {
            let end = unsafe bytes.firstIndex(of: UInt8(ascii: "|"))
            defer { count += bytes.count }
            return end.map { SufficientPart(length: count + $0, ending: Array("!".utf8)) }
        }
    }

    private let folder = TemporaryFolder()
    private let files: Folder
    private let pool = WorkPool(width: 2, backlog: 10)
    private let transfers: Transfers

    init() throws {
        files = try Folder(folder.path)
        transfers = Transfers(.open(retries: TransferOptions.patient.retry.retries), pool: pool)
    }

    /// Downloads the path of a server; returns the response and the text of the file.
    private func download(
        _ path: String = "/x", from server: RawServer, prefix: (any PrefixReading)? = UpToBar(),
        checking check: @escaping Transfers.Check = { _ in }
    ) async throws -> (response: Response, text: String) {
        let result = Locked<Result<DownloadResult, Failure>?>(nil)
        let transfers = transfers
        let partial = try PartialFile("f", in: files)
        let request = Request(server.url(path))
        pool.submit(host: "127.0.0.1") { slot in
            do throws(Failure) {
                let value = try await transfers.download(
                    request, into: partial, slot: slot, prefix: prefix, checking: check)
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        } dropped: { failure in
            result.withLock { $0 = .failure(failure) }
        }
        await pool.waitUntilIdle()
        guard case .complete(let response)? = try result.withLock(\.self)?.get() else {
            throw Failure(.internal, "no complete response")
        }
        return (response, try folder.text("f"))
    }

    /// A response of a size, without its body.
    private static func head(_ size: Int) -> RawServer.Step {
        .text("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(size)\r\n\r\n")
    }

    @Test("A download stops when a part suffices, although the server never sends the rest")
    func stops() async throws {
        let server = try RawServer(["/x": [Self.head(100_000), .text("abcd|efgh"), .hang]])
        let (response, text) = try await download(from: server)
        #expect(text == "abcd!" && response.status == 200)
        #expect(response.stopped == StoppedDownload(received: 9, announced: 100_000))
        #expect(response.bytes == 9 && response.stopped?.saved == 99_991)
        #expect(folder.names() == ["f"] && server.requests.count == 1)
    }

    @Test("The size of the whole file may be unknown")
    func unknownSize() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try RawServer(["/x": [.text(head + "5\r\nabc|d\r\n"), .hang]])
        let (response, text) = try await download(from: server)
        #expect(text == "abc!" && response.stopped == StoppedDownload(received: 5, announced: nil))
    }

    @Test("A short rest is received, so that the connection can be reused, and makes no difference to the file")
    func drains() async throws {
        let server = try RawServer(["/x": [Self.head(5000), .text("abcd|"), .bytes(4995), .again]])
        for _ in 0..<2 {
            let (response, text) = try await download(from: server)
            #expect(text == "abcd!" && response.stopped == StoppedDownload(received: 5000, announced: 5000))
        }
        #expect(server.requests.count == 2 && server.connections == 1)
    }

    @Test("A resumed download reads the bytes of the earlier attempt, too")
    func resumes() async throws {
        let rest =
            "HTTP/1.1 206 Rest\r\nETag: \"v1\"\r\nContent-Range: bytes 4-99999/100000\r\nContent-Length: 99996\r\n\r\n"
        let server = try RawServer(sequences: [
            "/x": [[Self.head(100_000), .text("abcd")], [.text(rest), .text("ef|g"), .hang]]
        ])
        let (response, text) = try await download(from: server)
        #expect(text == "abcdef!" && response.stopped?.saved == 99_992)
        #expect(server.requests.last?.contains("Range: bytes=4-\r\n") == true)
    }

    @Test("If the part is no intact file, the whole file is downloaded")
    func fallsBack() async throws {
        let cut: [RawServer.Step] = [Self.head(100_000), .text("ab|c"), .hang]
        let whole: [RawServer.Step] = [Self.head(4), .text("ab|c")]
        let server = try RawServer(sequences: ["/x": [cut, whole]])
        let (response, text) = try await download(from: server) { (response) throws(Failure) in
            if response.stopped != nil { throw Failure(.truncated, "a part") }
        }
        #expect(text == "ab|c" && response.stopped == nil)
        #expect(response.sha256 == sha256(Array("ab|c".utf8)))
    }

    @Test(
        "Without a reader of the prefix, or without a sufficient part, the whole file is downloaded",
        arguments: [true, false])
    func whole(reads: Bool) async throws {
        let body = reads ? "abcdefg" : "abcd|fg"
        let server = try RawServer(["/x": [Self.head(7), .text(body)]])
        let (response, text) = try await download(from: server, prefix: reads ? UpToBar() : nil)
        #expect(text == body && response.stopped == nil && response.bytes == 7)
    }
}

@Suite("Shared downloads", .timeLimit(.minutes(10))) struct SharedDownloadsTests {
    private let folder = TemporaryFolder()
    private let files: Folder
    private let pool = WorkPool(width: 2, backlog: 10)
    private let transfers: Transfers

    init() throws {
        files = try Folder(folder.path)
        transfers = Transfers(.open(), pool: pool)
    }

    /// Starts three downloads of one address; the server responds when two of them wait for the first.
    private func downloadThrice(
        _ first: String, then second: String? = nil, whenAllWait act: @escaping @Sendable () -> Void = {}
    ) async throws -> (ends: [Int: Result<DownloadResult, Failure>], requests: Int) {
        let pool = pool
        let isRequested = Gate(opensAt: 1)
        let allWait = { @Sendable in
            isRequested.open()
            return pool.query { $0.inFlight == 3 && $0.running == 1 }
        }
        let steps: [RawServer.Step] = [.until { allWait() && (act(), true).1 }, .text(first)]
        let server = try RawServer(sequences: ["/x": [steps] + (second.map { [[.text($0)]] } ?? [])])
        let ends = Locked<[Int: Result<DownloadResult, Failure>]>([:])
        let request = Request(server.url("/x"))
        for number in 0..<3 {
            // The first download sends the request.
            if number == 1 { await isRequested.pass(countingIn: false) }
            pool.submit(host: "127.0.0.1") { slot in
                do throws(Failure) {
                    guard let partial = try? PartialFile("\(number)", in: files) else { return }
                    let result = try await transfers.download(request, into: partial, slot: slot)
                    ends.withLock { $0[number] = .success(result) }
                } catch {
                    ends.withLock { $0[number] = .failure(error) }
                }
            } dropped: { failure in
                ends.withLock { $0[number] = .failure(failure) }
            }
        }
        await pool.waitUntilIdle()
        return (ends.withLock { $0 }, server.requests.count)
    }

    @Test("Concurrent downloads of one address send one request and write one file each")
    func once() async throws {
        let (ends, requests) = try await downloadThrice("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        #expect(requests == 1)
        for number in 0..<3 {
            guard case .success(.complete(let response)) = ends[number] else {
                Issue.record("\(number) ended with \(String(describing: ends[number]))")
                continue
            }
            #expect(response.bytes == 3)
            #expect(try folder.bytes(of: "\(number)") == Array("abc".utf8))
        }
    }

    @Test("A failure applies to all waiting downloads and leaves no files")
    func failure() async throws {
        let (ends, requests) = try await downloadThrice("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
        #expect(requests == 1 && ends.count == 3)
        for end in ends.values {
            guard case .failure(let failure) = end else {
                Issue.record("the download ended with \(end)")
                continue
            }
            #expect(failure.cause == .httpClientError(404))
        }
        #expect(folder.names() == [])
    }

    @Test("If the first download is cancelled, another one takes over")
    func cancelled() async throws {
        let pool = pool
        let (ends, requests) = try await downloadThrice(
            "", then: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", whenAllWait: { pool.cancel(1) })
        #expect(requests == 2)
        let good = ends.values.count { if case .success(.complete) = $0 { true } else { false } }
        #expect(good == 2 && ends.count == 3)
    }
}
