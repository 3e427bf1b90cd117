// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceDatasets

/// The time that a host may take for failed requests of a check.
@Suite("Slow hosts", .timeLimit(.minutes(10))) struct SlowHostsTests {
    private let slow = Failure(.timeout, "no answer")

    @Test("A host is excluded once its failed requests have taken four times the limit of one")
    func limit() {
        var hosts = SlowHosts(timeout: .seconds(20))
        for _ in 0..<3 {
            hosts.add(slow, of: "a.test", after: .seconds(20))
            hosts.add(slow, of: "b.test", after: .seconds(10))
        }
        #expect(hosts.refusal(of: "a.test") == nil)
        hosts.add(slow, of: "a.test", after: .seconds(20))
        let refusal = hosts.refusal(of: "a.test")
        #expect(refusal?.cause == .timeout)
        #expect(refusal?.detail == "a.test: not requested after failed requests of 80 s in all")
        #expect(hosts.refusal(of: "b.test") == nil)
        hosts.add(Failure(.httpServerError, "503"), of: "a.test", after: .seconds(20))
        #expect(hosts.refusal(of: "a.test") == refusal, "requests in flight change no reason")
    }

    @Test("Answers about a photo are no lost time", arguments: [Cause.httpClientError(404), .notAnImage, .cancelled])
    func answers(cause: Cause) {
        var hosts = SlowHosts(timeout: .seconds(1))
        hosts.add(Failure(cause, ""), of: "a.test", after: .seconds(100))
        #expect(hosts.refusal(of: "a.test") == nil)
    }
}
