// SPDX-License-Identifier: MIT

public import SluiceModel

/// How long the parts of a transfer took, over all its redirects.
public struct TransferTimes: Sendable, Hashable {
    /// When its first part began.
    public var begin: ContinuousClock.Instant
    /// Looking the hosts' names up.
    public var dns = Duration.zero
    /// Opening connections; zero on one that was open.
    public var connect = Duration.zero
    /// Making them secret.
    public var tls = Duration.zero
    /// From then on until the first bytes of the replies.
    public var firstByte = Duration.zero
    /// Until the last bytes.
    public var body = Duration.zero

    init(begin: ContinuousClock.Instant) { self.begin = begin }

    /// Adds those of the next hop.
    mutating func add(_ next: TransferTimes) {
        dns += next.dns
        connect += next.connect
        tls += next.tls
        firstByte += next.firstByte
        body += next.body
    }
}

extension Timings {
    /// Takes note of the transfer that brought the photo.
    public mutating func note(_ times: TransferTimes) {
        asked = times.begin
        self[.dns] = times.dns
        self[.connect] = times.connect
        self[.tls] = times.tls
        self[.firstByte] = times.firstByte
        self[.body] = times.body
    }
}
