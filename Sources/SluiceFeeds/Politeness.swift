// SPDX-License-Identifier: MIT

/// The limits that a source's hosts and terms ask for; an unset limit is left to the user.
package struct Politeness: Sendable, Hashable {
    /// The maximum number of concurrent transfers per host, even if the user allows more.
    package var perHost: Int?
    /// The minimum time between two requests, by host.
    package var intervals: [String: Duration] = [:]
    /// The number of bytes per second that all transfers together may receive, even if the user allows more.
    package var bandwidth: Int?
    /// Whether to honour `robots.txt` on the photos' hosts by default.
    package var respectsRobotsTxt = false
    /// The maximum number of photos per run without the service's permission for more.
    package var cap: Int?
    /// Whether the service requires contact details in the user agent.
    package var needsContact = false
    /// The address of the service's terms.
    package var terms: String?

    /// Creates the politeness of a source without any limits.
    package init() {}
}
