// SPDX-License-Identifier: MIT

internal import SluiceCookies
internal import SluiceModel

/// The parameters of one HTTP exchange, that is, of one hop of a ``Request``.
struct RequestSpec: Sendable {
    var address: WebAddress
    var headers: [String]
    var target: ResponseBody.Target
    /// The largest body in bytes, after decompression.
    var limit: Int
    var timeout: Duration
    var acceptsCompression: Bool
    /// Whether a body is decoded that is compressed although that was not requested.
    var decodesBody = false
    static let decodedEncodings: Set<String> = ["gzip", "x-gzip", "deflate"]
    var respectsOptOut: Bool
    var form: String?
    /// Secret parameters that are added to the address's query.
    private var parameters: [(name: String, value: String)] = []
    /// The method, if it is not the usual one for this body.
    var method: String?
    /// The body of a service request.
    var body: [UInt8]?
    var http = HTTPVersion.auto
    var credentials: (user: String, password: String)?
    /// The host's addresses; with `nil`, libcurl resolves the host.
    var addresses: [NetworkAddress]?
    /// Whether the request asks only for the rest of a partial file.
    var isRangeRequest = false
    /// Whether the server may answer 304 Not Modified.
    var isConditional = false

    /// Whether `.netrc` may supply the credentials.
    var readsNetrc = false
    /// Whether the heads of the exchange are recorded.
    var isRecorded = false
    /// Whether no idle connection may be used.
    var needsNewConnection = false

    /// Creates the parameters of one hop, with the secrets for the hop's origin: those of the request, of the address
    /// that was requested, and of the user.
    init(
        _ request: Request, at address: WebAddress, requested: WebAddress, into target: ResponseBody.Target,
        _ options: TransferOptions
    ) {
        self.address = address
        headers = address.hasOrigin(of: requested) ? request.headers : []
        self.target = target
        limit = request.limit
        timeout = request.timeout
        acceptsCompression = request.acceptsCompression
        respectsOptOut = request.respectsOptOut
        isRecorded = request.isRecorded
        if let method = request.method {
            (self.method, body) = (method, request.body)
            headers.append("Expect:")
        }
        open(request.secrets)
        open(requested.password)
        open(options.secrets)
        // Links to a feed's next page and photos do not repeat the password of the feed's address.
        for named in options.addressGuard.trustedOrigins { open(named.password) }
        if request.usesCookies, let jar = options.cookies, !jar.isEmpty,
            let cookies = jar.header(for: CookieRequest(address, of: request))
        {
            add(cookies: cookies)
        }
        if let cached = request.cachedVersion, let conditions = cached.headers(at: address) {
            headers += conditions
            isConditional = true
        }
        if let range = request.range {
            headers.append("Range: \(range)")
            isRangeRequest = true
        }
        if case .file(let sink) = target {
            let range = sink.headers(at: address)
            headers += range
            isRangeRequest = !range.isEmpty
        }
        // A record has the bytes as they were sent.
        decodesBody = !acceptsCompression && request.range == nil && (!isRecorded || options.recorder == nil)
    }

    private mutating func open(_ secrets: [Secret]) {
        for secret in secrets { open(secret) }
    }

    /// Adds a secret if it was given for the hop's origin; no secret gets into a request by another way.
    private mutating func open(_ secret: Secret?) {
        switch secret?.content(at: address) {
        case nil: break
        case .header(let line): headers.append(line)
        case .password(let user, let password): credentials = credentials ?? (user, password)
        case .parameter(let name, let value):
            parameters.append((name, value))
            // The recorded head would have it.
            isRecorded = false
        case .form(let text):
            form = text
            isRecorded = false
        }
    }

    /// Adds cookies to those of a header that the user gave.
    private mutating func add(cookies: String) {
        if let index = headers.firstIndex(where: { $0.lowercased().hasPrefix("cookie:") }) {
            headers[index] += "; \(cookies)"
        } else {
            headers.append("Cookie: \(cookies)")
        }
    }

    /// The address as it is sent, with the secret parameters; a redirect may repeat them.
    var url: String {
        parameters.reduce(address.text) { text, parameter in
            let kept = text.withoutQueryParameter(parameter.name)
            let mark = kept.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            return "\(kept)\(mark)\(parameter.name.percentEncoded())=\(parameter.value.percentEncoded())"
        }
    }

    init(_ request: ServiceRequest, at address: WebAddress, into target: ResponseBody.Target) {
        self.address = address
        // libcurl would wait for the server's consent before it sends a large body.
        headers = request.headers + (request.hasBody ? ["Expect:"] : [])
        self.target = target
        limit = request.limit
        timeout = request.timeout
        acceptsCompression = false
        respectsOptOut = false
        method = request.method
        body = request.hasBody ? request.body : nil
        isConditional = true
        isRangeRequest = request.headers.contains { $0.hasPrefix("range:") }
        if case .file(let sink) = target {
            let range = sink.headers(at: address)
            headers += range
            isRangeRequest = !range.isEmpty
        }
    }
}

extension String {
    /// Returns an address without the query parameters of a name.
    package func withoutQueryParameter(_ name: String) -> String {
        guard let mark = firstIndex(of: "?") else { return self }
        let name = name.percentEncoded()
        let kept = self[index(after: mark)...].split(separator: "&").filter {
            !$0.prefix { $0 != "=" }.utf8.elementsEqual(name.utf8)
        }
        return self[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
}
