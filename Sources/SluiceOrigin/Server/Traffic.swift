// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What lies between an origin and its clients: the line that all share, and the packets that get lost on it.
final class Traffic: Sendable {
    private let line: Locked<SharedLine?>
    private let options: OriginOptions
    private let start = ContinuousClock.now

    init(_ options: OriginOptions) {
        line = Locked(SharedLine(bandwidth: options.sharedBandwidth))
        self.options = options
    }

    /// The losses of one reply.
    func losses(of length: Int?, seed: UInt64) -> PacketLoss? {
        PacketLoss(share: options.loss, roundTrip: options.latency, length: length, seed: seed)
    }

    /// Reserves the line; `nil` if the bytes may go now.
    func reserve(_ count: Int) -> Duration? {
        line.withLock { $0?.reserve(count, at: ContinuousClock.now - start) }
    }
}
