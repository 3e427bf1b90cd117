// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The durations of a transfer's phases, summed over its redirects.
public struct TransferTimes: Sendable, Hashable {
    /// When the transfer began.
    public var begin: ContinuousClock.Instant
    /// Resolving host names.
    public var dns = Duration.zero
    /// Opening connections; zero for a reused connection.
    public var connect = Duration.zero
    /// TLS handshakes.
    public var tls = Duration.zero
    /// Waiting for the first bytes of the responses.
    public var firstByte = Duration.zero
    /// Receiving the bodies.
    public var body = Duration.zero

    init(begin: ContinuousClock.Instant) { self.begin = begin }

    /// Adds the durations of the next hop.
    mutating func add(_ next: TransferTimes) {
        dns += next.dns
        connect += next.connect
        tls += next.tls
        firstByte += next.firstByte
        body += next.body
    }
}

extension ItemTimings {
    /// Records the durations of the transfer that downloaded the photo.
    public mutating func note(_ times: TransferTimes) {
        requestedAt = times.begin
        self[.dns] = times.dns
        self[.connect] = times.connect
        self[.tls] = times.tls
        self[.firstByte] = times.firstByte
        self[.body] = times.body
    }
}
