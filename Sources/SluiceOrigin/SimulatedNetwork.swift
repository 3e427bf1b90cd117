// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Simulates the network between an origin server and its clients: shared bandwidth and packet loss.
final class SimulatedNetwork: Sendable {
    private let bandwidth: Locked<SharedBandwidth?>
    private let options: OriginOptions
    private let start = ContinuousClock.now

    init(_ options: OriginOptions) {
        bandwidth = Locked(SharedBandwidth(bytesPerSecond: options.sharedBandwidth))
        self.options = options
    }

    /// The packet loss of one reply; `nil` if no packet is lost.
    func packetLoss(bodyLength: Int?, seed: UInt64) -> PacketLoss? {
        PacketLoss(share: options.loss, roundTrip: options.latency, length: bodyLength, seed: seed)
    }

    /// Reserves shared bandwidth for `count` bytes and returns how long to wait; `nil` if they may go now.
    func reserve(_ count: Int) -> Duration? {
        bandwidth.withLock { $0?.reserve(count, at: ContinuousClock.now - start) }
    }
}

/// A bandwidth limit that all of a server's connections share, first come, first served.
///
/// It is a pure value without a clock. A caller's bytes are reserved immediately, and the caller then waits. So no
/// caller asks twice for the same bytes, and none is starved.
struct SharedBandwidth {
    /// Shorter sleeps cost more than the delay they add.
    private static let minimumWait = Duration.milliseconds(1)

    private let bytesPerSecond: Double
    /// When all reserved bytes will have been sent, as time since the start.
    private var busyUntil = Duration.zero

    init?(bytesPerSecond: Int?) {
        guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        self.bytesPerSecond = Double(bytesPerSecond)
    }

    /// Reserves `count` bytes and returns how long to wait; `nil` if they may go now.
    mutating func reserve(_ count: Int, at now: Duration) -> Duration? {
        let wait = busyUntil - now
        busyUntil = max(busyUntil, now) + .seconds(Double(count) / bytesPerSecond)
        return wait < Self.minimumWait ? nil : wait
    }
}

/// Simulates lost and retransmitted packets of a reply's body as pauses.
///
/// It is a pure value. A lost packet costs one round trip, which is the server's latency. One of the last packets
/// costs at least 200 ms, because no later packet reveals the gap. The slowdown that TCP adds on a lossy network is not
/// modelled.
package struct PacketLoss {
    /// The payload of a TCP packet on most networks, in bytes.
    package static let packetBytes = 1448
    /// The shortest retransmission timeout on Linux.
    package static let retransmissionTimeout = Duration.milliseconds(200)
    /// The number of packets at the end whose loss no later packet reveals.
    package static let lastPackets = 3

    private let share: Double
    private let roundTrip: Duration
    private let length: Int
    private var random: SeededRandom
    /// The number of packets whose loss is decided.
    private var decided = 0

    /// Creates the losses of one body, reproducibly from the seed; `nil` if no packet is lost.
    init?(share: Double, roundTrip: Duration, length: Int?, seed: UInt64) {
        guard share > 0, let length else { return nil }
        (self.share, self.roundTrip, self.length) = (share, roundTrip, length)
        random = SeededRandom(seed: Int(truncatingIfNeeded: seed), 0x1055)
    }

    /// Returns how long losses delay the bytes up to `end`; each packet counts once.
    mutating func pause(upTo end: Int) -> Duration {
        let packets = (length + Self.packetBytes - 1) / Self.packetBytes
        let last = min(packets, (end + Self.packetBytes - 1) / Self.packetBytes)
        var pause = Duration.zero
        while decided < last {
            decided += 1
            guard random.happens(withProbability: Float(share)) else { continue }
            pause += packets - decided < Self.lastPackets ? max(roundTrip, Self.retransmissionTimeout) : roundTrip
        }
        return pause
    }
}
