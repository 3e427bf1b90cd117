// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// A secret is opened for its origin only, and has no text form.
@Suite("Secrets", .timeLimit(.minutes(10))) struct SecretTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"

    private func redirect(to url: String) -> [RawServer.Step] {
        [.text("HTTP/1.1 302 Found\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n")]
    }

    private func transfers(_ change: (inout TransferOptions) -> Void = { _ in }) -> Transfers {
        var options = TransferOptions.patient
        options.addressGuard = .open
        options.retry.retries = 0
        change(&options)
        return Transfers(options)
    }

    /// A secret of each kind.
    private func secrets(for address: WebAddress) throws -> [Secret] {
        [
            Secret(header: "X-Key: canary", hiding: ["canary"], for: address),
            Secret(parameter: "k", "canary", for: address),
            try #require(WebAddress("http://user:canary@\(address.host):\(address.port)/")?.password),
        ]
    }

    @Test("A secret has no text form, alone and in other values")
    func text() throws {
        let address = try #require(WebAddress("http://a.test/"))
        let form = Secret(form: [("k", "canary")], hiding: ["canary"], for: address)
        var request = Request("http://a.test/")
        request.secrets = try secrets(for: address) + [form]
        var options = TransferOptions(userAgent: "test")
        options.secrets = request.secrets
        func check<Value>(_ value: Value) {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains("canary"), "\(text)") }
        }
        for secret in request.secrets { check(secret) }
        check(request)
        check(options)
        check(try #require(WebAddress("http://user:canary@a.test/")))
        #expect("\(form)" == "a secret for http://a.test:80")
    }

    @Test("A secret goes to its origin and no other, whoever names the address", arguments: [false, true])
    func origins(isOfUser: Bool) async throws {
        let home = try RawServer(["/y?k=canary": [.text(Self.ok)], "/y?a=1&k=canary": [.text(Self.ok)]])
        let other = try RawServer(["/y": [.text(Self.ok)], "/back": redirect(to: home.url("/y"))])
        let away = try RawServer([
            "/away?k=canary": redirect(to: other.url("/y")), "/near?k=canary": redirect(to: "/y?k=old&a=1"),
            "/y?a=1&k=canary": [.text(Self.ok)],
        ])
        /// Requests an address with the secrets of a server.
        func request(_ url: String, _ server: RawServer) async throws -> Response {
            let secrets = try secrets(for: #require(WebAddress(server.url("/"))))
            let transfers = transfers { if isOfUser { $0.secrets = secrets } }
            var request = Request(url)
            if !isOfUser { request.secrets = secrets }
            return try await transfers.fetch(request, token: CancellationToken())
        }
        let response = try await request(home.url("/y"), home)
        #expect(response.url == home.url("/y"), "the parameter is part of the request only")
        let sent = ["GET /y?k=canary ", "X-Key: canary", "Authorization: Basic dXNlcjpjYW5hcnk="]
        #expect(sent.allSatisfy { home.requests[0].contains($0) }, "\(home.requests)")
        // A stranger names the address, or a redirect leads away.
        _ = try await request(other.url("/y"), home)
        _ = try await request(away.url("/away"), away)
        #expect(other.requests.count == 2)
        for head in other.requests { #expect(!head.contains("canary") && !head.contains("Authorization"), "\(head)") }
        // One that leads to the origin gets the secrets; a parameter that the redirect repeats is sent once.
        _ = try await request(other.url("/back"), home)
        #expect(sent.allSatisfy { home.requests[1].contains($0) } && !other.requests[2].contains("canary"))
        _ = try await request(away.url("/near"), away)
        #expect(away.requests.last?.hasPrefix("GET /y?a=1&k=canary ") == true, "\(away.requests)")
    }

    @Test("A form is posted to its origin only")
    func form() async throws {
        let other = try RawServer(["/token": [.text(Self.ok)]])
        let home = try #require(WebAddress("http://a.test/"))
        var request = Request(other.url("/token"))
        request.secrets = [Secret(form: [("secret", "canary")], hiding: ["canary"], for: home)]
        _ = try await transfers().fetch(request, token: CancellationToken())
        #expect(other.requests.count == 1 && !other.requests[0].contains("canary"))
    }

    @Test("Requests with other secrets are other requests, byte by byte")
    func equality() throws {
        let (address, other) = try (#require(WebAddress("http://a.test/")), #require(WebAddress("https://a.test/")))
        let all =
            try secrets(for: address) + secrets(for: other) + [
                Secret(header: "X-Key: \u{E9}", for: address), Secret(header: "X-Key: e\u{301}", for: address),
            ]
        #expect(Set(all).count == all.count)
        #expect(try secrets(for: address) == Array(all.prefix(3)))
        var (left, right) = (Request("http://a.test/"), Request("http://a.test/"))
        (left.secrets, right.secrets) = ([all[0]], [all[1]])
        #expect(left != right)
        right.secrets = [try secrets(for: address)[0]]
        #expect(left == right)
    }
}
