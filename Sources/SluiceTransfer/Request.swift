// SPDX-License-Identifier: MIT

package import SluiceModel

/// A request for one URL.
public struct Request: Sendable, Hashable {
    /// The absolute address, `http` or `https`.
    public var url: String
    /// Headers for the address's own origin; redirects to other origins do not receive them.
    ///
    /// Secrets that were given for a known origin are in ``secrets``, because the address may come from someone else.
    public var headers: [String]
    /// Secrets, each of which only requests to its own origin carry.
    package var secrets: [Secret] = []
    /// The largest body in bytes, after decompression.
    public var limit: Int
    /// The time allowed for one attempt, including its redirects.
    public var timeout: Duration
    /// Whether the server may compress the response; set it for pages, never for images.
    public var acceptsCompression: Bool
    /// Whether the host's `robots.txt` is checked first.
    public var respectsRobotsTxt = false
    /// Whether a response whose `X-Robots-Tag` forbids collecting fails as opted out.
    public var respectsOptOut = false
    /// Whether an attempt that took too long is repeated.
    public var retriesTimeouts = true
    /// Whether the caller can do without the response: a failure is not repeated, and does not count against the host.
    package var isOptional = false
    /// The method, if it is not GET, or a POST of a form.
    package var method: String?
    /// The body of a request with a method; such a request follows no redirects.
    package var body: [UInt8] = []
    /// The version that the caller has already; the server need not send it again.
    public var cachedVersion: CachedVersion?
    /// The part of the file to request, as in a `Range` header.
    var range: String?
    /// The host of the page or feed that named a photo's address, which decides about cookies; `nil` if none did.
    package var page: String?
    /// The page that shows a photo, for hosts that refuse the photo otherwise; the bytes are the same.
    package var referrer: String?
    /// Whether the request carries the run's cookies.
    var usesCookies = true
    /// Whether the exchange may be recorded, because neither request nor response has secrets of the caller.
    package var isRecorded = false
    /// Whether a part of the file may suffice; callers that need the whole file do not share such a download.
    var acceptsPart = false

    /// Creates a request.
    public init(
        _ url: String, headers: [String] = [], limit: Int = 64 << 20, timeout: Duration = .seconds(300),
        acceptsCompression: Bool = false
    ) {
        (self.url, self.headers, self.limit) = (url, headers, limit)
        (self.timeout, self.acceptsCompression) = (timeout, acceptsCompression)
    }

    /// Whether both requests ask for the same bytes: of two equivalent forms of one text, a server has two files.
    public static func == (left: Request, right: Request) -> Bool {
        left.url === right.url && left.headers.elementsEqual(right.headers, by: ===) && left.limit == right.limit
            && left.timeout == right.timeout && left.acceptsCompression == right.acceptsCompression
            && left.secrets == right.secrets && left.respectsRobotsTxt == right.respectsRobotsTxt
            && left.respectsOptOut == right.respectsOptOut && left.cachedVersion == right.cachedVersion
            && left.acceptsPart == right.acceptsPart && left.isRecorded == right.isRecorded
            && left.retriesTimeouts == right.retriesTimeouts && left.isOptional == right.isOptional
            && left.range == right.range && left.page === right.page && left.usesCookies == right.usesCookies
            && left.method == right.method && left.body == right.body
    }

    /// Hashes the address.
    public func hash(into hasher: inout Hasher) { ExactText(url).hash(into: &hasher) }

    /// Whether the request is a POST, of a form or with another body.
    var hasBody: Bool { method != nil || secrets.contains(where: \.isForm) }
}

extension Request {
    /// Creates a request for a rendition, with the secrets of its address's origin.
    package init(for variant: Variant, limit: Int, timeout: Duration) {
        self.init(variant.address, limit: limit, timeout: timeout)
        guard !variant.headers.isEmpty, let address = WebAddress(variant.url) else { return }
        secrets = variant.headers.map { Secret(header: $0, for: address) }
    }
}

/// The version of a file from an earlier response, for a conditional request.
public struct CachedVersion: Sendable, Hashable {
    /// The address that sent it.
    public var url: String
    /// Its `ETag`.
    public var etag: String?
    /// Its `Last-Modified`.
    public var lastModified: String?

    /// Describes a version; `nil` if both headers are missing.
    public init?(from url: String, etag: String?, lastModified: String?) {
        guard etag != nil || lastModified != nil else { return nil }
        (self.url, self.etag, self.lastModified) = (url, etag, lastModified)
    }

    /// Whether both versions have the same bytes in each part.
    public static func == (left: CachedVersion, right: CachedVersion) -> Bool {
        left.url === right.url && left.etag === right.etag && left.lastModified === right.lastModified
    }

    /// Hashes the address.
    public func hash(into hasher: inout Hasher) { ExactText(url).hash(into: &hasher) }

    /// The conditional headers for `address`; `nil` for another file, where the values have no meaning.
    func headers(at address: WebAddress) -> [String]? {
        guard let sender = WebAddress(url), sender.hasResource(of: address) else { return nil }
        let fields = [etag.map { ("If-None-Match", $0) }, lastModified.map { ("If-Modified-Since", $0) }]
        // The values come from a server.
        let safe = fields.compactMap { $0 }.filter { CacheValidator.isPlain($0.1) }
        return safe.isEmpty ? nil : safe.map { "\($0.0): \($0.1)" }
    }
}
