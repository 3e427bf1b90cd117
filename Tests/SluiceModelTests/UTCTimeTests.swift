// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Times", .timeLimit(.minutes(10))) struct UTCTimeTests {
    @Test(
        "Times are formatted as RFC 3339 does",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_208_000, "2024-02-29T12:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
        ])
    func times(seconds: Int, text: String) { #expect(UTCTime(secondsSince1970: seconds).text == text) }

    @Test("The other formats")
    func formats() {
        let time = UTCTime(secondsSince1970: 1_709_208_009)
        #expect(time.date == "2024-02-29")
        #expect(time.minuteText == "2024-02-29 12:00 UTC")
        #expect(time.compactText == "20240229T120009Z")
        #expect(time.httpText == "Thu, 29 Feb 2024 12:00:09 GMT")
        #expect(UTCTime(secondsSince1970: -86_400).httpText == "Wed, 31 Dec 1969 00:00:00 GMT")
    }

    /// A lock file that another program wrote may hold any number.
    @Test("No number is too large", arguments: [Int.min, Int.max])
    func extremes(seconds: Int) { #expect(UTCTime(secondsSince1970: seconds).text.hasSuffix("Z")) }
}
