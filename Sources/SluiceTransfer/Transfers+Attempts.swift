// SPDX-License-Identifier: MIT

internal import SluiceModel

// How a request comes to its end: redirects, attempts, and what its hosts ask for meanwhile.

extension Transfers {
    /// Asks, waits and asks again, until there is an answer or nothing to hope for.
    func attempts(
        _ request: Request, into target: Body.Target, _ turn: any Turn, _ check: Check, _ observer: Observer
    ) async throws(Failure) -> Response {
        guard let origin = WebAddress(request.url) else {
            throw Failure(.policy, "\(Userinfo.split(request.url).url) is no address")
        }
        var attempt = 1
        while true {
            try turn.token.check()
            var address = origin
            do throws(Failure) {
                let response = try await follow(request, from: origin, at: &address, into: target, turn)
                try check(response)
                turn.answered(by: address.host)
                rest(address.host, after: response, observer)
                return response
            } catch {
                let verdict = options.retry.verdict(on: error, attempt: attempt, chance: .random(in: 0...1))
                let delay = try judge(verdict, on: error, by: address.host, turn, observer)
                if !turn.token.isCancelled { observer(.retried(attempt: attempt, error, delay: delay)) }
                try await turn.rest(for: delay)
            }
            attempt += 1
        }
    }

    /// Leaves a host alone that answered well and says that this was the last of its requests for now.
    private func rest(_ host: String, after response: Response, _ observer: Observer) {
        guard let wait = RateLimit(response.headers).reset, wait > .zero, wait <= options.retry.longestRetryAfter else {
            return
        }
        pool.decide { $0.pause(host, for: wait, now: .now) }
        observer(.hostPaused(host, wait, Failure(.httpTooManyRequests, "no request is left for now")))
    }

    /// Notes a failed attempt at its host; returns the wait before the next one, or throws what the request ends with.
    private func judge(
        _ verdict: RetryPolicy.Verdict, on failure: Failure, by host: String, _ turn: any Turn, _ observer: Observer
    ) throws(Failure) -> Duration {
        let end: Failure? = if case .giveUp(let end) = verdict { end } else { nil }
        switch turn.failed(host, end?.cause == .deferred ? end ?? failure : failure, retry: options.retry) {
        case .none: break
        case .paused(let duration): observer(.hostPaused(host, duration, failure))
        case .givenUp(let refusal): observer(.hostGivenUp(host, refusal))
        }
        if let refusal = turn.refusal(of: host) { throw refusal }
        guard case .retry(let delay) = verdict else { throw end ?? failure }
        return delay
    }

    /// One attempt: the request and its redirects, hop by hop, within one deadline; `address` is where it is.
    private func follow(
        _ request: Request, from origin: WebAddress, at address: inout WebAddress, into target: Body.Target,
        _ turn: any Turn
    ) async throws(Failure) -> Response {
        var left = request.timeout
        var hops = 0
        var times: TransferTimes?
        while true {
            try Redirect.check(address)
            if request.keepsToRobots { try await checkRobots(of: address) }
            try await turn.enter(address.host)
            // Waiting for others is not the host's time.
            let start = ContinuousClock.now
            var wish = Exchange.Wish(request, at: address, origin: origin, into: target)
            wish.credentials = wish.credentials ?? options.credentials(for: address)
            wish.addresses = try await findHost(of: address, token: turn.token)
            let named = ContinuousClock.now - start
            wish.timeout = left - (.now - start)
            guard wish.timeout > .milliseconds(1) else {
                throw Failure(.timeout, "\(address.host): \(request.timeout.inWords) in all")
            }
            let reply = try await carry(wish, token: turn.token)
            left -= .now - start
            var hop = reply.times
            hop.begin = start
            hop.dns += named
            if times?.add(hop) == nil { times = hop }
            // Asked again without a range, this cannot come again.
            if reply.isNoRest { continue }
            guard Redirect.isRedirect(reply.status) else {
                var response = try Response(reply, from: address, isElsewhere: hops > 0, in: target)
                response.times = times
                return response
            }
            guard request.form == nil else {
                throw Failure(.unexpectedStatus, "a form is sent nowhere else", status: reply.status)
            }
            address = try Redirect.next(
                reply.headers["location"], from: address, followed: hops, limit: options.redirects)
            hops += 1
        }
    }

    /// Looks at an address before anybody connects to it, and finds out where it is.
    ///
    /// `nil` where that is not ours to find out: it is a number, this machine's, or behind a proxy.
    private func findHost(of address: WebAddress, token: Token) async throws(Failure) -> [NetworkAddress]? {
        if options.loopback[address.host] != nil { return nil }
        try options.addressGuard.check(address)
        if let known = options.resolved["\(address.hostName):\(address.port)"] { return known }
        let isOurs =
            options.nameServers.isEmpty && options.proxies.proxy(for: address) == nil
            && NetworkAddress(address.hostName) == nil && address.hostName.utf8.allSatisfy { $0 < 0x80 }
        return isOurs
            ? try await names.addresses(of: address.hostName, within: options.connectTimeout, token: token) : nil
    }

    private func carry(_ wish: Exchange.Wish, token: Token) async throws(Failure) -> Exchange.Reply {
        var wish = wish
        let host = wish.address.host
        wish.http = fallback.withLock { $0.version(for: host, wanted: options.http) }
        let ending = await loop.carry(wish, options: options, token: token)
        fallback.withLock { $0.note(ending, of: host) }
        if case .failure(let failure) = ending.result, failure.cause == .connect {
            names.doubt(wish.address.hostName)
        }
        return try ending.result.get()
    }

    /// Refuses what the host's `robots.txt` excludes; the file ends with the run, and not with the one who asked first.
    private func checkRobots(of address: WebAddress) async throws(Failure) {
        try await robots.check(address, agent: options.product) { [self] url in
            do throws(Failure) {
                return .success(try await fetch(Request(url, limit: 4 << 20, timeout: .seconds(30)), token: pool.token))
            } catch {
                return .failure(error)
            }
        }
    }
}
