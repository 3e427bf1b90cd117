// SPDX-License-Identifier: MIT

/// How transfers behave, whatever is asked for.
public struct TransferOptions: Sendable {
    /// What Sluice calls itself.
    public var userAgent: String
    /// The name in it that hosts' rules for robots may address.
    var product: String { String(userAgent.prefix { $0 != "/" && $0 != " " }) }
    /// How long a connection may take to stand.
    public var connectTimeout = Duration.seconds(10)
    /// A transfer slower than this many bytes a second...
    public var leastSpeed = 1024
    /// ...for this long is given up.
    public var leastSpeedTime = Duration.seconds(20)
    /// How many redirects are followed.
    public var redirects = 5
    /// What is tried again, and when.
    public var retry = RetryPolicy()
    /// Which places may be connected to.
    public var addressGuard = AddressGuard()
    /// Which proxy transfers go through.
    public var proxies = ProxyRules.direct
    /// Whether names and passwords are looked up in the user's `.netrc`.
    public var readsNetrc = false
    /// Names that are connected to a port of this machine whatever DNS says: the demo's stable addresses.
    public var loopback: [String: UInt16] = [:]

    /// Makes the defaults.
    public init(userAgent: String) {
        self.userAgent = userAgent
    }
}
