// SPDX-License-Identifier: MIT

import Sluice
import SluiceModel
import Testing

@testable import SluiceCLI

@Suite("Repeated failures", .timeLimit(.minutes(10))) struct RepeatedFailuresTests {
    private static func failed(_ cause: Cause, at host: String, hint: Hint? = nil) -> ItemOutcome {
        var receipt = Receipt(.failed, failure: Failure(cause, "why", hint: hint))
        receipt.url = "https://\(host)/photo.jpg"
        return .failed(receipt)
    }

    @Test("Three failures of a cause and host get a line, and one line counts the others")
    func many() {
        var failures = RepeatedFailures(style: Style())
        var lines: [String] = []
        for seq in 1...300 {
            let outcome = Self.failed(.httpClientError(404), at: seq % 2 == 0 ? "a.test" : "b.test")
            lines += failures.line(for: outcome, of: Samples.item(seq)).map { [$0.text] } ?? []
        }
        #expect(lines.count == 6 && lines[0] == "failed: photo 1 (p1): http-404: why")
        #expect(
            failures.remainingLines().map(\.text) == [
                "failed: 147 more photos with http-404 at b.test (photos 7, 9, 11, 13, 15, …): "
                    + "the photo no longer exists on the host",
                "failed: 147 more photos with http-404 at a.test (photos 8, 10, 12, 14, 16, …): "
                    + "the photo no longer exists on the host",
            ])
        #expect(failures.remainingLines() == [])
    }

    @Test("The line for the others names the fix: the hint, or the options of a retry")
    func fix() {
        var failures = RepeatedFailures(style: Style())
        for seq in 1...5 {
            _ = failures.line(
                for: Self.failed(.addressRefused, at: "a.test", hint: .allowPort(99)), of: Samples.item(seq))
            _ = failures.line(for: Self.failed(.tooLarge, at: "a.test"), of: Samples.item(seq))
        }
        let lines = failures.remainingLines().map(\.text)
        #expect(
            lines.first
                == "failed: 2 more photos with address-refused at a.test (photos 4, 5): allow with --allow-port 99")
        #expect(
            lines.last?.hasPrefix("failed: 2 more photos with too-large at a.test (photos 4, 5): retry with --") == true
        )
    }

    @Test("A failure that ends the run, such as a full disk, has no line of its own")
    func ofRun() {
        var failures = RepeatedFailures(style: Style())
        let receipt = Receipt(.failed, failure: Failure(.disk, "full", scope: .run))
        #expect(failures.line(for: .failed(receipt), of: Samples.item(1)) == nil && failures.remainingLines() == [])
    }

    /// Each of them had a line that repeated the one about the host.
    @Test("The photos of a host that was given up are one line")
    func givenUp() {
        var failures = RepeatedFailures(style: Style())
        let line = failures.line(for: Self.failed(.connect, at: "a.test"), of: Samples.item(1))
        #expect(line?.text == "failed: photo 1 (p1): connect: why")
        failures.recordGivenUp("a.test", because: Failure(.connect, "why, 7 times in a row"))
        for seq in 2...9 {
            let receipt = Receipt(.failed, failure: Failure(.connect, "why, 7 times in a row"))
            #expect(failures.line(for: .failed(receipt), of: Samples.item(seq)) == nil)
        }
        #expect(
            failures.remainingLines().map(\.text)
                == ["failed: 8 photos of a.test, which was given up (photos 2, 3, 4, 5, 6, …)"])
    }

    @Test("A fourth photo gets its own line at the end, and complete photos get none")
    func few() {
        var failures = RepeatedFailures(style: Style())
        for seq in 1...4 { _ = failures.line(for: Self.failed(.timeout, at: "a.test"), of: Samples.item(seq)) }
        #expect(failures.line(for: Samples.done(), of: Samples.item(5)) == nil)
        #expect(failures.remainingLines().map(\.text) == ["failed: photo 4 (p4): timeout: why"])
    }

    @Test("Ten hosts with the same cause get lines of their own, and the others share them")
    func hosts() {
        var failures = RepeatedFailures(style: Style())
        let lines = (1...300).compactMap { seq in
            failures.line(for: Self.failed(.connect, at: "\(seq).test"), of: Samples.item(seq))
        }
        #expect(lines.count == 13)
        let rest =
            "failed: 287 more photos with connect at other hosts (photos 14, 15, 16, 17, 18, …): the host is unreachable"
        #expect(failures.remainingLines().map(\.text) == [rest])
    }

    @Test("Text from servers is escaped")
    func foreignText() {
        let evil = "\u{1B}]0;owned\u{7}"
        var failures = RepeatedFailures(style: Style())
        var receipt = Receipt(.failed, failure: Failure(.timeout, evil))
        receipt.url = "https://a.test/\(evil)"
        for seq in 1...5 { _ = failures.line(for: .failed(receipt), of: Samples.item(seq, id: evil)) }
        #expect(failures.remainingLines().allSatisfy { $0.text == escaped($0.text, columns: 5000) })
    }
}

@Suite("Repeated pauses", .timeLimit(.minutes(10))) struct RepeatedPausesTests {
    private let busy = Failure(.httpTooManyRequests, "")

    @Test("The first, tenth and hundredth pause of a host get a line, and the end gets the total")
    func powersOfTen() {
        var pauses = RepeatedPauses()
        let lines = (1...120).compactMap { _ in pauses.line(for: "a.test", .seconds(2), because: busy)?.text }
        #expect(
            lines == [
                "host a.test paused 2 s: http-429", "host a.test paused 10 times, 20 s in all: http-429",
                "host a.test paused 100 times, 200 s in all: http-429",
            ])
        let total = ["host a.test paused 120 times, 240 s in all: http-429"]
        #expect(pauses.remainingLines().map(\.text) == total)
        #expect(pauses.remainingLines() == [])
    }

    @Test("Short pauses get no line, and a total repeats no line")
    func few() {
        var pauses = RepeatedPauses()
        #expect(pauses.line(for: "a.test", .milliseconds(999), because: busy) == nil)
        #expect(pauses.line(for: "b.test", .seconds(1), because: busy) != nil)
        #expect(pauses.remainingLines() == [])
    }

    /// The pause, its total and the line about the host had the same reason.
    @Test("A host without an address, and one that was given up, have only the line about that")
    func givenUp() {
        var pauses = RepeatedPauses()
        let unknown = Failure(.dns, "a.test: Name or service not known", hint: .checkHostName)
        #expect(pauses.line(for: "a.test", .seconds(1), because: unknown) == nil)
        for _ in 0..<2 { _ = pauses.line(for: "b.test", .seconds(10), because: Failure(.connect, "silent")) }
        pauses.remove("b.test")
        #expect(pauses.remainingLines() == [])
    }

    @Test("Text from servers is escaped")
    func foreignText() throws {
        let evil = "\u{1B}]0;owned\u{7}\u{202E}\n"
        var pauses = RepeatedPauses()
        let text = try #require(pauses.line(for: evil, .seconds(2), because: Failure(.redirectScheme, evil))?.text)
        #expect(text == escaped(text, columns: 5000))
    }

    @Test("Further hosts than can be counted get a line for each pause")
    func manyHosts() {
        var pauses = RepeatedPauses()
        for number in 1...1000 { _ = pauses.line(for: "h\(number).test", .seconds(1), because: busy) }
        for _ in 0..<3 { #expect(pauses.line(for: "new.test", .seconds(1), because: busy) != nil) }
    }
}
