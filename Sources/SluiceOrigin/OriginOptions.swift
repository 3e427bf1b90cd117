// SPDX-License-Identifier: MIT

/// The behaviour of an origin server; by default it is fast and has no faults.
package struct OriginOptions: Sendable {
    /// The address to listen on: `::1` or any in 127.0.0.0/8; others require ``isPublic``.
    package var host = "127.0.0.1"
    /// Whether addresses that other machines can reach are allowed.
    package var isPublic = false
    /// The port; 0 selects a free one.
    package var port: UInt16 = 0
    /// The delay before each reply's first byte; it occupies no thread.
    package var latency = Duration.zero
    /// The largest additional random delay; the sequence of delays is the same in every run.
    package var jitter = Duration.zero
    /// The bandwidth limit of each connection in body bytes per second; `nil` for no limit.
    package var bandwidth: Int?
    /// The bandwidth limit of all connections together in body bytes per second; `nil` for no limit.
    package var sharedBandwidth: Int?
    /// The share of a body's packets that are lost and sent again, 0 to 1; the same for the same request.
    package var loss = 0.0
    /// The faults to inject; the first rule that applies to a request wins.
    package var faults: [OriginFaultRule] = []
    /// The number of recent requests that the log keeps.
    package var logLimit = 4096
    /// The highest number of concurrent connections.
    package var connectionLimit = 8192
    /// The protection against clients that occupy connections; `nil` if all clients are trusted.
    package var protection: ConnectionProtection?
    /// The number of server threads, at least 1.
    package var threads = 4

    package init() {}

    /// Limits for clients that are not trusted.
    ///
    /// When there are too many connections, the oldest one without a complete request is closed, or else the one whose
    /// reply made no progress for the longest time. A quarter of a network's connections may have endless replies.
    package struct ConnectionProtection: Sendable, Hashable {
        /// The time for a request to arrive completely, from the connection's start or the end of the last reply.
        package var requestTime = Duration.seconds(10)
        /// The time after which a connection that makes no progress is closed.
        package var idleTime = Duration.seconds(60)
        /// The highest number of concurrent connections of an IPv4 address, or of the first half of an IPv6 address.
        package var perNetwork = 64

        package init() {}
    }

    /// Whether the address to listen on is a loopback address.
    package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// The host as written in a URL, with brackets around an IPv6 address.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }
}
