// SPDX-License-Identifier: MIT

public import SluiceModel

/// How a run goes about the network: whom it may ask, by which way, and for how long.
public struct NetworkOptions: Sendable {
    /// How long a host's name may take to be looked up, and how long a connection may take to stand.
    public var connectTimeout = Duration.seconds(10)
    /// How long a reply's first byte may take, with the connection.
    public var firstByteTimeout = Duration.seconds(20)
    /// A transfer slower than so many bytes a second for 20 seconds is given up; 0 for none.
    public var leastSpeed = 1024
    /// What is spoken with hosts.
    public var http = HTTPVersion.auto
    /// Whether private, loopback and other special addresses may be connected to.
    public var allowsPrivate = false
    /// Special addresses that may be connected to all the same: `192.168.0.0/16`, `fd00::1`.
    public var allowedAddresses: [String] = []
    /// Ports that may be connected to beside 80 and 443.
    public var allowedPorts: [Int] = []
    /// The proxy to go through; `nil` for what the environment says, `none` for no proxy.
    public var proxy: String?
    /// Whether names and passwords are looked up in the user's `.netrc`.
    public var readsNetrc = false
    /// The file of the authorities whose certificates are trusted, in place of the system's.
    public var certificates: String?
    /// How many requests a second one host gets at most.
    public var rate: Double?
    /// How many bytes may arrive in a second, all transfers together; `nil` for as many as come.
    public var bandwidth: Int?
    /// Whether hosts' `robots.txt` are kept to; `nil` leaves it to the feed.
    public var keepsToRobots: Bool?
    /// Whether photos are left out that their host excludes from such collections, by `X-Robots-Tag`.
    public var honoursOptOut = true
    /// Name servers to ask in place of the system's; only with a libcurl that has c-ares.
    public var nameServers: [String] = []
    /// Hosts' addresses that nobody is asked for: `host:port:address`.
    public var resolved: [String] = []

    /// Makes the defaults.
    public init() {}
}
