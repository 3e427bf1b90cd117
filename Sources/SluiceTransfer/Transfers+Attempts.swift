// SPDX-License-Identifier: MIT

package import SluiceModel

// Attempts, redirects, and the hosts' limits.
//
// Thousands of calls of `send` may wait for their hosts. The functions that handle the end of an attempt must not be
// inlined, because their temporary values would be part of each waiting call and add 4 KB to it.

extension Transfers {
    /// Sends a request, and retries it until it succeeds or the retry policy gives up.
    func send(
        _ request: Request, into target: ResponseBody.Target, _ permit: any RequestPermit, _ check: Check,
        _ observer: @escaping Observer
    ) async throws(Failure) -> Response {
        guard let origin = WebAddress(request.url) else {
            throw Failure(.policy, "\(request.url) is not a valid address")
        }
        var attempt = 1
        // When the address was refused last, and how often it was.
        var refusals: (last: ContinuousClock.Instant?, count: Int) = (nil, 0)
        while true {
            try permit.token.check()
            try checkLimit(for: target)
            var address = origin
            do throws(Failure) {
                let response = try await follow(
                    request, from: origin, at: &address, into: target, permit, observer)
                try check(response)
                try checkSession(of: request, response)
                permit.recordSuccess(
                    of: address.host, begun: response.times?.begin, afterRefusal: refusals.count > 0)
                pauseIfQuotaIsUsedUp(address.host, after: response, observer)
                return response
            } catch {
                var error = try redaction(for: request, at: address, into: target).redacted(error)
                if error.cause == .cancelled { try checkLimit(for: target) }
                error = await explained(error, of: request, from: origin, at: address, permit)
                if request.isOptional { throw error }
                let isFinal = error.cause == .timeout && !request.retriesTimeouts
                let decision =
                    isFinal
                    ? .giveUp(error) : options.retry.decision(on: error, attempt: attempt, chance: .random(in: 0...1))
                let delay = try recordFailure(
                    error, of: address.host, refusedAt: refusals.last, decision, permit, observer)
                if error.isRefusal { refusals = (.now, refusals.count + 1) }
                if !permit.token.isCancelled { observer(.retried(attempt: attempt, error, delay: delay)) }
                try await permit.wait(for: delay)
                // Meanwhile other addresses may have shown that the host refuses only this one.
                if refusals.count > 1, let last = refusals.last,
                    permit.takeAddressRefusal(of: address.host, refusedAt: last)
                {
                    throw error
                }
            }
            attempt += 1
        }
    }

    /// Throws if no further download may receive bytes.
    private func checkLimit(for target: ResponseBody.Target) throws(Failure) {
        if case .file = target, loop.counter.isUsedUp { throw Failure(.cancelled, "") }
    }

    /// Pauses a host whose successful response reports that the request quota is used up.
    @inline(never) private func pauseIfQuotaIsUsedUp(_ host: String, after response: Response, _ observer: Observer) {
        guard let delay = RateLimit(response.headers).reset, delay > .zero, delay <= options.retry.maximumRetryAfter
        else { return }
        pool.apply { $0.pause(host, for: delay, now: .now) }
        observer(.hostPaused(host, delay, Failure(.httpTooManyRequests, "the request quota is used up")))
    }

    /// Records a failed attempt for its host; returns the delay before the next attempt, or throws the final failure.
    @inline(never) private func recordFailure(
        _ failure: Failure, of host: String, refusedAt: ContinuousClock.Instant?, _ decision: RetryPolicy.Decision,
        _ permit: any RequestPermit, _ observer: Observer
    ) throws(Failure) -> Duration {
        let final: Failure? = if case .giveUp(let final) = decision { final } else { nil }
        let recorded = final?.cause == .deferred ? final ?? failure : failure
        var wait: Duration?
        switch permit.recordFailure(of: host, recorded, refusedAt: refusedAt, retry: options.retry) {
        case .none: break
        case .addressRefused: throw final ?? failure
        case .probed(let duration): wait = duration
        case .paused(let duration):
            observer(.hostPaused(host, duration, failure))
            // The refused address is the first to be requested after the pause.
            if recorded.isRefusal { wait = duration / 2 }
        case .givenUp(let refusal): observer(.hostGivenUp(host, refusal))
        }
        if let refusal = permit.refusal(of: host) { throw refusal }
        guard case .retry(let delay) = decision else { throw final ?? failure }
        return wait ?? delay
    }

    /// Performs one attempt: the request and its redirects, within one timeout; `address` becomes the current hop's.
    private func follow(
        _ request: Request, from origin: WebAddress, at address: inout WebAddress, into target: ResponseBody.Target,
        _ permit: any RequestPermit, _ observer: @escaping Observer
    ) async throws(Failure) -> Response {
        var remaining = request.timeout
        var hops = 0
        var (needsNewConnection, needsReferrer) = (false, false)
        var times: TransferTimes?
        while true {
            try Redirect.check(address)
            let statements = try await statements(
                of: request, about: address, isRedirected: hops > 0, into: target, observer)
            try await permit.acquire(address.host)
            let redaction = try redaction(for: request, at: address, into: target)
            // The timeout does not include waiting for the permit.
            let start = ContinuousClock.now
            var spec = RequestSpec(request, at: address, requested: origin, into: target, options)
            spec.needsNewConnection = needsNewConnection
            spec.readsNetrc = readsNetrc(at: address, of: origin)
            addReferrer(to: &spec, of: request, isNeeded: needsReferrer)
            spec.addresses = try await resolve(address, token: permit.token)
            let resolutionTime = ContinuousClock.now - start
            spec.timeout = remaining - (.now - start)
            guard spec.timeout > .milliseconds(1) else {
                throw Failure(.timeout, "\(address.host): no complete response within \(request.timeout.text)")
            }
            let response = try await perform(spec, token: permit.token)
            var hopTimes = response.times
            hopTimes.begin = start
            hopTimes.dns += resolutionTime
            // The time until this function continues is not the host's.
            remaining -= hopTimes.dns + hopTimes.connect + hopTimes.tls + hopTimes.firstByte + hopTimes.body
            if times?.add(hopTimes) == nil { times = hopTimes }
            // The next request has no range, so this happens at most once.
            if response.needsFullRequest { continue }
            // A response on a new connection never asks for another one.
            needsNewConnection = response.needsNewConnection
            if needsNewConnection { continue }
            keepCookies(of: response, to: request, at: address)
            try record(response, of: spec, redaction)
            needsReferrer = asksForReferrer(response, to: spec, of: request)
            if needsReferrer { continue }
            guard Redirect.isRedirect(response.status) else {
                var response = try Response(response, from: address, isRedirected: hops > 0, in: target, redaction)
                redaction.redact(&response)
                response.times = times
                response.usage = UsageTerms(response.headers.usageStatements + statements)
                return response
            }
            guard !request.hasBody else {
                throw Failure(.unexpectedStatus, "a form does not follow redirects", status: response.status)
            }
            address = try Redirect.next(
                response.headers["location"], from: address, followed: hops, limit: options.redirects)
            hops += 1
        }
    }

    /// Passes an exchange to the recorder.
    ///
    /// A download that was stopped early is none, and neither is a failure's reply whose body repeats a secret.
    @inline(never) private func record(
        _ response: RawResponse, of spec: RequestSpec, _ redaction: Redaction
    ) throws(Failure) {
        guard let recorder = options.recorder, var record = response.record else { return }
        var body = RecordedExchange.Body.memory(response.body)
        if case .file(let sink) = spec.target, response.isSuccess, response.status != 304 {
            guard sink.rejection == nil, sink.stopped == nil else { return }
            body = sink.recordedBody
        }
        // A record must have the body as it was received.
        if case .memory(let bytes) = body, redaction.redacted(bytes) != nil { return }
        record.heads.redact(redaction)
        try recorder.record(
            RecordedExchange(
                url: redaction.redacted(spec.address.text), time: record.time, server: record.server,
                heads: record.heads,
                status: response.status, mediaType: response.headers["content-type"], body: body,
                isCut: response.isCut))
    }

    private func readsNetrc(at address: WebAddress, of requested: WebAddress) -> Bool {
        let trusted = options.addressGuard.trustedOrigins
        return options.readsNetrc && netrcOrigins.withLock { $0.allows(address, of: requested, trusted: trusted) }
    }

    /// Checks an address before the connection, and resolves its host.
    ///
    /// Returns `nil` if libcurl or a proxy resolves the host, or if it is numeric or mapped to a loopback port.
    private func resolve(_ address: WebAddress, token: CancellationToken) async throws(Failure) -> [NetworkAddress]? {
        if options.loopbackPorts[address.host] != nil { return nil }
        try options.addressGuard.check(address)
        return try await numbers(of: address, token: token)
    }

    /// Throws if no request to the address may be sent; if its host cannot be resolved, that remains to be seen.
    package func checkReach(of address: WebAddress, token: CancellationToken) async throws(Failure) {
        if options.loopbackPorts[address.host] != nil { return }
        let numbers = try? await numbers(of: address, token: token)
        try options.addressGuard.check(address, at: numbers ?? [])
    }

    /// Whether a host is at special addresses only; `nil` if that is unknown, for example behind a proxy.
    package func isPrivate(_ address: WebAddress, token: CancellationToken) async -> Bool? {
        let numbers = (try? await numbers(of: address, token: token)) ?? NetworkAddress(address.hostName).map { [$0] }
        guard let numbers, !numbers.isEmpty else { return nil }
        return numbers.allSatisfy { $0.reachableAddresses.contains { SpecialUse(of: $0) != nil } }
    }

    private func numbers(of address: WebAddress, token: CancellationToken) async throws(Failure) -> [NetworkAddress]? {
        if let fixed = options.resolved["\(address.hostName):\(address.port)"] { return fixed }
        let needsResolver =
            options.nameServers.isEmpty && options.proxies.proxy(for: address) == nil
            && NetworkAddress(address.hostName) == nil && address.hostName.utf8.allSatisfy { $0 < 0x80 }
        return needsResolver
            ? try await resolver.addresses(of: address.hostName, within: options.connectTimeout, token: token) : nil
    }

    private func perform(_ spec: RequestSpec, token: CancellationToken) async throws(Failure) -> RawResponse {
        var spec = spec
        let host = spec.address.host
        spec.http = fallback.withLock { $0.version(for: host, wanted: options.http) }
        let result = await loop.perform(spec, options: options, token: token)
        fallback.withLock { $0.record(result, of: host) }
        if case .failure(let failure) = result.result, failure.cause == .connect {
            resolver.reportUnreachable(spec.address.hostName)
        }
        return try result.result.get()
    }
}
