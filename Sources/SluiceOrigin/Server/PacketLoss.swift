// SPDX-License-Identifier: MIT

/// Packets of a body that are lost and sent again, as the client feels it: the body stands still for a while.
///
/// A pure value. A lost packet costs a round trip, which is the origin's latency; one of the last three costs at least
/// 200 ms, because nothing behind it tells of the gap. That a lossy line also makes a connection slower is not modelled.
struct PacketLoss {
    /// What a packet carries on most networks.
    static let packet = 1448
    /// What Linux waits at least before it sends again unasked.
    static let timeout = Duration.milliseconds(200)

    private let share: Double
    private let roundTrip: Duration
    private let length: Int
    private var chances: Dice
    /// How many packets had their chance.
    private var judged = 0

    /// Makes the losses of one body, the same ones from the same seed; `nil` where nothing is lost.
    init?(share: Double, roundTrip: Duration, length: Int?, seed: UInt64) {
        guard share > 0, let length else { return nil }
        self.share = share
        self.roundTrip = roundTrip
        self.length = length
        chances = Dice(seed: Int(truncatingIfNeeded: seed), 0x1055)
    }

    /// How long the bytes up to `end` are held up; each packet is judged once.
    mutating func pause(upTo end: Int) -> Duration {
        let packets = (length + Self.packet - 1) / Self.packet
        let last = min(packets, (end + Self.packet - 1) / Self.packet)
        var pause = Duration.zero
        while judged < last {
            judged += 1
            guard chances.falls(Float(share)) else { continue }
            pause += packets - judged < 3 ? max(roundTrip, Self.timeout) : roundTrip
        }
        return pause
    }
}
