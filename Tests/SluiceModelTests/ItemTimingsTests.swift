// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Item timings", .timeLimit(.minutes(10))) struct ItemTimingsTests {
    @Test("The phases of a stage follow each other, and missing phases are omitted") func slices() {
        let start = ContinuousClock.now
        var timings = ItemTimings()
        timings.requestedAt = start
        timings[.dns] = .milliseconds(3)
        timings[.firstByte] = .milliseconds(20)
        timings[.body] = .milliseconds(40)
        timings.queuedAt = start + .milliseconds(90)
        timings[.decode] = .milliseconds(8)
        // Its start time is unknown.
        timings[.write] = .milliseconds(1)
        let slices = timings.slices
        #expect(slices.map(\.phase) == [.dns, .firstByte, .body, .decode])
        #expect(slices.map { $0.begin - start } == [0, 3, 23, 90].map { .milliseconds($0) })
        #expect(slices.map(\.length) == [3, 20, 40, 8].map { .milliseconds($0) })
    }

    @Test("Phases are stored in microseconds and clamped to the supported range") func bounds() {
        var timings = ItemTimings()
        timings[.tls] = .microseconds(1234) + .nanoseconds(900)
        timings[.body] = .seconds(1_000_000)
        timings[.queue] = .seconds(-1)
        #expect(timings[.tls] == .microseconds(1234))
        #expect(timings[.body] == .microseconds(Int64(UInt32.max)) && timings[.queue] == .zero)
    }
}
