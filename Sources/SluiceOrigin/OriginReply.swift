// SPDX-License-Identifier: MIT

/// A reply that an ``OriginService`` returns.
public struct OriginReply: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields; the server adds `Content-Length`, `Date` and `Connection`.
    public var headers: [OriginHeader]
    /// The body.
    public var body: [UInt8]
    /// The source of the body if it is read while it is sent; replaces ``body``.
    public var stream: (any OriginStream)?
    /// Whether the body is sent in chunks, without `Content-Length`.
    public var isChunked = false
    /// The delay before the reply, in addition to the server's latency; it occupies no thread.
    public var delay = Duration.zero
    /// The bandwidth limit in bytes per second; `nil` for ``OriginOptions/bandwidth``.
    public var bandwidth: Int?
    /// The gate that holds the reply back, if any; it occupies no thread.
    public var gate: OriginGate?

    /// Creates a reply.
    public init(status: Int = 200, headers: [OriginHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a reply with a body of the given content type.
    public init(status: Int = 200, type: String, _ body: [UInt8], headers: [OriginHeader] = []) {
        self.init(status: status, headers: [OriginHeader("Content-Type", type)] + headers, body: body)
    }

    /// The body's length in bytes, if it is known.
    var length: Int? { stream.map(\.length) ?? body.count }

    /// Creates a reply of JSON text.
    public static func json(_ text: String, status: Int = 200, headers: [OriginHeader] = []) -> OriginReply {
        OriginReply(status: status, type: "application/json", Array(text.utf8), headers: headers)
    }

    /// Creates a reply of plain text.
    public static func text(_ text: String, status: Int = 200, headers: [OriginHeader] = []) -> OriginReply {
        OriginReply(status: status, type: "text/plain; charset=utf-8", Array(text.utf8), headers: headers)
    }

    /// Returns the value of the first header field with this name, ignoring case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
