// SPDX-License-Identifier: MIT

public import SluiceModel

/// How transfers behave, whatever is asked for.
public struct TransferOptions: Sendable {
    /// What Sluice calls itself.
    public var userAgent: String
    /// The name in it that hosts' rules for robots may address.
    var product: String { String(userAgent.prefix { $0 != "/" && $0 != " " }) }
    /// How long a host's name may take to be looked up, and how long a connection may take to stand.
    public var connectTimeout = Duration.seconds(10)
    /// How long a reply's first byte may take, with the connection.
    public var firstByteTimeout = Duration.seconds(20)
    /// From then on a transfer slower than this many bytes a second...
    public var leastSpeed = 1024
    /// ...for this long is given up.
    public var leastSpeedTime = Duration.seconds(20)
    /// How many connections stay open for whoever comes next.
    public var connections = 64
    /// How many bytes are taken from a connection at a time: the fewer, the more there may be, so that all together have
    /// their bound; what is small costs a call of the system's, and a round of the loop, for each.
    var chunk: Int { min(max(buffers / max(1, connections), 16 << 10), 64 << 10) }
    /// What the connections' buffers may take together, as far as that leaves each some kilobytes.
    public var buffers = 32 << 20
    /// What is spoken with hosts.
    public var http = HTTPVersion.auto
    /// The file of the authorities whose certificates are trusted, in place of the system's.
    public var certificates: String?
    /// Name servers to ask in place of the system's; only where ``Transfers/canChooseNameServers``.
    public var nameServers: [String] = []
    /// The addresses of hosts that nobody is asked for, by `host:port`; the guard looks at them all the same.
    public var resolved: [String: [NetworkAddress]] = [:]
    /// How many bytes of replies may arrive in a second, all transfers together; `nil` for as many as come.
    public var bandwidth: Int?
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

    /// The name and the password that the user gave an address's origin by naming one there: a feed's next page and its
    /// photos have none in their links.
    func credentials(for address: WebAddress) -> WebAddress.Credentials? {
        addressGuard.homes.first { $0.hasOrigin(of: address) }?.credentials
    }
}
