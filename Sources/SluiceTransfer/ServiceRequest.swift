// SPDX-License-Identifier: MIT

/// One request to a service that the user named, without redirects, retries and limits per host.
///
/// It is for protocols that have rules of their own, such as that of object stores. The address guard applies.
package struct ServiceRequest: Sendable {
    /// The HTTP method, for example `PUT`.
    package var method: String
    /// The absolute address, `http` or `https`.
    package var url: String
    package var headers: [String]
    /// The body; only sent with `PUT` and `POST`.
    package var body: [UInt8]
    /// The largest body of a successful response in bytes; bodies of other responses end after 64 KiB.
    package var limit: Int
    /// The time allowed for the request and its response.
    package var timeout: Duration

    package init(
        _ method: String, _ url: String, headers: [String] = [], body: [UInt8] = [], limit: Int = 64 << 20,
        timeout: Duration = .seconds(300)
    ) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        (self.limit, self.timeout) = (limit, timeout)
    }

    /// Whether the request has a body, which may be empty.
    var hasBody: Bool { method == "PUT" || method == "POST" }
}

/// A complete response with any status.
package struct ServiceResponse: Sendable {
    package var status: Int
    package var headers: HeaderFields
    /// The body, unless it was written to a file.
    package var body: [UInt8]
    /// The SHA-256 of the file's bytes, if the body was written to a file.
    package var sha256: String?
    /// The number of bytes of the body or the file.
    package var bytes: Int
    /// The reason why an ``EarlyCheck`` rejected the file, which then has been removed.
    package var rejection: RejectedDownload?
}
