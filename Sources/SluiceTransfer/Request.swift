// SPDX-License-Identifier: MIT

/// What to ask a host for.
public struct Request: Sendable, Hashable {
    /// The absolute address, `http` or `https`.
    public var url: String
    /// Headers for the address's own origin; a redirect that leaves it takes none of them along.
    public var headers: [String]
    /// The most bytes that the reply's body may have, after decompression.
    public var limit: Int
    /// How long it may take in all, redirects and retries apart.
    public var timeout: Duration
    /// Whether compressed replies are welcome: for pages, never for images.
    public var acceptsCompression: Bool
    /// Whether the host's `robots.txt` is asked first, and what it excludes is left alone.
    public var keepsToRobots = false
    /// Whether a reply that is not to be collected, by its `X-Robots-Tag`, is left alone.
    public var honoursOptOut = false

    /// Makes a request.
    public init(
        _ url: String, headers: [String] = [], limit: Int = 64 << 20, timeout: Duration = .seconds(300),
        acceptsCompression: Bool = false
    ) {
        self.url = url
        self.headers = headers
        self.limit = limit
        self.timeout = timeout
        self.acceptsCompression = acceptsCompression
    }
}
