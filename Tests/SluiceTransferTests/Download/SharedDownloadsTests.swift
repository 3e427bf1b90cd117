// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Shared downloads", .timeLimit(.minutes(10))) struct SharedDownloadsTests {
    private let folder: TemporaryFolder
    private let files: Folder
    private let pool = WorkPool(width: 2, backlog: 10)
    private let transfers: Transfers

    init() throws {
        folder = try TemporaryFolder()
        files = try Folder(folder.path)
        var options = TransferOptions.patient
        options.addressGuard = .open
        options.retry.retries = 0
        transfers = Transfers(options, pool: pool)
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
        defer { server.stop() }
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
