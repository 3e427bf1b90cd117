// SPDX-License-Identifier: MIT

internal import SluiceCookies
internal import SluiceModel
internal import SluiceTransfer

/// A request of a page that waits in the browser for its reply.
struct PausedRequest: Sendable {
    /// The headers that the run's transfers set themselves, or that are no other server's business.
    private static let ownHeaders: Set<String> = [
        "cookie", "host", "user-agent", "accept-encoding", "content-length", "connection", "upgrade-insecure-requests",
        "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "sec-purpose", "range", "if-none-match",
        "if-modified-since", "cache-control", "pragma",
    ]

    let id: String
    let session: String?
    let frame: String?
    /// The kind of resource, for example `Document`, `Script` or `XHR`.
    let type: String
    let method: String
    let address: WebAddress
    let body: [UInt8]?
    private let headers: [(name: String, value: String)]

    /// Reads an event of the domain `Fetch`; `nil` for an address that has no server.
    init?(_ event: DevTools.Event) {
        let parameters = event.parameters
        guard let id = parameters["requestId"]?.text, let request = parameters["request"],
            let text = request["url"]?.text, let address = WebAddress(text)
        else { return nil }
        (self.id, session, frame) = (id, event.session, parameters["frameId"]?.text)
        (type, method) = (parameters["resourceType"]?.text ?? "", request["method"]?.text ?? "")
        self.address = address
        body = request["postData"]?.text.map { Array($0.utf8) }
        if case .object(let members)? = request["headers"] {
            headers = members.map { ($0.name, $0.value.text ?? "") }
        } else {
            headers = []
        }
    }

    /// Whether a script sent it.
    var isOfScript: Bool { type == "XHR" || type == "Fetch" }

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    /// The headers that are sent to the server.
    var sentHeaders: [String] {
        headers.filter { header in
            !Self.ownHeaders.contains(header.name.lowercased())
                && !(header.name + header.value).utf8.contains { $0 < 0x20 || $0 == 0x7F }
        }.map { "\($0.name): \($0.value)" }
    }

    /// The cookies that scripts have set, as `name=value`.
    var cookies: [String] { (header("cookie") ?? "").split(separator: ";").map { String($0).trimmed } }
}

/// How a request is answered.
enum RequestRule {
    case transfer, placeholder, refuse

    /// Kinds that no page needs to show its pictures, or that a run does not send.
    private static let refused: Set<String> = [
        "Media", "Font", "TextTrack", "Prefetch", "EventSource", "WebSocket", "Manifest", "SignedExchange", "Ping",
        "CSPViolationReport", "FedCM",
    ]

    init(_ request: PausedRequest, frame: String, page: WebAddress) {
        let isPicture = request.header("accept")?.hasPrefix("image/") == true
        if Self.refused.contains(request.type) || request.header("sec-purpose") != nil
            || request.header("service-worker") != nil
        {
            self = .refuse
        } else if request.type == "Image" {
            self = .placeholder
        } else if isPicture {
            // An icon of the site.
            self = .refuse
        } else if request.type == "Document" {
            // The pictures of frames of other sites are not the page's.
            let isOwn = request.frame == frame || request.address.hasOrigin(of: page)
            self = request.method == "GET" && isOwn ? .transfer : .refuse
        } else {
            let isRead = request.method == "GET"
            let isQuery =
                request.method == "POST" && request.isOfScript
                && RegistrableDomain.of(request.address.hostName) === RegistrableDomain.of(page.hostName)
            self = isRead || isQuery ? .transfer : .refuse
        }
    }
}

/// A reply for the browser.
struct GateReply {
    /// The headers that describe the transfer of the body, or would let the page act beyond it.
    private static let ownHeaders: Set<String> = [
        "content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie", "alt-svc",
        "service-worker-allowed", "link", "refresh", "strict-transport-security", "report-to", "nel",
        "content-disposition",
    ]

    let status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    init(status: Int) { self.status = status }

    /// A reply of a server, without cookies that scripts may not see; the run keeps them all.
    init(_ response: Response) {
        status = response.status ?? 200
        headers = response.headers.all { !Self.ownHeaders.contains($0) }
        headers += response.headers.all("set-cookie").filter { !$0.lowercased().contains("httponly") }.map {
            ("Set-Cookie", $0)
        }
        body = response.body
    }

    static func redirect(_ request: PausedRequest, to address: String) -> GateReply {
        var reply = GateReply(status: 302)
        reply.headers = [("Location", address)] + permission(for: request)
        return reply
    }

    /// A picture without content, so that a page that waits for its pictures continues.
    static func placeholder(for request: PausedRequest) -> GateReply {
        var reply = GateReply(status: 200)
        reply.headers = [("Content-Type", "image/svg+xml")] + permission(for: request)
        reply.body = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1600\" height=\"1200\"/>".utf8)
        return reply
    }

    /// The headers with which the origin of the page may read the reply, which says nothing of another server.
    private static func permission(for request: PausedRequest) -> [(name: String, value: String)] {
        guard let origin = request.header("origin") else { return [] }
        return [("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true")]
    }
}
