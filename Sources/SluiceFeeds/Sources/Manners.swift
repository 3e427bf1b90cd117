// SPDX-License-Identifier: MIT

/// How a source's hosts want to be treated, and what its rules allow; what is not stated is left to the user.
public struct Manners: Sendable, Hashable {
    /// How many transfers one host may have at most, whatever the user allows.
    public var perHost: Int?
    /// The least time between two requests, for each host that asks for one.
    public var intervals: [String: Duration] = [:]
    /// Whether the photos' hosts are asked for their `robots.txt`, unless the user says otherwise.
    public var keepsToRobots = false
    /// How many photos a run takes of a service that wants permission for more.
    public var cap: Int?
    /// Whether the service wants to know whom to write to.
    public var needsContact = false
    /// Where the service says what it asks.
    public var terms: String?

    /// Makes the manners of a source that asks for nothing.
    public init() {}
}
