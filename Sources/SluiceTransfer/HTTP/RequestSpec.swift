// SPDX-License-Identifier: MIT

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
    var respectsOptOut: Bool
    var form: String?
    /// The method, if it is not the usual one for this body.
    var method: String?
    /// The body of a service request.
    var body: [UInt8]?
    var http = HTTPVersion.auto
    var credentials: WebAddress.Credentials?
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

    /// Creates the parameters of one hop; headers and credentials are sent only to the origin that they were given for.
    init(_ request: Request, at address: WebAddress, origin: WebAddress, into target: ResponseBody.Target) {
        self.address = address
        let isSameOrigin = address.hasOrigin(of: origin)
        headers = isSameOrigin ? request.headers : []
        credentials = isSameOrigin ? origin.credentials : nil
        self.target = target
        limit = request.limit
        timeout = request.timeout
        acceptsCompression = request.acceptsCompression
        form = request.form
        respectsOptOut = request.respectsOptOut
        isRecorded = request.isRecorded
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
    }

    /// Creates the parameters of a request to a service.
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
