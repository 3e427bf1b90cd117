// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceOrigin

@Suite("Traffic") struct TrafficTests {
    @Test("All together get what the line carries, first come, first served")
    func line() throws {
        var line = try #require(SharedLine(bandwidth: 1000))
        #expect(line.reserve(100, at: .zero) == nil)
        #expect(line.reserve(100, at: .zero) == .milliseconds(100))
        #expect(line.reserve(50, at: .milliseconds(40)) == .milliseconds(160))
        // What nobody used is gone.
        #expect(line.reserve(100, at: .seconds(5)) == nil)
        #expect(line.reserve(100, at: .seconds(5)) == .milliseconds(100))
        #expect(SharedLine(bandwidth: nil) == nil)
    }

    @Test("Packets are lost at their share, each judged once, the same ones from the same seed")
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

    @Test("One of the last packets costs the system's own time-out")
    func tail() throws {
        var loss = try #require(PacketLoss(share: 1, roundTrip: .milliseconds(10), length: 1448 * 5, seed: 1))
        #expect(loss.pause(upTo: 1448 * 2) == .milliseconds(20))
        #expect(loss.pause(upTo: 1448 * 5) == .milliseconds(600))
    }
}
