// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// Photos of hosts that refuse them unless the request names the page.
///
/// Such photos failed with `http-403`, and `sluice explain` said that nothing can recover them.
@Suite("Referrers", .timeLimit(.minutes(5))) struct ReferrerTests {
    private func reply(_ status: String) -> [UInt8] { Array("HTTP/1.1 \(status)\r\nContent-Length: 3\r\n\r\nabc".utf8) }

    /// A server that sends photos to requests that name a page, and nothing to others.
    private func strictServer() throws -> RawServer {
        let step = RawServer.Step.reply { [self] in reply($0.contains("\r\nReferer: ") ? "200 OK" : "403 Forbidden") }
        return try RawServer(["/1": [step, .again], "/2": [step, .again]])
    }

    private func request(_ url: String, on page: String?) -> Request {
        var request = Request(url)
        request.referrer = page
        return request
    }

    /// The pages that requests name; empty without one.
    private func pages(_ server: RawServer) -> [String] {
        server.requests.map { $0.split(separator: "\r\nReferer: ").dropFirst().first?.prefix { $0 != "\r\n" } ?? "" }
            .map(String.init)
    }

    @Test("A refused photo is requested once more with its page, and the host's next photo at once")
    func second() async throws {
        let (server, transfers) = (try strictServer(), transfers())
        for path in ["/1", "/2"] {
            let request = request(server.url(path), on: "http://a.test:81/gallery?page=2#top")
            _ = try await transfers.fetch(request, token: CancellationToken())
        }
        #expect(pages(server) == ["", "http://a.test:81/", "http://a.test:81/"])
    }

    @Test("A page of the same origin is named whole")
    func sameOrigin() async throws {
        let server = try strictServer()
        let request = request(server.url("/1"), on: server.url("/gallery?page=2#top"))
        _ = try await transfers().fetch(request, token: CancellationToken())
        #expect(pages(server) == ["", server.url("/gallery?page=2")])
    }

    @Test(
        "Without a page, or for an encrypted one, an unencrypted request is not repeated",
        arguments: [nil, "https://a.test/"])
    func unnamed(page: String?) async throws {
        let server = try strictServer()
        let failure = await #expect(throws: Failure.self) {
            _ = try await transfers().fetch(request(server.url("/1"), on: page), token: CancellationToken())
        }
        #expect(failure?.cause == .httpClientError(403) && pages(server) == [""])
    }

    @Test("Pages are named to no host that refuses photos all the same, or because its quota is used up")
    func refused() async throws {
        let forbidden = reply("403 Forbidden")
        let limited = reply("403 Forbidden\r\nX-RateLimit-Remaining: 0")
        let server = try RawServer(["/1": [.raw(forbidden), .again], "/2": [.raw(limited), .again]])
        let transfers = transfers()
        for path in ["/1", "/2", "/1"] {
            await #expect(throws: Failure.self) {
                let request = request(server.url(path), on: "http://a.test/")
                _ = try await transfers.fetch(request, token: CancellationToken())
            }
        }
        #expect(pages(server) == ["", "http://a.test/", "", "", "http://a.test/"])
    }
}
