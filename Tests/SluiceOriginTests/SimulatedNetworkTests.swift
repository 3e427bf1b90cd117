// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceOrigin

@Suite("Simulated network", .timeLimit(.minutes(10))) struct SimulatedNetworkTests {
    @Test("All connections share the bandwidth, first come, first served")
    func sharedBandwidth() throws {
        var shared = try #require(SharedBandwidth(bytesPerSecond: 1000))
        #expect(shared.reserve(100, at: .zero) == nil)
        #expect(shared.reserve(100, at: .zero) == .milliseconds(100))
        #expect(shared.reserve(50, at: .milliseconds(40)) == .milliseconds(160))
        // Unused bandwidth does not accumulate.
        #expect(shared.reserve(100, at: .seconds(5)) == nil)
        #expect(shared.reserve(100, at: .seconds(5)) == .milliseconds(100))
        #expect(SharedBandwidth(bytesPerSecond: nil) == nil)
    }

    @Test("Packets are lost at the given rate, each is decided once, and the same seed loses the same packets")
    func loss() throws {
        let length = 1448 * 10_000
        var whole = try #require(PacketLoss(share: 0.02, roundTrip: .milliseconds(10), length: length, seed: 4))
        let pause = whole.pause(upTo: length)
        #expect(abs(pause.seconds - 200 * 0.01) < 0.6)
        #expect(whole.pause(upTo: length) == .zero)
        var parts = try #require(PacketLoss(share: 0.02, roundTrip: .milliseconds(10), length: length, seed: 4))
        let sum = stride(from: 5000, through: length + 5000, by: 5000).reduce(Duration.zero) {
            $0 + parts.pause(upTo: min($1, length))
        }
        #expect(sum == pause)
    }

    @Test("Losing one of the last packets costs a retransmission timeout")
    func tail() throws {
        var loss = try #require(PacketLoss(share: 1, roundTrip: .milliseconds(10), length: 1448 * 5, seed: 1))
        #expect(loss.pause(upTo: 1448 * 2) == .milliseconds(20))
        #expect(loss.pause(upTo: 1448 * 5) == .milliseconds(600))
    }
}
