// SPDX-License-Identifier: MIT

/// A fault that the server injects into a reply.
public enum OriginFault: Sendable, Hashable {
    /// Replies with another status and a small JSON body.
    case status(Int, headers: [OriginHeader] = [])
    /// Redirects to another address.
    case redirect(to: String, status: Int = 302)
    /// Sends nothing and keeps the connection open.
    case hang
    /// Sends the head and this many bytes of the body, then nothing more.
    case stall(afterBytes: Int)
    /// Sends the body slowly, a few bytes per interval.
    case drip(bytes: Int, every: Duration)
    /// Announces the full length but closes the connection after this many bytes of the body.
    case cut(afterBytes: Int)
    /// Closes the connection without a reply.
    case close
    /// Replies with a web page and status 200, as captive portals do.
    case html
    /// Sends the head with an empty body.
    case empty
    /// Sends the correct body with this `Content-Type`.
    case contentType(String)
    /// Sends an endless chunked body.
    case endless
    /// Delays the correct reply.
    case late(Duration)

    /// Returns the reply with the fault applied to its status, headers or body.
    ///
    /// Faults that concern only timing or the connection leave the reply unchanged.
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

    /// Whether the fault uses the service's reply.
    var needsReply: Bool {
        switch self {
        case .status, .redirect, .hang, .close, .html: false
        default: true
        }
    }
}
