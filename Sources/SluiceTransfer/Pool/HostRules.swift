// SPDX-License-Identifier: MIT

/// How hosts are treated.
public struct HostRules: Sendable {
    /// How many items may hold a slot of one host.
    public var perHost: Int
    /// The least time between two requests to a host.
    public var interval: Duration?
    /// Hosts that ask for an interval of their own; the longer one counts.
    public var intervals: [String: Duration] = [:]
    /// How many failures in a row are too many...
    public var patience = 10
    /// ...and how long the host is then left alone, before one request at a time shows whether it is back...
    public var pause = Duration.seconds(60)
    /// ...and how many such trials it has.
    public var trials = 2

    /// Makes the defaults.
    public init(perHost: Int = 6) { self.perHost = perHost }

    /// The least time between two requests to this host.
    func interval(of host: String) -> Duration? {
        guard let own = intervals[host] else { return interval }
        return max(own, interval ?? own)
    }
}
