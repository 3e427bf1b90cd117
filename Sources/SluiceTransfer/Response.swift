// SPDX-License-Identifier: MIT

package import SluiceModel

/// A complete, successful response after all redirects.
public struct Response: Sendable, Hashable {
    /// The HTTP status, 200 even if the file was resumed in parts; `nil` for a local file.
    public var status: Int?
    /// The address that sent the response, after all redirects.
    public var url: String
    /// The response's headers.
    public var headers: HeaderFields
    /// The body, unless it was written to a file.
    public var body: [UInt8]
    /// The size of the received body, including bytes of an earlier run.
    public var bytes: Int
    /// The SHA-256 of the received body, 64 hexadecimal digits; not that of the file if a part sufficed.
    public var sha256: String
    /// How the download ended, if a part of the file sufficed; the file then holds that part only.
    package var stopped: StoppedDownload?
    /// Whether the server sent bytes after the end of the response, which were discarded with the connection.
    package var hasSurplus = false
    /// The part of the file that the body is, if the server states it.
    var part: ContentRange?
    /// Whether the server sent a part of the file.
    var isPart = false
    /// The digest that the host states, as `header: algorithm=digits`, if the whole file has it.
    package var hostDigest: String?
    /// The host's statements about the use of the body.
    package var usage = UsageTerms([])
    /// How long the transfer took; `nil` for a local file and for a copy of another caller's download.
    public var times: TransferTimes?

    /// Converts a response that is not a redirect, or throws the failure that its status means; the body is in
    /// `target`.
    init(
        _ response: RawResponse, from address: WebAddress, isRedirected: Bool, in target: ResponseBody.Target,
        _ redaction: Redaction
    ) throws(Failure) {
        let finalURL = isRedirected ? address.text : nil
        if let cause = Cause(status: response.status) {
            var failure = Failure(cause, response.errorText(redaction), status: response.status, finalURL: finalURL)
            let limit = RateLimit(response.headers)
            // Some services send 403 instead of 429.
            if response.status == 403, limit.isUsedUp { failure.cause = .httpTooManyRequests }
            failure.retryAfter = parseRetryAfter(response.headers["retry-after"]) ?? limit.reset
            throw failure
        }
        guard response.isSuccess else {
            throw Failure(.unexpectedStatus, "\(response.status)", status: response.status, finalURL: finalURL)
        }
        guard response.bytes > 0 || response.status == 304 else {
            throw Failure(.emptyBody, "", status: response.status, finalURL: finalURL)
        }
        self.init(
            status: response.status == 206 ? 200 : response.status, url: address.text, headers: response.headers,
            body: response.body, bytes: response.bytes, sha256: target.sha256(of: response))
        stopped = target.stopped
        isPart = response.status == 206
        let ranges = response.headers.all("content-range")
        part = isPart && ranges.count == 1 ? ContentRange(ranges.first) : nil
        hasSurplus = response.hasSurplus
    }

    /// The response for a version that has not changed.
    package init(unchangedAt url: String) {
        self.init(status: 304, url: url, headers: HeaderFields(), body: [], bytes: 0, sha256: "")
    }

    package init(status: Int?, url: String, headers: HeaderFields, body: [UInt8], bytes: Int, sha256: String) {
        (self.status, self.url, self.headers, self.body) = (status, url, headers, body)
        (self.bytes, self.sha256) = (bytes, sha256)
    }
}

/// The durations of a transfer's phases, summed over its redirects.
public struct TransferTimes: Sendable, Hashable {
    /// When the transfer began.
    public var begin: ContinuousClock.Instant
    /// Resolving host names.
    public var dns = Duration.zero
    /// Opening connections; zero for a reused connection.
    public var connect = Duration.zero
    /// TLS handshakes.
    public var tls = Duration.zero
    /// Waiting for the first bytes of the responses.
    public var firstByte = Duration.zero
    /// Receiving the bodies.
    public var body = Duration.zero

    init(begin: ContinuousClock.Instant) { self.begin = begin }

    /// Adds the durations of the next hop.
    mutating func add(_ next: TransferTimes) {
        dns += next.dns
        connect += next.connect
        tls += next.tls
        firstByte += next.firstByte
        body += next.body
    }
}

extension ItemTimings {
    /// Records the durations of the transfer that downloaded the photo.
    package mutating func note(_ times: TransferTimes) {
        requestedAt = times.begin
        self[.dns] = times.dns
        self[.connect] = times.connect
        self[.tls] = times.tls
        self[.firstByte] = times.firstByte
        self[.body] = times.body
    }
}
