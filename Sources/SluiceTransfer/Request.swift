// SPDX-License-Identifier: MIT

/// What to ask a host for.
public struct Request: Sendable, Hashable {
    /// The absolute address, `http` or `https`.
    public var url: String
    /// Headers for the address's own origin; a redirect that leaves it takes none of them along.
    public var headers: [String]
    /// The most bytes that the reply's body may have, after decompression.
    public var limit: Int
    /// How long one attempt may take in all, with its redirects.
    public var timeout: Duration
    /// Whether compressed replies are welcome: for pages, never for images.
    public var acceptsCompression: Bool
    /// A form to send: the request is a POST then, and no redirect takes it further.
    public var form: String?
    /// Whether the host's `robots.txt` is asked first, and what it excludes is left alone.
    public var keepsToRobots = false
    /// Whether a reply that is not to be collected, by its `X-Robots-Tag`, is left alone.
    public var honoursOptOut = false
    /// The version that is there already: the host need not send it again.
    public var known: KnownVersion?

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

/// A version of a file that an earlier reply brought, by the names that its host gave it.
public struct KnownVersion: Sendable, Hashable {
    /// The address that sent it.
    public var url: String
    /// Its `ETag`.
    public var etag: String?
    /// Its `Last-Modified`.
    public var lastModified: String?

    /// Describes a version; `nil` without a name to ask by.
    public init?(from url: String, etag: String?, lastModified: String?) {
        guard etag != nil || lastModified != nil else { return nil }
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The conditions for a host; `nil` for another than the one that gave the names, to which they mean nothing.
    func headers(at address: WebAddress) -> [String]? {
        guard let sender = WebAddress(url), sender.hasOrigin(of: address) else { return nil }
        let names = [etag.map { ("If-None-Match", $0) }, lastModified.map { ("If-Modified-Since", $0) }]
        // They were a stranger's words.
        let plain = names.compactMap { $0 }.filter { Validator.isPlain($0.1) }
        return plain.isEmpty ? nil : plain.map { "\($0.0): \($0.1)" }
    }
}
