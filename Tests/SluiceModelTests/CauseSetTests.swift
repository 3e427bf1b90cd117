// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("CauseSet", .timeLimit(.minutes(10))) struct CauseSetTests {
    @Test("A set contains exactly the listed causes")
    func names() throws {
        let causes = try #require(CauseSet("dns,timeout,http-5xx,http-404"))
        for cause in [Cause.dns, .timeout, .httpServerError, .httpClientError(404)] { #expect(causes.contains(cause)) }
        for cause in [Cause.tls, .httpClientError(410), .httpTooManyRequests] { #expect(!causes.contains(cause)) }
    }

    @Test("http-4xx contains every client error")
    func clientErrors() throws {
        let causes = try #require(CauseSet("http-4xx"))
        for status in 400...499 { #expect(causes.contains(try #require(Cause(status: status)))) }
        #expect(!causes.contains(.httpServerError))
    }

    @Test(
        "Unknown and empty names are rejected",
        arguments: ["", "dns,", "Timeout", "http-503", "http-6xx", "dns timeout", "all"])
    func invalidNames(text: String) {
        #expect(CauseSet(text) == nil)
    }
}
