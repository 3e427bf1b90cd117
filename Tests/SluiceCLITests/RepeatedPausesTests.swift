// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceCLI

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
