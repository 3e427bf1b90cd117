// SPDX-License-Identifier: MIT

public import SluiceModel

/// Options for connections: allowed addresses, proxies, timeouts and rate limits.
public struct NetworkOptions: Sendable {
    /// The maximum time for a DNS lookup, and for establishing a connection.
    public var connectTimeout = Duration.seconds(10)
    /// The maximum time until the first byte of a response, including the connection.
    public var firstByteTimeout = Duration.seconds(20)
    /// The minimum speed in bytes per second.
    ///
    /// A transfer that stays below it for 20 seconds is aborted; 0 for no limit.
    public var minimumSpeed = 1024
    /// The HTTP version to use.
    public var http = HTTPVersion.auto
    /// Whether to allow connections to private, loopback and other special addresses.
    public var allowsPrivate = false
    /// Special addresses to allow anyway, for example `192.168.0.0/16` or `fd00::1`.
    public var allowedAddresses: [String] = []
    /// Allowed ports in addition to 80 and 443.
    public var allowedPorts: [Int] = []
    /// The proxy; `env` to use the environment variables, `nil` and `none` for no proxy.
    ///
    /// The address guard cannot check which addresses a proxy connects to, so that only the user may choose one.
    public var proxy: String?
    /// The value of ``proxy`` that stands for the environment variables.
    static let environmentProxy = "env"
    /// Whether to read user names and passwords from the user's `.netrc`.
    public var readsNetrc = false
    /// A file of trusted certificate authorities, used instead of the system's.
    public var certificates: String?
    /// The maximum number of requests per second and host.
    public var rate: Double?
    /// The maximum number of bytes per second for all transfers together; `nil` for no limit.
    public var bandwidth: Int?
    /// Whether to obey hosts' `robots.txt`; `nil` for the feed's default.
    public var respectsRobotsTxt: Bool?
    /// Whether to skip photos whose host forbids it with `X-Robots-Tag`.
    public var respectsOptOut = true
    /// DNS servers to use instead of the system's.
    ///
    /// This requires a libcurl with c-ares.
    public var nameServers: [String] = []
    /// Addresses to use without a DNS lookup, as `host:port:address`.
    public var resolved: [String] = []

    /// Makes the default options.
    public init() {}
}
