// SPDX-License-Identifier: MIT

/// A reply to send.
public struct OriginReply: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields; `Content-Length`, `Date` and `Connection` are the server's own.
    public var headers: [OriginHeader]
    /// The body.
    public var body: [UInt8]
    /// Read while it goes out, in the body's place.
    public var stream: (any OriginStream)?
    /// Whether the body goes out in chunks, with no length before it.
    public var isChunked = false
    /// How long the reply waits, on top of the origin's latency; no thread waits with it.
    public var delay = Duration.zero
    /// The most bytes of the body in a second; `nil` for as many as the origin's connections carry.
    public var bandwidth: Int?
    /// What the reply waits for, if anything; no thread waits with it.
    public var gate: OriginGate?

    /// Makes a reply.
    public init(status: Int = 200, headers: [OriginHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A reply with a body of that type.
    public init(status: Int = 200, type: String, _ body: [UInt8], headers: [OriginHeader] = []) {
        self.init(status: status, headers: [OriginHeader("Content-Type", type)] + headers, body: body)
    }

    /// How long the body is, as far as that is known.
    var length: Int? { stream.map(\.length) ?? body.count }

    /// A reply of JSON text.
    public static func json(_ text: String, status: Int = 200, headers: [OriginHeader] = []) -> OriginReply {
        OriginReply(status: status, type: "application/json", Array(text.utf8), headers: headers)
    }

    /// A reply of plain text.
    public static func text(_ text: String, status: Int = 200, headers: [OriginHeader] = []) -> OriginReply {
        OriginReply(status: status, type: "text/plain; charset=utf-8", Array(text.utf8), headers: headers)
    }

    /// The value of the first header field of that name, whatever its case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
