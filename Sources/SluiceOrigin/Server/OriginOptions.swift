// SPDX-License-Identifier: MIT

/// How an origin behaves; the defaults are a quick and faultless server.
public struct OriginOptions: Sendable {
    /// The address to listen on: `::1` or any in 127.0.0.0/8, and others only where ``isPublic`` says so.
    public var host = "127.0.0.1"
    /// Whether other machines may be served.
    public var isPublic = false
    /// The port; 0 takes a free one.
    public var port: UInt16 = 0
    /// How long each reply waits before its first byte; no thread waits with it.
    public var latency = Duration.zero
    /// How much longer a reply may wait, by its number in a fixed sequence of chances.
    public var jitter = Duration.zero
    /// The most bytes of a body that a connection carries in a second; `nil` sets no bound.
    public var bandwidth: Int?
    /// The most bytes of bodies that all connections together carry in a second; `nil` sets no bound.
    public var sharedBandwidth: Int?
    /// Which part of a body's packets is lost and sent again, from 0 to 1: the same ones of the same request.
    public var loss = 0.0
    /// What goes wrong; the first rule that applies to a request counts.
    public var faults: [OriginFaultRule] = []
    /// How many of the last requests are kept in the log.
    public var logLimit = 4096
    /// How many connections may be open at once.
    public var connectionLimit = 8192
    /// How many threads serve, at least 1.
    public var threads = 4

    /// Makes the defaults.
    public init() {}

    /// Whether only this machine reaches the address to listen on.
    public var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// The host as it stands before a port: in brackets where it is of IPv6.
    var hostInAddresses: String { host.contains(":") ? "[\(host)]" : host }
}
