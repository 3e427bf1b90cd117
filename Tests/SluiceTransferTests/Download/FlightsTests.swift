// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Flights", .timeLimit(.minutes(10))) struct FlightsTests {
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

    /// Downloads one address three times at once; the reply comes when the other two wait for the first.
    private func downloadThrice(
        _ reply: String, then further: String? = nil, whenAllWait act: @escaping @Sendable () -> Void = {}
    ) async throws -> (ends: [Int: Result<Arrival, Failure>], requests: Int) {
        let pool = pool
        let isAsked = Gate(opensAt: 1)
        let allWait = { @Sendable in
            isAsked.open()
            return pool.ask { $0.inFlight == 3 && $0.running == 1 }
        }
        let first: [RawServer.Step] = [.until { allWait() && (act(), true).1 }, .text(reply)]
        let server = try RawServer(sequences: ["/x": [first] + (further.map { [[.text($0)]] } ?? [])])
        defer { server.stop() }
        let ends = Locked<[Int: Result<Arrival, Failure>]>([:])
        let request = Request(server.url("/x"))
        for number in 0..<3 {
            // The first is the one that asks.
            if number == 1 { await isAsked.pass(countingIn: false) }
            pool.submit(host: "127.0.0.1") { slot in
                do throws(Failure) {
                    guard let partial = try? PartialFile("\(number)", in: files) else { return }
                    let arrival = try await transfers.download(request, into: partial, slot: slot)
                    ends.withLock { $0[number] = .success(arrival) }
                } catch {
                    ends.withLock { $0[number] = .failure(error) }
                }
            } dropped: { failure in
                ends.withLock { $0[number] = .failure(failure) }
            }
        }
        await pool.drained()
        return (ends.withLock { $0 }, server.requests.count)
    }

    @Test("One address that several ask for at once is fetched once, and each has its own file")
    func once() async throws {
        let (ends, requests) = try await downloadThrice("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        #expect(requests == 1)
        for number in 0..<3 {
            guard case .success(.whole(let response)) = ends[number] else {
                Issue.record("\(number) ended with \(String(describing: ends[number]))")
                continue
            }
            #expect(response.bytes == 3)
            #expect(try folder.bytes(of: "\(number)") == Array("abc".utf8))
        }
    }

    @Test("What fails fails for all who wait, and leaves no file")
    func failure() async throws {
        let (ends, requests) = try await downloadThrice("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
        #expect(requests == 1 && ends.count == 3)
        for end in ends.values {
            guard case .failure(let failure) = end else {
                Issue.record("it ended with \(end)")
                continue
            }
            #expect(failure.cause == .httpClientError(404))
        }
        #expect(folder.names() == [])
    }

    @Test("The first one's cancellation is its own: another fetches for the rest")
    func cancelled() async throws {
        let pool = pool
        let (ends, requests) = try await downloadThrice(
            "", then: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", whenAllWait: { pool.cancel(1) })
        #expect(requests == 2)
        let good = ends.values.count { if case .success(.whole) = $0 { true } else { false } }
        #expect(good == 2 && ends.count == 3)
    }
}
