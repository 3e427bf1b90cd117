// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A whole reply with a good status: what was asked for, and nothing less.
public struct Response: Sendable, Hashable {
    /// The HTTP status; 200 also where the whole came in parts, and `nil` of a ``LocalFile``.
    public var status: Int?
    /// The address that answered, behind all redirects.
    public var url: String
    /// The reply's headers.
    public var headers: HeaderFields
    /// The body, unless it went into a file.
    public var body: [UInt8]
    /// How many bytes the whole body has, with those that an earlier run left.
    public var bytes: Int
    /// The body's SHA-256, 64 hexadecimal digits.
    public var sha256: String
    /// How long it took; `nil` of what did not come over the network, or came for another.
    public var times: TransferTimes?

    /// Judges a reply that is no redirect: good and not empty, or the failure that its status stands for; its body went to
    /// `target`.
    init(
        _ reply: Exchange.Reply, from address: WebAddress, isElsewhere: Bool, in target: Body.Target
    ) throws(Failure) {
        let finalURL = isElsewhere ? address.text : nil
        if let cause = Cause(status: reply.status) {
            var failure = Failure(cause, reply.words, status: reply.status, finalURL: finalURL)
            let limit = RateLimit(reply.headers)
            // Some services say 403 where they mean 429.
            if reply.status == 403, limit.isUsedUp { failure.cause = .httpTooManyRequests }
            failure.retryAfter = retryAfter(reply.headers["retry-after"]) ?? limit.reset
            throw failure
        }
        guard reply.isGood else {
            throw Failure(.unexpectedStatus, "\(reply.status)", status: reply.status, finalURL: finalURL)
        }
        guard reply.bytes > 0 || reply.status == 304 else {
            throw Failure(.emptyBody, "", status: reply.status, finalURL: finalURL)
        }
        self.init(
            status: reply.status == 206 ? 200 : reply.status, url: address.text, headers: reply.headers,
            body: reply.body, bytes: reply.bytes, sha256: target.sha256(of: reply))
    }

    init(status: Int?, url: String, headers: HeaderFields, body: [UInt8], bytes: Int, sha256: String) {
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
        self.bytes = bytes
        self.sha256 = sha256
    }
}
