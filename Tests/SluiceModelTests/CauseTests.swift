// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import Testing

@Suite("Cause", .timeLimit(.minutes(10))) struct CauseTests {
    static let documented = """
        dns connect tls timeout http-404 http-429 http-5xx unexpected-status bad-framing bad-headers content-encoding \
        encoding-bomb empty-body too-large truncated not-an-image corrupt unsupported too-many-pixels too-many-scans \
        bad-chunk decode-limit decoder-crashed quarantined address-refused redirect-loop redirect-scheme \
        redirect-downgrade opted-out duplicate policy deferred cancelled disk internal feed-parse pagination-loop \
        cross-origin-next
        """.split(separator: " ").map(String.init)

    @Test("Every documented name is a cause and survives encoding", arguments: documented)
    func names(name: String) throws {
        let cause = try #require(Cause(name: name))
        #expect(cause.name == name)
        let data = try JSONEncoder().encode([cause])
        #expect(try JSONDecoder().decode([Cause].self, from: data) == [cause])
    }

    @Test("Unknown names are rejected", arguments: ["", "http-", "http-200", "http-500", "Timeout", "unknown"])
    func unknown(name: String) {
        #expect(Cause(name: name) == nil)
    }

    @Test(
        "Statuses from 400 map to causes",
        arguments: [(200, nil), (304, nil), (404, "http-404"), (429, "http-429"), (503, "http-5xx")])
    func statuses(status: Int, name: String?) {
        #expect(Cause(status: status)?.name == name)
    }

    @Test("Only temporary failures are retryable")
    func retries() throws {
        for name in ["dns", "connect", "timeout", "http-429", "http-5xx", "truncated", "http-408"] {
            #expect(try #require(Cause(name: name)).isRetryable, "\(name)")
        }
        for name in ["http-404", "http-410", "tls", "not-an-image", "corrupt", "too-large", "address-refused"] {
            #expect(try !#require(Cause(name: name)).isRetryable, "\(name)")
        }
    }
}
