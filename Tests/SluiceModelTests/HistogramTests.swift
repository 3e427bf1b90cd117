// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Histogram", .timeLimit(.minutes(10))) struct HistogramTests {
    @Test("Percentiles are accurate to 3.2 % from microseconds to an hour") func percentiles() throws {
        var histogram = Histogram()
        // The spread covers every doubling.
        let times = (0..<10_000).map { Duration.microseconds(Int64(1.0022 * Double($0) * Double($0) / 30 + 1)) }
        for time in times.shuffled() { histogram.count(time) }
        for share in [0.01, 0.1, 0.5, 0.9, 0.99, 0.999] {
            let exact = times[Int((10_000 * share).rounded(.up)) - 1]
            let found = try #require(histogram.quantile(share))
            #expect(found >= exact && found / exact < 1.032, "\(share): \(found) for \(exact)")
        }
        #expect(histogram.quantile(1) == times.last && histogram.longest == times.last)
        #expect(histogram.count == 10_000 && histogram.sum == times.reduce(.zero, +))
    }

    @Test("An empty histogram has no percentiles, and durations above the range go to the last bucket") func edges() {
        var histogram = Histogram()
        #expect(histogram.quantile(0.5) == nil)
        histogram.count(.zero)
        histogram.count(.seconds(1_000_000))
        #expect(histogram.quantile(0) == .zero && histogram.quantile(0.5) == .zero)
        #expect(histogram.quantile(1) == .microseconds(Int64(UInt32.max)))
        #expect(histogram.longest == .seconds(1_000_000))
    }

    @Test("Durations up to a limit are counted for cumulative buckets") func cumulative() {
        var histogram = Histogram()
        for milliseconds in [1, 2, 5, 10, 100] { histogram.count(.milliseconds(milliseconds)) }
        #expect(histogram.count(upTo: .microseconds(500)) == 0)
        #expect(histogram.count(upTo: .milliseconds(5)) == 3)
        #expect(histogram.count(upTo: .seconds(1)) == 5)
    }
}
