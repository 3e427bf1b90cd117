// SPDX-License-Identifier: MIT

import Dispatch
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Recent names", .timeLimit(.minutes(5))) struct RecentNamesTests {
    @Test("The oldest name is forgotten for a new one, and a known one changes nothing")
    func oldest() {
        var names = RecentNames(capacity: 3)
        for name in ["a", "b", "c", "a"] { #expect(names.insert(name) == []) }
        #expect(names.insert("d") == ["a"] && names.insert("e") == ["b"])
        #expect(names.insert("c") == [] && names.insert("a") == ["c"] && names.insert("b") == ["d"])
    }
}

@Suite("Resolver", .timeLimit(.minutes(10))) struct ResolverTests {
    /// Answers lookups from a list, records them, and can block them.
    private final class Server: Sendable {
        let asked = Locked<[String]>([])
        private let answers: [LookupResult]
        private let isOpen = DispatchSemaphore(value: 0)

        init(_ answers: LookupResult..., isBlocked: Bool = false) {
            self.answers = answers
            if !isBlocked { unblock() }
        }

        func unblock() { for _ in 0..<1000 { isOpen.signal() } }

        /// A resolver with a constant clock.
        var resolver: Resolver {
            let start = ContinuousClock.now
            let lookUp: Resolver.Lookup = { [self] name in
                let count = asked.withLock { asked in
                    asked.append(name)
                    return asked.count
                }
                isOpen.wait()
                return answers[min(count, answers.count) - 1]
            }
            return Resolver(lookUp: lookUp, now: { start })
        }
    }

    private static func found(_ texts: String...) -> LookupResult {
        LookupResult(answer: .success(texts.compactMap { NetworkAddress($0) }), isDefinitive: true)
    }

    private static func failed(isDefinitive: Bool) -> LookupResult {
        LookupResult(answer: .failure(Failure(.dns, "no such name")), isDefinitive: isDefinitive)
    }

    private func ask(_ resolver: Resolver, _ name: String = "a.example", token: CancellationToken = CancellationToken())
        async throws(Failure)
        -> [NetworkAddress]
    {
        try await resolver.addresses(of: name, within: .seconds(300), token: token)
    }

    @Test("A thousand concurrent requests for one name cause one lookup") func once() async throws {
        let server = Server(Self.found("8.8.8.8"), isBlocked: true)
        let resolver = server.resolver
        try await withThrowingTaskGroup(of: [NetworkAddress].self) { group in
            for _ in 0..<1000 { group.addTask { try await ask(resolver) } }
            while server.asked.withLock({ $0.isEmpty }) { await Task.yield() }
            server.unblock()
            for try await answer in group { #expect(answer.map(\.description) == ["8.8.8.8"]) }
        }
        _ = try await ask(resolver)
        #expect(server.asked.withLock { $0 } == ["a.example"])
    }

    @Test("A missing name is cached; a temporary failure is not", arguments: [true, false])
    func failures(isDefinitive: Bool) async throws {
        let server = Server(Self.failed(isDefinitive: isDefinitive), Self.found("8.8.8.8"))
        let resolver = server.resolver
        await #expect(throws: Failure.self) { try await ask(resolver) }
        if isDefinitive {
            await #expect(throws: Failure.self) { try await ask(resolver) }
        } else {
            _ = try await ask(resolver)
        }
        #expect(server.asked.withLock { $0.count } == (isDefinitive ? 1 : 2))
    }

    @Test("Cancellation and timeout of one request do not affect others") func cancelling() async throws {
        let server = Server(Self.found("8.8.8.8"), isBlocked: true)
        let resolver = server.resolver
        let token = CancellationToken()
        let patient = Task { try await ask(resolver) }
        while server.asked.withLock({ $0.isEmpty }) { await Task.yield() }
        let impatient = Task { try await ask(resolver, token: token) }
        token.cancel()
        let failure = await #expect(throws: Failure.self) { try await impatient.value }
        #expect(failure?.cause == .cancelled)
        let late = await #expect(throws: Failure.self) {
            try await resolver.addresses(of: "a.example", within: .milliseconds(20), token: CancellationToken())
        }
        #expect(late?.cause == .dns && late?.detail == "a.example: no answer for 20 ms")
        server.unblock()
        #expect(try await patient.value.count == 1)
    }

    @Test("More names than concurrent lookups are resolved in turn") func many() async throws {
        let server = Server(Self.found("8.8.8.8"))
        let resolver = server.resolver
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { _ = try await ask(resolver, "host\(number).example") } }
            try await group.waitForAll()
        }
        #expect(Set(server.asked.withLock { $0 }).count == 100)
    }

    @Test("Old addresses that cannot be reached are looked up again") func unreachable() {
        var state = ResolverState()
        let start = ContinuousClock.now
        _ = state.ask("a", as: 1, now: start)
        #expect(state.complete(.success([]), isDefinitive: true, for: "a", now: start) == [1])
        state.reportUnreachable("a", now: start + .seconds(59))
        guard case .use = state.ask("a", as: 2, now: start + .seconds(59)) else {
            Issue.record("new addresses were removed")
            return
        }
        state.reportUnreachable("a", now: start + .seconds(60))
        guard case .lookUp = state.ask("a", as: 3, now: start + .seconds(60)) else {
            Issue.record("old addresses were kept")
            return
        }
    }

    @Test("A missing name is looked up again after 30 seconds") func age() {
        var state = ResolverState()
        let start = ContinuousClock.now
        _ = state.ask("a", as: 1, now: start)
        _ = state.complete(.failure(Failure(.dns, "")), isDefinitive: true, for: "a", now: start)
        guard case .use = state.ask("a", as: 2, now: start + .seconds(29)),
            case .lookUp = state.ask("a", as: 3, now: start + .seconds(30)),
            case .wait = state.ask("a", as: 4, now: start + .seconds(31))
        else {
            Issue.record("a failure was cached for the wrong time")
            return
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"

    private func transfers(_ resolver: Resolver, _ change: (inout TransferOptions) -> Void) -> Transfers {
        var options = TransferOptions.patient
        options.retry.retries = 2
        options.retry.baseDelay = .milliseconds(1)
        change(&options)
        return Transfers(options, resolver: resolver)
    }

    @Test("A name that resolves to a refused address is refused", arguments: [true, false])
    func refused(byOption: Bool) async throws {
        let forbidden = try RawServer(["/x": [.text(Self.ok)]], host: "127.0.0.2")
        let server = Server(Self.found("127.0.0.2", "::ffff:127.0.0.2"))
        let address = try #require(NetworkAddress("127.0.0.2"))
        let transfers = transfers(server.resolver) {
            $0.addressGuard.ports = [Int(forbidden.port)]
            if byOption { $0.resolved["a.example:\(forbidden.port)"] = [address] }
        }
        let failure = await #expect(throws: Failure.self) {
            try await transfers.fetch(Request("http://a.example:\(forbidden.port)/x"), token: CancellationToken())
        }
        #expect(failure?.cause == .addressRefused)
        // Newer versions of libcurl try the IPv6 address first, of which the message says that it contains the other.
        let detail = failure?.detail.replacing(" (through ::ffff:127.0.0.2)", with: "")
        #expect(detail?.hasPrefix("a.example resolves to 127.0.0.2, which is loopback") == true, "\(failure)")
        #expect(forbidden.connections == 0)
        #expect(server.asked.withLock { $0.count } == (byOption ? 0 : 1))
    }

    @Test("Only the allowed addresses of a name are connected to", arguments: [true, false])
    func mixed(refusedFirst: Bool) async throws {
        let (server, forbidden) = try RawServer.neighbours(["/x": [[.text(Self.ok)]]], ["/x": [[.text(Self.ok)]]])
        defer {
            server.stop()
            forbidden.stop()
        }
        let answer = refusedFirst ? Self.found("127.0.0.2", "127.0.0.1") : Self.found("127.0.0.1", "127.0.0.2")
        let allowed = try #require(NetworkRange("127.0.0.1"))
        let transfers = transfers(Server(answer).resolver) {
            $0.addressGuard.ports = [Int(server.port)]
            $0.addressGuard.allowed = [allowed]
        }
        #expect(
            try await transfers.fetch(Request("http://a.example:\(server.port)/x"), token: CancellationToken()).status
                == 200)
        #expect(server.requests.first?.contains("Host: a.example:\(server.port)\r\n") == true)
        #expect(forbidden.connections == 0)
    }

    @Test("A failed lookup is retried with the cause dns") func retried() async throws {
        let server = try RawServer(["/x": [.text(Self.ok)]])
        let silent = Server(Self.failed(isDefinitive: false), Self.failed(isDefinitive: false), Self.found("127.0.0.1"))
        let causes = Locked<[Cause]>([])
        let transfers = transfers(silent.resolver) { $0.addressGuard = .open }
        _ = try await transfers.fetch(Request("http://a.example:\(server.port)/x"), token: CancellationToken()) {
            event in
            if case .retried(_, let failure, _) = event { causes.withLock { $0.append(failure.cause) } }
        }
        #expect(causes.withLock { $0 } == [.dns, .dns] && silent.asked.withLock { $0.count } == 3)
    }
}
