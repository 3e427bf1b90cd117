// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("MeasuredRun", .timeLimit(.minutes(10))) struct MeasuredRunTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mirror() -> PhotoMirror { PhotoMirror(of: "demo", into: folder.path("mirror"), options: .small()) }

    @Test("The phases of every photo are measured, and the samples cover every byte and item") func phases()
        async throws
    {
        let mirror = mirror()
        #expect(mirror.bottleneck == nil)
        let summary = try await mirror.run()
        let statistics = try #require(mirror.control.statistics)
        for phase in [ItemPhase.firstByte, .queue, .decode, .resample, .encode, .write] {
            #expect(statistics.phases[phase.rawValue].count == 12, "\(phase)")
        }
        let connections = statistics.phases[ItemPhase.connect.rawValue].count
        #expect(connections >= 1 && connections <= 12)
        #expect(statistics.phases[ItemPhase.tls.rawValue].count == 0)
        #expect(statistics.items.count == 12)
        let samples = statistics.series.samples
        #expect(samples.reduce(0) { $0 + $1.done } == 12)
        // Includes the bytes of pages.
        #expect(samples.reduce(0) { $0 + $1.bytes } > summary.bytesReceived)
        #expect(samples.reduce(0) { $0 + $1.averages[.decoding] * $1.length } > 0)
        #expect(samples.reduce(0) { $0 + $1.averages[.readingFeed] * $1.length } > 0)
    }

    @Test("Kept photos are not measured") func kept() async throws {
        _ = try await mirror().run()
        let again = mirror()
        #expect(try await again.run().kept == 12)
        let statistics = try #require(again.control.statistics)
        #expect(statistics.items.count == 0 && statistics.phases.allSatisfy { $0.count == 0 })
    }
}
