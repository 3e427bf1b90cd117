// SPDX-License-Identifier: MIT

internal import SluiceFiles
public import SluiceModel
internal import SluiceTransfer

// Validation of the network options.

extension TransferOptions {
    init(_ options: MirrorOptions, agent: String, width: Int) throws(MirrorError) {
        guard Transfers.canGuardConnections else {
            throw MirrorError(
                .local, "cannot check connections: this libcurl refuses to limit protocols, addresses or names")
        }
        guard Transfers.hasTLS else { throw MirrorError(.local, "cannot use https: this libcurl has no TLS") }
        self.init(userAgent: agent)
        let network = options.network
        guard network.http != .http2 || Transfers.hasHTTP2 else {
            throw MirrorError(.usage, "cannot use HTTP/2: this libcurl was built without it")
        }
        retry.retries = options.retries
        connections = width
        bufferMemory = MemoryBudget(options.memory).transfers
        keptConnections = min(MemoryBudget(options.memory).connections, DescriptorLimit.idleConnections(besides: width))
        connectTimeout = network.connectTimeout
        firstByteTimeout = network.firstByteTimeout
        minimumSpeed = network.minimumSpeed
        bandwidth = network.bandwidth
        transferLimit = options.limits.transfer
        http = network.http
        readsNetrc = network.readsNetrc
        try setAddressGuard(network)
        addressGuard.publicNames = options.publicNames
        proxies = try Self.proxies(network.proxy)
        try setNameResolution(network)
        certificates = TrustedCertificates(file: network.certificates)
        if certificates.isChosen { try Self.check(certificates) }
    }

    private mutating func setAddressGuard(_ network: NetworkOptions) throws(MirrorError) {
        addressGuard.allowsPrivate = network.allowsPrivate
        addressGuard.ports.formUnion(network.allowedPorts)
        for text in network.allowedAddresses {
            guard let range = NetworkRange(text) else {
                throw MirrorError(
                    .usage, "cannot allow address '\(text)': expected an address or a range, e.g. 10.0.0.0/8")
            }
            addressGuard.allowed.append(range)
        }
    }

    private static func proxies(_ text: String?) throws(MirrorError) -> ProxyRules {
        guard let text, text != "none" else { return .direct }
        if text == NetworkOptions.environmentProxy { return .environment }
        let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        guard let address = WebAddress(text), schemes.contains(address.scheme), !address.host.isEmpty else {
            throw MirrorError(
                .usage,
                "cannot use the proxy: expected 'none', 'env' or a URL, e.g. http://proxy:3128 or socks5h://127.0.0.1:1080"
            )
        }
        return ProxyRules(through: text)
    }

    private mutating func setNameResolution(_ network: NetworkOptions) throws(MirrorError) {
        guard network.nameServers.isEmpty || Transfers.canChooseNameServers else {
            throw MirrorError(
                .usage,
                "cannot use other DNS servers: this libcurl has no c-ares and supports only the system's DNS servers")
        }
        nameServers = network.nameServers
        for text in network.resolved {
            let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
            guard parts.count == 3, let port = Int(parts[1]), (1...65535).contains(port),
                let address = NetworkAddress(parts[2])
            else {
                throw MirrorError(
                    .usage, "cannot resolve '\(text)': expected HOST:PORT:ADDRESS, e.g. a.example:443:10.0.0.1")
            }
            resolved["\(parts[0].lowercased()):\(port)", default: []].append(address)
        }
    }

    private static func check(_ certificates: TrustedCertificates) throws(MirrorError) {
        guard let path = certificates.file else { return }
        do throws(FileError) {
            _ = try OpenFile.reading(path, followsLink: true)
        } catch {
            let origin = certificates.variable.map { " of \($0)" } ?? ""
            throw MirrorError(.usage, "cannot read certificate file '\(path)'\(origin): \(error.reason)")
        }
    }
}

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
