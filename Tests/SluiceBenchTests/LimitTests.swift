// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceBench

@Suite("Limit") struct LimitTests {
    private func use(
        slots: Double = 1, decoders: Double = 0, loader: Double = 0.1, origin: Double = 0.1, line: Double = 0.1
    ) -> Use {
        Use(slots: slots, decoders: decoders, loaderCPU: loader, originCPU: origin, line: line)
    }

    @Test("What is used up is the limit, the scarcest first")
    func limits() {
        func limit(_ use: Use, latency: Double = 0.1, alone: Double? = 0.1, lost: Double = 0) -> Limit {
            Limit(use, latency: latency, alone: alone, lost: lost)
        }
        #expect(limit(use()) == .slots)
        #expect(limit(use(), latency: 0.2) == .hosts)
        #expect(limit(use(), alone: nil) == .hosts)
        #expect(limit(use(line: 0.9)) == .bandwidth)
        #expect(limit(use(decoders: 0.95)) == .decoding)
        #expect(limit(use(loader: 0.5, origin: 0.4)) == .processors)
        #expect(limit(use(), lost: 0.5) == .faults)
        #expect(limit(use(slots: 0.5)) == .ends)
    }
}
