// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// Credentials go to one origin only, and appear in no output.
@Suite("Credentials", .timeLimit(.minutes(10))) struct CredentialTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"
    private static let canary = "canary"
    /// `user:canary` in Base64, as in a request.
    private static let basic = "dXNlcjpjYW5hcnk="

    private func redirect(to url: String) -> String {
        "HTTP/1.1 302 Found\r\nLocation: \(url)\r\nSet-Cookie: id=canary\r\nContent-Length: 0\r\n\r\n"
    }

    private func isSecret(_ head: String) -> Bool {
        head.contains(Self.canary) || head.contains(Self.basic) || head.contains("Cookie")
            || head.contains("Referer")
    }

    @Test(
        "Credentials are sent to the same origin and to no other",
        arguments: ["port", "host", "spelling", "user", "scheme-relative", "same", "relative", "there and back"])
    func hops(kind: String) async throws {
        let other = try RawServer(["/y": [.text(Self.ok)]], host: kind == "host" ? "127.0.0.2" : "127.0.0.1")
        let target =
            switch kind {
            case "spelling": "http://localhost.example:\(other.port)/y"
            case "user": "http://user:pass@127.0.0.1:\(other.port)/y"
            case "scheme-relative": "//127.0.0.1:\(other.port)/y"
            case "same", "relative": "/y"
            default: other.url("/y")
            }
        let first = try RawServer(["/x?canary": [.text(redirect(to: target))], "/y": [.text(Self.ok)]])
        let loopback = try #require(NetworkAddress("127.0.0.1"))
        let transfers = SluiceTransferTests.transfers { $0.resolved["localhost.example:\(other.port)"] = [loopback] }
        let url = "http://user:canary@127.0.0.1:\(first.port)/x?canary"
        let headers = ["X-Api-Key: canary", "Cookie: id=canary"]
        let response = try await transfers.fetch(Request(url, headers: headers), token: CancellationToken())
        #expect(!response.url.contains("canary") || response.url.contains("?canary"))
        #expect(first.requests[0].contains(Self.basic) && first.requests[0].contains("X-Api-Key: canary"))
        let isSame = ["same", "relative"].contains(kind)
        let last = try #require(isSame ? first.requests.last : other.requests.last)
        #expect(last.hasPrefix("GET /y "))
        #expect(isSecret(last) == isSame, "\(last)")
        #expect(isSame || !last.contains("Authorization"))
    }

    @Test("Credentials in an address that the user named apply to its whole origin only")
    func trustedOrigin() async throws {
        let home = try RawServer(["/next": [.text(Self.ok)]])
        let other = try RawServer(["/next": [.text(Self.ok)]])
        let named = try #require(WebAddress("http://user:canary@127.0.0.1:\(home.port)/feed"))
        let transfers = SluiceTransferTests.transfers { $0.addressGuard.trustedOrigins = [named] }
        for server in [home, other] {
            _ = try await transfers.fetch(Request(server.url("/next")), token: CancellationToken())
        }
        #expect(home.requests[0].contains(Self.basic) && !isSecret(other.requests[0]))
    }

    @Test("A password in .netrc is sent to one origin of its host only", arguments: [false, true])
    func netrc(isSourceNamed: Bool) async throws {
        let folder = TemporaryFolder()
        try folder.write("machine 127.0.0.1 login user password canary\n", to: "netrc")
        let other = try RawServer(["/y": [.text(Self.ok)], "/z": [.text(Self.ok)]])
        let home = try RawServer(["/x": [.text(Self.ok)], "/away": [.text(redirect(to: other.url("/y")))]])
        let named = try RawServer(["/feed": [.text(Self.ok)]])
        let source = try #require(WebAddress(named.url("/feed")))
        let transfers = SluiceTransferTests.transfers {
            ($0.readsNetrc, $0.netrcFile) = (true, folder.path("netrc"))
            if isSourceNamed { $0.addressGuard.trustedOrigins = [source] }
        }
        for url in [home.url("/x"), home.url("/away"), other.url("/z"), named.url("/feed"), home.url("/x")] {
            _ = try await transfers.fetch(Request(url), token: CancellationToken())
        }
        #expect(home.requests.count == 3 && home.requests.allSatisfy { isSecret($0) != isSourceNamed })
        #expect(other.requests.count == 2 && other.requests.allSatisfy { !isSecret($0) })
        #expect(named.requests.count == 1 && named.requests.allSatisfy { isSecret($0) == isSourceNamed })
    }

    @Test("Cookies are not sent back")
    func cookies() async throws {
        let server = try RawServer(["/x": [.text(redirect(to: "/y"))], "/y": [.text(Self.ok)]])
        _ = try await transfers().fetch(Request(server.url("/x")), token: CancellationToken())
        #expect(server.requests.allSatisfy { !isSecret($0) })
    }

    @Test("Failures and responses contain addresses without credentials")
    func shown() async throws {
        let server = try RawServer(["/x": [.text(Self.ok)]])
        let url = "http://user:canary@127.0.0.1:\(server.port)"
        #expect(try await transfers().fetch(Request("\(url)/x"), token: CancellationToken()).url == server.url("/x"))
        let failure = await #expect(throws: Failure.self) {
            try await transfers().fetch(Request("\(url)/none"), token: CancellationToken())
        }
        #expect(failure.map { !"\($0)".contains(Self.canary) && $0.finalURL?.contains(Self.canary) != true } == true)
        #expect(server.requests.allSatisfy { $0.contains("Authorization: Basic \(Self.basic)") })
    }
}
