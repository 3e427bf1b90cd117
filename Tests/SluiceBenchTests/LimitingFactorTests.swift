// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceBench

@Suite("Limiting factor", .timeLimit(.minutes(10))) struct LimitingFactorTests {
    private func utilization(
        slots: Double = 1, decoders: Double = 0, loader: Double = 0.1, origin: Double = 0.1, bandwidth: Double = 0.1
    ) -> Utilization {
        Utilization(slots: slots, decoders: decoders, loaderCPU: loader, originCPU: origin, bandwidth: bandwidth)
    }

    @Test("The scarcest exhausted resource is the limiting factor")
    func limits() {
        func factor(
            _ utilization: Utilization, latency: Double = 0.1, alone: Double? = 0.1, lost: Double = 0
        ) -> LimitingFactor {
            LimitingFactor(utilization, latency: latency, alone: alone, lost: lost)
        }
        #expect(factor(utilization()) == .slots)
        #expect(factor(utilization(), latency: 0.2) == .hosts)
        #expect(factor(utilization(), alone: nil) == .hosts)
        #expect(factor(utilization(bandwidth: 0.9)) == .bandwidth)
        #expect(factor(utilization(decoders: 0.95)) == .decoding)
        #expect(factor(utilization(loader: 0.5, origin: 0.4)) == .processors)
        #expect(factor(utilization(), lost: 0.5) == .faults)
        #expect(factor(utilization(slots: 0.5)) == .ends)
    }
}
