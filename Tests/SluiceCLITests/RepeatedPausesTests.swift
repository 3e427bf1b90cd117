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
