// SPDX-License-Identifier: MIT

internal import SluiceCookies
internal import SluiceModel
internal import SluiceTransfer

/// Answers every request of a page in the browser, which has no network: with a reply of the run's transfers, with a
/// placeholder for a picture, or with a refusal.
///
/// So the address guard, the limits per host, the proxy and the cookies of the run apply to pages that scripts build.
/// Pictures are not transferred for the browser, because the run downloads those that it takes.
final class RequestGate: Sendable {
    /// The most requests of one page, as scripts may send any number.
    private static let maxRequests = 20_000
    /// The most requests to a host at a time, as browsers have it.
    private static let maxPerHost = 6
    /// The largest reply in bytes.
    private static let maxReply = 32 << 20
    /// The most bytes of JSON that is kept for the reader of the page.
    private static let maxData = 4 << 20

    private struct State {
        var count = 0
        var outstanding = 0
        /// When a request began or ended last, and how many have ended.
        var lastChange = ContinuousClock.now
        var ended = 0
        var active: TextMap<Int> = [:]
        var waiting: TextMap<[PausedRequest]> = [:]
        /// Replies that were received behind a redirect, until the browser follows it.
        var received: TextMap<Response> = [:]
        var data: [[UInt8]] = []
        var dataLength = 0
    }

    private let devTools: DevTools
    private let transfers: Transfers
    /// The frame of the page itself, and its address.
    private let frame: String
    private let page: WebAddress
    private let token: CancellationToken
    private let state = Locked(State())

    init(
        _ devTools: DevTools, _ transfers: Transfers, frame: String, page: WebAddress, loaded: Response?,
        token: CancellationToken
    ) {
        (self.devTools, self.transfers, self.token) = (devTools, transfers, token)
        (self.frame, self.page) = (frame, page)
        if let loaded { state.withLock { $0.received[loaded.url] = loaded } }
    }

    /// Answers a request that the browser has paused.
    func receive(_ event: DevTools.Event) {
        guard let request = PausedRequest(event) else {
            return refuse(event.parameters["requestId"]?.text ?? "", in: event.session)
        }
        let isAdmitted = state.withLock { state in
            state.count += 1
            return state.count <= Self.maxRequests
        }
        guard isAdmitted else { return refuse(request) }
        switch RequestRule(request, frame: frame, page: page) {
        case .refuse: refuse(request)
        case .placeholder: fulfil(request, with: .placeholder(for: request))
        case .transfer: queue(request)
        }
    }

    /// The number of requests that have begun and of those that have ended.
    var changes: Int { state.withLock { $0.count + $0.ended } }

    /// Returns the JSON of the replies since the last call, which may name pictures in larger sizes.
    func takeData() -> [[UInt8]] {
        state.withLock { state in
            defer { (state.data, state.dataLength) = ([], 0) }
            return state.data
        }
    }

    /// Waits until no request is in flight and none has begun for `time`, or for `active` if one has ended meanwhile.
    func waitUntilQuiet(
        _ time: Duration, active: Duration = .milliseconds(100), limit: Duration, token: CancellationToken
    ) async throws(Failure) {
        let (start, ended) = (ContinuousClock.now, state.withLock { $0.ended })
        while .now < start + limit {
            let (outstanding, last, isActive) = state.withLock { state in
                (state.outstanding, state.lastChange, state.ended > ended)
            }
            let remaining = max(last, start) + (isActive ? active : time) - .now
            if outstanding == 0, remaining <= .zero { return }
            try await pause(for: outstanding == 0 ? max(remaining, .milliseconds(1)) : .milliseconds(20), token: token)
        }
    }
}

// MARK: Transfers

extension RequestGate {
    private func queue(_ request: PausedRequest) {
        let host = request.address.host
        let mayStart = state.withLock { state in
            state.outstanding += 1
            state.lastChange = .now
            guard state.active[host, default: 0] < Self.maxPerHost else {
                state.waiting[host, default: []].append(request)
                return false
            }
            state.active[host, default: 0] += 1
            return true
        }
        if mayStart { start(request) }
    }

    private func start(_ request: PausedRequest) {
        Task {
            await answer(request)
            let host = request.address.host
            let next = state.withLock { state -> PausedRequest? in
                state.outstanding -= 1
                state.ended += 1
                state.lastChange = .now
                if state.waiting[host]?.isEmpty == false { return state.waiting[host]?.removeFirst() }
                state.active[host, default: 1] -= 1
                return nil
            }
            if let next { start(next) }
        }
    }

    private func answer(_ request: PausedRequest) async {
        if let known = state.withLock({ $0.received.removeValue(forKey: request.address.text) }) {
            return fulfil(request, with: GateReply(known))
        }
        do throws(Failure) {
            let response = try await transfers.fetch(self.request(request), token: token)
            guard let last = WebAddress(response.url), last.text === request.address.text else {
                state.withLock { $0.received[response.url] = response }
                return fulfil(request, with: .redirect(request, to: response.url))
            }
            keepData(of: response, request)
            fulfil(request, with: GateReply(response))
        } catch {
            // Scripts distinguish the statuses of their service.
            guard let status = error.status, !(300..<400).contains(status) else { return refuse(request) }
            fulfil(request, with: GateReply(status: status))
        }
    }

    /// The request as the run's transfers send it.
    private func request(_ paused: PausedRequest) -> Request {
        var request = Request(
            paused.address.text, headers: paused.sentHeaders, limit: Self.maxReply, timeout: .seconds(60))
        request.acceptsCompression = true
        request.page = page.hostName
        request.isOptional = !paused.isOfScript && paused.type != "Document"
        if paused.method != "GET" { (request.method, request.body) = (paused.method, paused.body ?? []) }
        keepCookies(of: paused)
        return request
    }

    /// Adds the cookies that scripts have set to those of the run, which also its downloads send.
    private func keepCookies(of request: PausedRequest) {
        guard let jar = transfers.options.cookies, !request.cookies.isEmpty else { return }
        let address = request.address
        let target = CookieRequest(
            scheme: address.scheme, host: address.hostName, path: address.path, page: page.hostName)
        let known = TextSet((jar.header(for: target) ?? "").split(separator: ";").map { String($0).trimmed })
        let new = request.cookies.filter { !known.contains($0) }
        if !new.isEmpty { jar.receive(new.map { "\($0); Path=/" }, of: target) }
    }

    private func keepData(of response: Response, _ request: PausedRequest) {
        let isJSON = response.headers["content-type"]?.lowercased().contains("json") == true
        guard isJSON, request.isOfScript else { return }
        state.withLock { state in
            guard state.dataLength + response.body.count <= Self.maxData else { return }
            state.data.append(response.body)
            state.dataLength += response.body.count
        }
    }

    private func refuse(_ request: PausedRequest) { refuse(request.id, in: request.session) }

    private func refuse(_ id: String, in session: String?) {
        devTools.post(
            "Fetch.failRequest", [("requestId", .string(id)), ("errorReason", .string("BlockedByClient"))],
            in: session)
    }

    private func fulfil(_ request: PausedRequest, with reply: GateReply) {
        let headers = reply.headers.map { header in
            JSON.object([
                JSON.Member(name: "name", value: .string(header.name)),
                JSON.Member(name: "value", value: .string(header.value)),
            ])
        }
        devTools.post(
            "Fetch.fulfillRequest",
            [
                ("requestId", .string(request.id)), ("responseCode", .number("\(reply.status)")),
                ("responseHeaders", .array(headers)), ("body", .string(Base64.encoded(reply.body))),
            ], in: request.session)
    }
}
