// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import Sluice

@Suite("MeasuredRun", .timeLimit(.minutes(10))) struct MeasuredRunTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mirror() -> Mirror { Mirror(of: "demo", into: folder.path("mirror"), options: .small()) }

    @Test("Every photo's phases are measured, and every byte and end is in the samples") func phases() async throws {
        let mirror = mirror()
        #expect(mirror.bottleneck == nil)
        let summary = try await mirror.run()
        let meter = try #require(mirror.course.meter)
        for phase in [Phase.firstByte, .queue, .decode, .resample, .encode, .write] {
            #expect(meter.phases[phase.rawValue].count == 12, "\(phase)")
        }
        let connections = meter.phases[Phase.connect.rawValue].count
        #expect(connections >= 1 && connections <= 12)
        #expect(meter.phases[Phase.tls.rawValue].count == 0)
        #expect(meter.items.count == 12)
        let samples = meter.series.samples
        #expect(samples.reduce(0) { $0 + $1.done } == 12)
        // Pages arrive too.
        #expect(samples.reduce(0) { $0 + $1.bytes } > summary.bytesReceived)
        #expect(samples.reduce(0) { $0 + $1.means[.decode] * $1.length } > 0)
        #expect(samples.reduce(0) { $0 + $1.means[.feed] * $1.length } > 0)
    }

    @Test("What stands already takes no part in what is measured") func kept() async throws {
        _ = try await mirror().run()
        let again = mirror()
        #expect(try await again.run().kept == 12)
        let meter = try #require(again.course.meter)
        #expect(meter.items.count == 0 && meter.phases.allSatisfy { $0.count == 0 })
    }
}
