// SPDX-License-Identifier: MIT

/// Something that goes wrong with a reply.
public enum OriginFault: Sendable, Hashable {
    /// Another status, with a small JSON body as services send it.
    case status(Int, headers: [OriginHeader] = [])
    /// A redirect to another address.
    case redirect(to: String, status: Int = 302)
    /// Not a byte, for as long as the client waits.
    case hang
    /// The head and so many bytes of the body, then silence.
    case stall(afterBytes: Int)
    /// The body in drops.
    case drip(bytes: Int, every: Duration)
    /// The connection ends after so many bytes of a body that was announced whole.
    case cut(afterBytes: Int)
    /// The connection ends without a reply.
    case close
    /// A web page with status 200, as captive portals send it.
    case html
    /// The reply's head, and a body of no bytes.
    case empty
    /// The right body under a wrong `Content-Type`.
    case contentType(String)
    /// A body that goes on for ever, in chunks.
    case endless
    /// The right reply, later.
    case late(Duration)

    /// The reply with the fault, as far as the fault is in what is sent and not in how.
    func applied(to reply: OriginReply) -> OriginReply {
        switch self {
        case .status(let status, let headers):
            return .json(#"{"errors":["status \#(status), as the fault rule says"]}"#, status: status, headers: headers)
        case .redirect(let address, let status):
            return OriginReply(status: status, headers: [OriginHeader("Location", address)])
        case .html:
            let page = "<!doctype html>\n<title>Welcome</title>\n<p>Please sign in to use this network.</p>\n"
            return OriginReply(type: "text/html; charset=utf-8", Array(page.utf8))
        case .empty:
            var reply = reply
            reply.body = []
            return reply
        case .contentType(let type):
            var reply = reply
            reply.headers.removeAll { $0.name.lowercased() == "content-type" }
            reply.headers.append(OriginHeader("Content-Type", type))
            return reply
        case .hang, .stall, .drip, .cut, .close, .endless, .late:
            return reply
        }
    }

    /// Whether the service is asked for the reply at all.
    var needsReply: Bool {
        switch self {
        case .status, .redirect, .hang, .close, .html: false
        default: true
        }
    }
}
