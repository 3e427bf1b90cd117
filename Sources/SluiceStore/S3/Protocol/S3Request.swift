// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A request to a bucket, before it is addressed and signed.
struct S3Request: Sendable {
    var method: String
    /// The object's key; `nil` for a request to the bucket.
    var key: String?
    var query: [(name: String, value: String)] = []
    /// The headers with names in lower case.
    var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    /// The SHA-256 of the body, the same for all attempts.
    private(set) var payloadHash = S3Request.emptyHash
    /// The largest body of a successful response.
    var limit = 1 << 20

    /// The SHA-256 of an empty body.
    static let emptyHash = SHA256.digest(of: [])

    init(_ method: String, key: String? = nil, query: [(name: String, value: String)] = []) {
        (self.method, self.key, self.query) = (method, key, query)
    }

    /// Sets the body; pass its SHA-256 if it is known, so that it is not computed again.
    mutating func setBody(_ bytes: [UInt8], sha256: String? = nil) {
        body = bytes
        payloadHash = sha256 ?? SHA256.digest(of: bytes)
    }
}

/// Addresses and signs the requests to one bucket.
struct S3Endpoint: Sendable {
    let bucket: String
    let region: String
    /// The components of the path before the key.
    private let folder: [String]
    private let keys = SigningKeyCache()

    /// The address that the requests go to.
    let origin: WebAddress

    /// Throws if the endpoint is not an address.
    init(bucket: String, region: String, endpoint: String?, addressing: S3Options.Addressing) throws(S3Error) {
        let text = endpoint ?? "https://s3.\(region).amazonaws.com"
        guard let base = WebAddress(text), ["http", "https"].contains(base.scheme) else {
            throw .invalid("the endpoint '\(text)' is not a web address")
        }
        self.bucket = bucket
        self.region = region
        // The certificate of AWS covers only one label below its host.
        let isInHost = addressing == .host || addressing == .auto && endpoint == nil && !bucket.contains(".")
        let host = isInHost ? "\(base.scheme)://\(bucket).\(base.authority)/" : base.text
        guard let origin = WebAddress(host) else {
            throw .invalid("the endpoint '\(text)' cannot be used with the bucket")
        }
        self.origin = origin
        folder = base.pathComponents + (isInHost ? [] : [bucket])
    }

    /// The request with a signature; without credentials, it has none.
    func signed(_ request: S3Request, by credentials: S3Credentials?, at time: SigningTime, timeout: Duration)
        -> ServiceRequest
    {
        let path = "/" + folder.joined(separator: "/") + (request.key.map { (folder.isEmpty ? "" : "/") + $0 } ?? "")
        let encodedPath = path.percentEncoded(keeping: "/")
        let query = RequestSigner.canonicalQuery(request.query)
        let headers = headers(of: request, path: encodedPath, signedBy: credentials, at: time)
        return ServiceRequest(
            request.method,
            "\(origin.scheme)://\(origin.authority)\(encodedPath)" + (query.isEmpty ? "" : "?\(query)"),
            headers: headers.map { "\($0.name): \($0.value)" }, body: request.body,
            // The response to HEAD announces the object's size, but has no body.
            limit: request.method == "HEAD" ? .max : request.limit, timeout: timeout)
    }

    private func headers(
        of request: S3Request, path: String, signedBy credentials: S3Credentials?, at time: SigningTime
    ) -> [(name: String, value: String)] {
        guard let credentials else { return request.headers }
        let isStandardPort = origin.port == (origin.scheme == "https" ? 443 : 80)
        let parts = RequestSigner.Parts(
            method: request.method, host: isStandardPort ? origin.host : origin.authority, path: path,
            query: request.query, headers: request.headers,
            payloadHash: request.payloadHash)
        return RequestSigner(credentials: credentials, region: region, keys: keys).headers(for: parts, at: time)
    }
}
