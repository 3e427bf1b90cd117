// SPDX-License-Identifier: MIT

import Dispatch
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Names", .timeLimit(.minutes(10))) struct NamesTests {
    /// Look-ups that are counted, and that wait until they are let go.
    private final class Server: Sendable {
        let asked = Locked<[String]>([])
        private let answers: [LookUpResult]
        private let isOpen = DispatchSemaphore(value: 0)

        init(_ answers: LookUpResult..., isHeld: Bool = false) {
            self.answers = answers
            if !isHeld { letGo() }
        }

        func letGo() { for _ in 0..<1000 { isOpen.signal() } }

        /// Names for which no time goes by.
        var names: Names {
            let start = ContinuousClock.now
            let lookUp: Names.LookUp = { [self] name in
                let count = asked.withLock { asked in
                    asked.append(name)
                    return asked.count
                }
                isOpen.wait()
                return answers[min(count, answers.count) - 1]
            }
            return Names(lookUp: lookUp, now: { start })
        }
    }

    private static func found(_ texts: String...) -> LookUpResult {
        LookUpResult(answer: .success(texts.compactMap { NetworkAddress($0) }), isFinal: true)
    }

    private static func failed(isFinal: Bool) -> LookUpResult {
        LookUpResult(answer: .failure(Failure(.dns, "no such name")), isFinal: isFinal)
    }

    private func ask(_ names: Names, _ name: String = "a.example", token: Token = Token()) async throws(Failure)
        -> [NetworkAddress]
    {
        try await names.addresses(of: name, within: .seconds(300), token: token)
    }

    @Test("A thousand who ask for one name make one look-up") func once() async throws {
        let server = Server(Self.found("8.8.8.8"), isHeld: true)
        let names = server.names
        try await withThrowingTaskGroup(of: [NetworkAddress].self) { group in
            for _ in 0..<1000 { group.addTask { try await ask(names) } }
            while server.asked.withLock({ $0.isEmpty }) { await Task.yield() }
            server.letGo()
            for try await answer in group { #expect(answer.map(\.description) == ["8.8.8.8"]) }
        }
        _ = try await ask(names)
        #expect(server.asked.withLock { $0 } == ["a.example"])
    }

    @Test("A name that does not exist is remembered; what is no answer is asked for again", arguments: [true, false])
    func failures(isFinal: Bool) async throws {
        let server = Server(Self.failed(isFinal: isFinal), Self.found("8.8.8.8"))
        let names = server.names
        await #expect(throws: Failure.self) { try await ask(names) }
        if isFinal {
            await #expect(throws: Failure.self) { try await ask(names) }
        } else {
            _ = try await ask(names)
        }
        #expect(server.asked.withLock { $0.count } == (isFinal ? 1 : 2))
    }

    @Test("Whoever has enough of waiting goes, and disturbs nobody else") func cancelling() async throws {
        let server = Server(Self.found("8.8.8.8"), isHeld: true)
        let names = server.names
        let token = Token()
        let patient = Task { try await ask(names) }
        while server.asked.withLock({ $0.isEmpty }) { await Task.yield() }
        let impatient = Task { try await ask(names, token: token) }
        token.cancel()
        let failure = await #expect(throws: Failure.self) { try await impatient.value }
        #expect(failure?.cause == .cancelled)
        let late = await #expect(throws: Failure.self) {
            try await names.addresses(of: "a.example", within: .milliseconds(20), token: Token())
        }
        #expect(late?.cause == .dns && late?.detail == "a.example: no answer for 20 ms")
        server.letGo()
        #expect(try await patient.value.count == 1)
    }

    @Test("More names than look-ups run at a time are found one after the other") func many() async throws {
        let server = Server(Self.found("8.8.8.8"))
        let names = server.names
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { _ = try await ask(names, "host\(number).example") } }
            try await group.waitForAll()
        }
        #expect(Set(server.asked.withLock { $0 }).count == 100)
    }

    @Test("Addresses that cannot be reached are looked up again once they are old") func doubt() {
        var table = NameTable()
        let start = ContinuousClock.now
        _ = table.ask("a", as: 1, now: start)
        #expect(table.found(.success([]), isFinal: true, for: "a", now: start) == [1])
        table.doubt("a", now: start + .seconds(59))
        guard case .answered = table.ask("a", as: 2, now: start + .seconds(59)) else {
            Issue.record("young addresses were forgotten")
            return
        }
        table.doubt("a", now: start + .seconds(60))
        guard case .lookUp = table.ask("a", as: 3, now: start + .seconds(60)) else {
            Issue.record("old addresses were not")
            return
        }
    }

    @Test("A name that does not exist is asked for again after a while") func age() {
        var table = NameTable()
        let start = ContinuousClock.now
        _ = table.ask("a", as: 1, now: start)
        _ = table.found(.failure(Failure(.dns, "")), isFinal: true, for: "a", now: start)
        guard case .answered = table.ask("a", as: 2, now: start + .seconds(29)),
            case .lookUp = table.ask("a", as: 3, now: start + .seconds(30)),
            case .wait = table.ask("a", as: 4, now: start + .seconds(31))
        else {
            Issue.record("a failure was kept for too long, or not long enough")
            return
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"

    private func transfers(_ names: Names, _ change: (inout TransferOptions) -> Void) -> Transfers {
        var options = TransferOptions.patient
        options.retry.retries = 2
        options.retry.base = .milliseconds(1)
        change(&options)
        return Transfers(options, names: names)
    }

    @Test("A name that leads to a refused address is refused, whoever says so", arguments: [true, false])
    func refused(byOption: Bool) async throws {
        let forbidden = try RawServer(["/x": [.text(Self.ok)]], host: "127.0.0.2")
        defer { forbidden.stop() }
        let server = Server(Self.found("127.0.0.2", "::ffff:127.0.0.2"))
        let address = try #require(NetworkAddress("127.0.0.2"))
        let transfers = transfers(server.names) {
            $0.addressGuard.ports = [Int(forbidden.port)]
            if byOption { $0.resolved["a.example:\(forbidden.port)"] = [address] }
        }
        let failure = await #expect(throws: Failure.self) {
            try await transfers.fetch(Request("http://a.example:\(forbidden.port)/x"), token: Token())
        }
        #expect(failure?.cause == .addressRefused)
        #expect(failure?.detail.hasPrefix("a.example leads to 127.0.0.2, which is loopback") == true, "\(failure)")
        #expect(forbidden.connections == 0)
        #expect(server.asked.withLock { $0.count } == (byOption ? 0 : 1))
    }

    @Test("Of a name's addresses only those that may be are connected to", arguments: [true, false])
    func mixed(refusedFirst: Bool) async throws {
        let (server, forbidden) = try RawServer.neighbours(["/x": [[.text(Self.ok)]]], ["/x": [[.text(Self.ok)]]])
        defer {
            server.stop()
            forbidden.stop()
        }
        let answer = refusedFirst ? Self.found("127.0.0.2", "127.0.0.1") : Self.found("127.0.0.1", "127.0.0.2")
        let allowed = try #require(NetworkRange("127.0.0.1"))
        let transfers = transfers(Server(answer).names) {
            $0.addressGuard.ports = [Int(server.port)]
            $0.addressGuard.allowed = [allowed]
        }
        #expect(try await transfers.fetch(Request("http://a.example:\(server.port)/x"), token: Token()).status == 200)
        #expect(server.requests.first?.contains("Host: a.example:\(server.port)\r\n") == true)
        #expect(forbidden.connections == 0)
    }

    @Test("A name server that does not answer is tried again, as a cause of its own") func retried() async throws {
        let server = try RawServer(["/x": [.text(Self.ok)]])
        defer { server.stop() }
        let silent = Server(Self.failed(isFinal: false), Self.failed(isFinal: false), Self.found("127.0.0.1"))
        let causes = Locked<[Cause]>([])
        let transfers = transfers(silent.names) { $0.addressGuard = .open }
        _ = try await transfers.fetch(Request("http://a.example:\(server.port)/x"), token: Token()) { event in
            if case .retried(_, let failure, _) = event { causes.withLock { $0.append(failure.cause) } }
        }
        #expect(causes.withLock { $0 } == [.dns, .dns] && silent.asked.withLock { $0.count } == 3)
    }
}
