// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Timings") struct TimingsTests {
    @Test("A stage's phases lie one behind the other, and those that an item had not are left out") func slices() {
        let start = ContinuousClock.now
        var timings = Timings()
        timings.asked = start
        timings[.dns] = .milliseconds(3)
        timings[.firstByte] = .milliseconds(20)
        timings[.body] = .milliseconds(40)
        timings.queued = start + .milliseconds(90)
        timings[.decode] = .milliseconds(8)
        // Nobody knows when it began.
        timings[.write] = .milliseconds(1)
        let slices = timings.slices
        #expect(slices.map(\.phase) == [.dns, .firstByte, .body, .decode])
        #expect(slices.map { $0.begin - start } == [0, 3, 23, 90].map { .milliseconds($0) })
        #expect(slices.map(\.length) == [3, 20, 40, 8].map { .milliseconds($0) })
    }

    @Test("A phase is known to the microsecond; one that never ends stays a number") func bounds() {
        var timings = Timings()
        timings[.tls] = .microseconds(1234) + .nanoseconds(900)
        timings[.body] = .seconds(1_000_000)
        timings[.queue] = .seconds(-1)
        #expect(timings[.tls] == .microseconds(1234))
        #expect(timings[.body] == .microseconds(Int64(UInt32.max)) && timings[.queue] == .zero)
    }
}
