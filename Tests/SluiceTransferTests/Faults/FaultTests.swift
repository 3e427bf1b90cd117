// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// Checks each fault's cause, attempts, duration and remaining files.
@Suite("Faults", .timeLimit(.minutes(10))) struct FaultTests {
    private static let rows =
        FaultRow.bodies + FaultRow.wrongContent + FaultRow.resumptions + FaultRow.slowness + FaultRow.headers
        + FaultRow.redirects + FaultRow.brokenHTTP2 + FaultRow.pauses + FaultRow.errorStatuses + FaultRow.extraBytes
        + FaultRow.security

    @Test("Each numbered fault has at least one row")
    func complete() {
        let numbers = Set((Self.rows + FaultRow.certificates).map(\.number))
        #expect(numbers == Set((1...14).map { "A\($0)" } + (1...7).map { "B\($0)" }))
    }

    @Test("Each fault has the expected cause, attempts, delays and remaining files", arguments: rows)
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
        "Each TLS fault has the expected effects", .enabled(if: TLSAuthority.isPossible, "openssl is not installed"),
        arguments: FaultRow.certificates)
    func certificates(row: FaultRow) async throws {
        let authority = try TLSAuthority.shared.get()
        let server = try authority.server(#require(row.certificate))
        try await check(row, port: server.port, trusting: authority.file)
    }

    /// Performs the row's download, and checks everything except the requests that the hosts received.
    private func check(_ row: FaultRow, port: Int, trusting authority: String? = nil) async throws {
        let folder = TemporaryFolder()
        var options = row.options(port: port)
        options.certificates = TrustedCertificates(file: authority)
        var request = row.request(port: port)
        try row.change(&request, &options, port)
        let policy = options.retry
        let pool = WorkPool(width: 1, backlog: 1, hosts: row.rules)
        let transfers = Transfers(options, resolver: row.resolver, pool: pool)
        let partial = row.isPage ? nil : try PartialFile("f", in: Folder(folder.path))
        let waits = Locked<[Duration]>([])
        let messages = Locked<[String]>([])
        let (result, time) = await row.perform(request, with: transfers, into: partial) { event in
            messages.withLock { $0.append("\(event)") }
            guard case .retried(let attempt, let failure, let delay) = event else { return }
            #expect(delay <= policy.longest(after: failure, attempt: attempt))
            waits.withLock { $0.append(RetryPolicy().longest(after: failure, attempt: attempt)) }
        }
        let failure: Failure? = if case .failure(let failure) = result { failure } else { nil }
        #expect(failure?.cause.name ?? "done" == row.cause, "\(result)")
        #expect(row.detail.isEmpty || failure?.detail.contains(row.detail) == true, "\(result)")
        #expect(waits.withLock(\.self) == row.waits)
        // Even on a busy machine, only a download that hangs takes so long.
        #expect(time < .seconds(200))
        #expect(folder.names() == (row.isKept ? ["f", "f.note"] : failure == nil ? ["f"] : []))
        if let arrives = row.arrives { #expect(try folder.bytes(of: "f") == Array(arrives.utf8)) }
        let written = try folder.names().map { try folder.text($0) }
        #expect(!(written + messages.withLock(\.self) + ["\(result)"]).joined().contains("canary"))
    }
}

extension RetryPolicy {
    /// The longest delay before the next attempt.
    fileprivate func longest(after failure: Failure, attempt: Int) -> Duration {
        guard case .retry(let wait) = decision(on: failure, attempt: attempt, chance: 1) else { return .seconds(-1) }
        return wait
    }
}

extension FaultRow {
    fileprivate func options(port: Int) -> TransferOptions {
        var options = TransferOptions.patient
        options.retry.baseDelay = .milliseconds(1)
        options.addressGuard = .open
        if isGuarded {
            options.addressGuard.allowsPrivate = false
            options.addressGuard.allowed = NetworkRange("127.0.0.1").map { [$0] } ?? []
            options.addressGuard.ports = [80, port]
        }
        if deadline == .firstByte { options.firstByteTimeout = .milliseconds(300) }
        if deadline == .minimumSpeed { options.minimumSpeedTime = .seconds(1) }
        return options
    }

    fileprivate func request(port: Int) -> Request {
        Request(
            url.replacing("{port}", with: "\(port)"), limit: 100_000,
            timeout: .seconds(deadline == .whole ? 2 : 1000), acceptsCompression: isPage)
    }

    /// A resolver with the row's answers, which knows no other names.
    fileprivate var resolver: Resolver {
        let asked = Locked<[String: Int]>([:])
        return Resolver { name in
            guard let answers = names[name] else {
                return LookupResult(answer: .failure(Failure(.dns, "no such name")), isDefinitive: true)
            }
            let number = asked.withLock { asked in
                defer { asked[name, default: 0] += 1 }
                return asked[name, default: 0]
            }
            let answer = answers[min(number, answers.count - 1)]
            return LookupResult(answer: .success(answer.compactMap { NetworkAddress($0) }), isDefinitive: true)
        }
    }

    /// Downloads into the file, or into memory without one; content that starts like a page is not an image.
    fileprivate func perform(
        _ request: Request, with transfers: Transfers, into partial: PartialFile?,
        observer: @escaping Transfers.Observer
    ) async -> (Result<String, Failure>, Duration) {
        let start = ContinuousClock.now
        let result: Result<String, Failure>
        do throws(Failure) {
            if let partial {
                let earlyCheck: EarlyCheck = { (start, _) throws(Failure) in
                    let text = String(decoding: start, as: UTF8.self)
                    guard !text.hasPrefix("<"), !text.hasPrefix("{") else { throw Failure(.notAnImage, text) }
                    return .accepted
                }
                let download = try await transfers.download(
                    request, into: partial, token: CancellationToken(), earlyCheck: earlyCheck, observer: observer)
                result = .success("\(download)")
            } else {
                result = .success(
                    "\(try await transfers.fetch(request, token: CancellationToken(), observer: observer))")
            }
        } catch {
            result = .failure(error)
        }
        return (result, start.duration(to: .now))
    }
}

/// A fault of a host, and its expected effects.
///
/// In addresses and server responses, `{port}` stands for the port of both servers. The host is at 127.0.0.1, and
/// another server at 127.0.0.2, which the row may or may not reach.
struct FaultRow: Sendable, CustomTestStringConvertible {
    typealias Steps = [RawServer.Step]

    /// The timeout that is short in this row; all others are long.
    enum Deadline: Sendable { case none, firstByte, minimumSpeed, whole }

    /// The fault's number: A for network and HTTP faults, B for refused addresses and credentials.
    let number: String
    let name: String
    /// The host's responses by path, in order; `nil` for a host that is down.
    var host: [String: [Steps]]? = [:]
    var otherHost: [String: [Steps]] = [:]
    /// The answers of the name servers by name, in order.
    var names: [String: [[String]]] = [:]
    /// The host's certificate; such a host uses TLS, and serves files instead of scripts.
    var certificate: TLSAuthority.Certificate?
    var url = "http://127.0.0.1:{port}/x"
    var isPage = false
    var deadline = Deadline.none
    var rules = HostRules()
    /// Whether the address guard allows only the host.
    var isGuarded = false
    var change: @Sendable (inout Request, inout TransferOptions, _ port: Int) throws -> Void = { _, _, _ in }

    /// The name of the expected cause; `done` if the download succeeds with the content ``arrives``.
    var cause = "done"
    /// Text that the failure must contain.
    var detail = ""
    var arrives: String?
    /// The longest delays between attempts with the default policy; empty for a single attempt.
    var waits: [Duration] = []
    /// The expected number of requests; by default the number of attempts.
    var requests: ClosedRange<Int>?
    var otherRequests = 0
    /// Whether a partial file remains for the next run.
    var isKept = false

    var testDescription: String { "\(number) \(name)" }

    /// The delays of all attempts.
    static let again: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let tag = "ETag: \"v1\"\r\n"
    static let good = ok + "Content-Length: 4\r\n\r\ngood"

    /// Makes a host that answers every request with the same steps.
    init(_ number: String, _ name: String, _ steps: Steps, _ change: (inout Self) -> Void = { _ in }) {
        (self.number, self.name) = (number, name)
        host = ["/x": [steps]]
        change(&self)
    }

    /// Makes a host that answers every request with a text, and the failure that results.
    init(
        _ number: String, _ name: String, _ text: String, _ cause: String, _ detail: String = "", waits: [Duration] = []
    ) {
        self.init(number, name, [.text(text)]) {
            ($0.cause, $0.detail, $0.waits) = (cause, detail, waits)
        }
    }

    /// A redirect to an address.
    static func redirect(to address: String) -> String {
        "HTTP/1.1 302 F\r\nLocation: \(address)\r\nContent-Length: 0\r\n\r\n"
    }
}
