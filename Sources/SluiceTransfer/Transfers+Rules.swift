// SPDX-License-Identifier: MIT

package import SluiceModel

// The files in which origins state their rules: `robots.txt` and `/.well-known/tdmrep.json`.

extension Transfers {
    /// Checks an address against the host's `robots.txt`, if the request respects it; returns what this file and
    /// `/.well-known/tdmrep.json` state about the use of a download.
    func statements(
        of request: Request, about address: WebAddress, isRedirected: Bool, into target: ResponseBody.Target,
        _ observer: @escaping Observer
    ) async throws(Failure) -> [UsageTerms.Statement] {
        guard request.respectsRobotsTxt else { return [] }
        let statements = try await checkRobots(of: address, isRedirected: isRedirected, observer)
        guard case .file = target else { return statements }
        return statements + (await reservations(about: address, isRedirected: isRedirected))
    }

    /// Returns the statements of the host's `/.well-known/tdmrep.json` about an address.
    ///
    /// A host that does not deliver the file states nothing.
    private func reservations(about address: WebAddress, isRedirected: Bool) async -> [UsageTerms.Statement] {
        let answer = await reservations.answer(for: address) { [self] origin in
            var request = Request(origin + ReservationFile.path, limit: 1 << 20, timeout: .seconds(30))
            request.respectsRobotsTxt = true
            request.isOptional = true
            let file = await originFile(request, of: address, isRedirected: isRedirected) { _ in }
            guard case .success(.content(let text)) = file else { return .success(ReservationFile()) }
            return .success(ReservationFile(text))
        }
        return (try? answer.get())?.statements(about: address.path) ?? []
    }

    /// Throws if the host's `robots.txt` disallows the address, and returns its statements about the use.
    ///
    /// The file is loaded with the run's token, because callers other than the first need it, too. The observer of the
    /// first learns what happens to the host meanwhile.
    @discardableResult package func checkRobots(
        of address: WebAddress, isRedirected: Bool = false, _ observer: @escaping Observer = { _ in }
    ) async throws(Failure) -> [UsageTerms.Statement] {
        // A refused address is reported as such, and not as a fault of its robots.txt.
        if options.loopbackPorts[address.host] == nil { try options.addressGuard.check(address) }
        return try await robots.check(address, agent: options.product) { [self] url in
            let request = Request(url, limit: 4 << 20, timeout: .seconds(30))
            return await originFile(request, of: address, isRedirected: isRedirected) { event in
                switch event {
                case .hostPaused, .hostGivenUp: observer(event)
                case .retried, .progressed: break
                }
            }
        }
    }

    /// Requests a file with the rules of an address's origin, unless another process has shared it.
    ///
    /// Other processes are redirected to the same hosts, and request those that they share with this one.
    private func originFile(
        _ request: Request, of address: WebAddress, isRedirected: Bool, _ observer: @escaping Observer
    ) async -> Result<OriginFile, Failure> {
        var request = request
        request.isRecorded = true
        request.usesCookies = false
        guard let shared = options.originFiles, isRedirected || shared.isShared(address.host) else {
            return await load(request, observer)
        }
        if let file = await shared.file(from: request.url, token: pool.token) { return .success(file) }
        let answer = await load(request, observer)
        await shared.share(try? answer.get(), from: request.url)
        return answer
    }

    private func load(_ request: Request, _ observer: @escaping Observer) async -> Result<OriginFile, Failure> {
        do throws(Failure) {
            return OriginFile.answer(.success(try await fetch(request, token: pool.token, observer: observer)))
        } catch {
            return OriginFile.answer(.failure(error))
        }
    }

    /// Returns the rules of a response's `X-Robots-Tag` for this user agent, in lower case.
    package func robotsRules(of response: Response) -> [String] {
        RobotsTag.names(in: response.headers.all("x-robots-tag"), agent: options.product)
    }
}
