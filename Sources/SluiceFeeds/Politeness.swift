// SPDX-License-Identifier: MIT

/// The limits that a source's hosts and terms ask for; an unset limit is left to the user.
public struct Politeness: Sendable, Hashable {
    /// The maximum number of concurrent transfers per host, even if the user allows more.
    public var perHost: Int?
    /// The minimum time between two requests, by host.
    public var intervals: [String: Duration] = [:]
    /// Whether to honour `robots.txt` on the photos' hosts by default.
    public var respectsRobotsTxt = false
    /// The maximum number of photos per run without the service's permission for more.
    public var cap: Int?
    /// Whether the service requires contact details in the user agent.
    public var needsContact = false
    /// The address of the service's terms.
    public var terms: String?

    /// Creates the politeness of a source without any limits.
    public init() {}
}
