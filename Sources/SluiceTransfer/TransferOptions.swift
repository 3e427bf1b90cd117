// SPDX-License-Identifier: MIT

package import SluiceCookies
public import SluiceModel

/// Options for all transfers of a ``Loader`` or a ``MemoryLoader``.
public struct TransferOptions: Sendable {
    /// The `User-Agent` header.
    public var userAgent: String
    /// The product name in the user agent, which `robots.txt` rules may refer to.
    var product: String { String(userAgent.prefix { $0 != "/" && $0 != " " }) }
    /// The time allowed for resolving a host name, and for opening a connection.
    public var connectTimeout = Duration.seconds(10)
    /// The time allowed until a response's first byte, including the connection.
    public var firstByteTimeout = Duration.seconds(20)
    /// After the first byte, a transfer slower than this many bytes per second...
    public var minimumSpeed = 1024
    /// ...for this long fails.
    public var minimumSpeedTime = Duration.seconds(20)
    /// The time after which an idle connection is closed, because the server has probably closed it.
    public var idleTime = Duration.seconds(118)
    /// The number of transfers at a time, which share ``bufferMemory``.
    public var connections = 64
    /// The most connections that are kept open, including those in use; never fewer than ``connections``.
    ///
    /// A run with more hosts than this connects again to hosts that it has used before.
    public var keptConnections = 256
    /// libcurl's receive buffer per connection, in bytes: the memory divided by the connections, within 4 and 64 KiB.
    ///
    /// Smaller buffers need more system calls and more passes of the loop.
    var chunkSize: Int { min(max(bufferMemory / max(1, connections), 4 << 10), 64 << 10) }
    /// The memory for all receive buffers in bytes; each connection gets at least 4 KiB.
    public var bufferMemory = 32 << 20
    /// The HTTP version.
    public var http = HTTPVersion.auto
    /// The trusted CA certificates.
    public var certificates = TrustedCertificates.system
    /// Name servers to use instead of the system's; not every build of libcurl can do that.
    public var nameServers: [String] = []
    /// Fixed addresses of hosts, by `host:port`; the address guard checks them, too.
    public var resolved: [String: [NetworkAddress]] = [:]
    /// The most bytes per second for all transfers together; `nil` for no limit.
    public var bandwidth: Int?
    /// The most bytes of downloads to receive, including the bodies of failures; `nil` for no limit.
    ///
    /// Downloads that need more are cancelled. See ``Transfers/onTransferLimit(_:)``.
    package var transferLimit: Int?
    /// The number of redirects that are followed.
    public var redirects = 5
    /// Which failures are retried, and when.
    public var retry = RetryPolicy()
    /// Which addresses may be connected to.
    public var addressGuard = AddressGuard()
    /// Which proxy is used.
    public var proxies = ProxyRules.direct
    /// Whether credentials are read from the user's `.netrc`; see `NetrcOrigins`.
    public var readsNetrc = false
    /// A file to read instead of `.netrc`.
    var netrcFile: String?
    /// Host names that connect to a port of this machine instead of using DNS, for the demo service's stable URLs.
    package var loopbackPorts: [String: UInt16] = [:]

    /// The run's cookies; `nil` to send and keep none.
    package var cookies: CookieJar?

    /// Records the exchanges of requests that ask for it; `nil` for none.
    package var recorder: (any ExchangeRecording)?

    /// Shares the files with origins' rules with other processes; `nil` if this process requests them all.
    package var originFiles: (any OriginFileSharing)?

    /// The user's secrets, each of which all requests to its own origin carry.
    package var secrets: [Secret] = []

    /// Creates the default options.
    public init(userAgent: String) {
        self.userAgent = userAgent
    }
}
