// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// What hosts do wrong, a row each: the cause, how often it was tried, how long that takes, and what is left on the disk.
@Suite("Faults", .timeLimit(.minutes(10))) struct FaultTests {
    private static let rows =
        FaultRow.bodies + FaultRow.disguises + FaultRow.mixtures + FaultRow.silences + FaultRow.heads
        + FaultRow.redirects + FaultRow.storms + FaultRow.pauses + FaultRow.troubles + FaultRow.strays
        + FaultRow.strangers

    @Test("Every fault that has a number has its rows")
    func complete() {
        let numbers = Set((Self.rows + FaultRow.certificates).map(\.number))
        #expect(numbers == Set((1...14).map { "A\($0)" } + (1...7).map { "B\($0)" }))
    }

    @Test("Each fault has its cause, its count, its time, and leaves what it should", arguments: rows)
    func faults(row: FaultRow) async throws {
        let (host, other) = try RawServer.neighbours(row.host ?? [:], row.otherHost)
        defer {
            host.stop()
            other.stop()
        }
        if row.host == nil { host.stop() }
        try await check(row, port: Int(host.port))
        let requests = row.requests ?? row.waits.count + 1...row.waits.count + 1
        #expect(requests.contains(host.requests.count), "\(host.requests)")
        #expect(other.requests.count == row.otherRequests && other.connections == row.otherRequests)
        #expect(!other.requests.joined().contains("canary") && !other.requests.joined().contains("Authorization"))
        #expect(!(host.requests + other.requests).joined().contains("\nX-Evil"))
    }

    @Test(
        "So does each fault of hosts with TLS", .enabled(if: TLSAuthority.isPossible, "there is no openssl command"),
        arguments: FaultRow.certificates)
    func certificates(row: FaultRow) async throws {
        let authority = try TLSAuthority.shared.get()
        let server = try authority.server(#require(row.certificate))
        try await check(row, port: server.port, trusting: authority.file)
    }

    /// Downloads what the row is about, and checks all but what its hosts saw.
    private func check(_ row: FaultRow, port: Int, trusting authority: String? = nil) async throws {
        let folder = try TemporaryFolder()
        var options = row.options(port: port)
        options.certificates = authority
        var request = row.request(port: port)
        try row.change(&request, &options, port)
        let policy = options.retry
        let pool = WorkPool(width: 1, backlog: 1, hosts: row.rules)
        let transfers = Transfers(options, names: row.foundNames, pool: pool)
        let partial = row.isPage ? nil : try PartialFile("f", in: Folder(folder.path))
        let waits = Locked<[Duration]>([])
        let words = Locked<[String]>([])
        let (ending, time) = await row.carry(out: request, by: transfers, into: partial) { event in
            words.withLock { $0.append("\(event)") }
            guard case .retried(let attempt, let failure, let delay) = event else { return }
            #expect(delay <= policy.longest(after: failure, attempt: attempt))
            waits.withLock { $0.append(RetryPolicy().longest(after: failure, attempt: attempt)) }
        }
        let failure: Failure? = if case .failure(let failure) = ending { failure } else { nil }
        #expect(failure?.cause.name ?? "done" == row.cause, "\(ending)")
        #expect(row.detail.isEmpty || failure?.detail.contains(row.detail) == true, "\(ending)")
        #expect(waits.withLock(\.self) == row.waits)
        // Only what nothing but a deadline of 1000 s would end, or nothing at all, takes so long, however busy the machine.
        #expect(time < .seconds(200))
        #expect(folder.names() == (row.isKept ? ["f", "f.note"] : failure == nil ? ["f"] : []))
        if let arrives = row.arrives { #expect(try folder.bytes(of: "f") == Array(arrives.utf8)) }
        let written = try folder.names().map { String(decoding: try folder.bytes(of: $0), as: UTF8.self) }
        #expect(!(written + words.withLock(\.self) + ["\(ending)"]).joined().contains("canary"))
    }
}

extension RetryPolicy {
    /// How long the next attempt may have to wait.
    fileprivate func longest(after failure: Failure, attempt: Int) -> Duration {
        guard case .retry(let wait) = verdict(on: failure, attempt: attempt, chance: 1) else { return .seconds(-1) }
        return wait
    }
}

extension FaultRow {
    fileprivate func options(port: Int) -> TransferOptions {
        var options = TransferOptions.patient
        options.retry.base = .milliseconds(1)
        options.addressGuard = .open
        if isGuarded {
            options.addressGuard.allowsPrivate = false
            options.addressGuard.allowed = NetworkRange("127.0.0.1").map { [$0] } ?? []
            options.addressGuard.ports = [80, port]
        }
        if deadline == .firstByte { options.firstByteTimeout = .milliseconds(300) }
        if deadline == .leastSpeed { options.leastSpeedTime = .seconds(1) }
        return options
    }

    fileprivate func request(port: Int) -> Request {
        Request(
            url.replacing("{port}", with: "\(port)"), limit: 100_000,
            timeout: .seconds(deadline == .whole ? 2 : 1000), acceptsCompression: isPage)
    }

    /// Name servers that give the row's answers, and know no other name.
    fileprivate var foundNames: Names {
        let asked = Locked<[String: Int]>([:])
        return Names { name in
            guard let answers = names[name] else {
                return LookUpResult(answer: .failure(Failure(.dns, "no such name")), isFinal: true)
            }
            let number = asked.withLock { asked in
                defer { asked[name, default: 0] += 1 }
                return asked[name, default: 0]
            }
            let answer = answers[min(number, answers.count - 1)]
            return LookUpResult(answer: .success(answer.compactMap { NetworkAddress($0) }), isFinal: true)
        }
    }

    /// What has no file goes into memory, as pages do; what begins as a page does is no photo.
    fileprivate func carry(
        out request: Request, by transfers: Transfers, into partial: PartialFile?,
        observer: @escaping Transfers.Observer
    ) async -> (Result<String, Failure>, Duration) {
        let start = ContinuousClock.now
        let ending: Result<String, Failure>
        do throws(Failure) {
            if let partial {
                let judge: Judge = { (start, _) throws(Failure) in
                    let text = String(decoding: start, as: UTF8.self)
                    guard !text.hasPrefix("<"), !text.hasPrefix("{") else { throw Failure(.notAnImage, text) }
                    return .accepted
                }
                let arrival = try await transfers.download(
                    request, into: partial, token: Token(), judging: judge, observer: observer)
                ending = .success("\(arrival)")
            } else {
                ending = .success("\(try await transfers.fetch(request, token: Token(), observer: observer))")
            }
        } catch {
            ending = .failure(error)
        }
        return (ending, start.duration(to: .now))
    }
}
