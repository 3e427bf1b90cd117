// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Sends requests to a recipe's service: adds the key, recognises errors, and redacts the key in replies.
final class RecipeClient: Sendable {
    /// A parsed reply.
    struct Reply: Sendable {
        var json: JSON
        var response: Response
    }

    private let recipe: Recipe
    private let transfers: Transfers
    private let headers: [String]
    private let secret: Secret?
    private let accessToken = Locked<String?>(nil)
    private let reportsDownloads = Locked(true)

    init(_ recipe: Recipe, secret: Secret?, transfers: Transfers, headers: [String]) {
        (self.recipe, self.secret, self.transfers) = (recipe, secret, transfers)
        self.headers = recipe.headers.map { "\($0.name): \($0.value)" } + headers
    }

    /// Loads an address of the service, given without the key.
    func load(_ address: String, token: CancellationToken) async throws(Failure) -> Reply {
        do throws(Failure) {
            return try await attempt(address, token: token)
        } catch {
            guard error.status == 401, recipe.key?.token != nil, accessToken.withLock({ $0 }) != nil else {
                throw explained(error)
            }
            // The access token may have expired: request another one and retry once.
            accessToken.withLock { $0 = nil }
            do throws(Failure) { return try await attempt(address, token: token) } catch { throw explained(error) }
        }
    }

    /// Loads a page of the service's site for readers, without the key.
    func loadPage(_ address: String, token: CancellationToken) async throws(Failure) -> Response {
        var request = Request(address, limit: 4 << 20, timeout: recipe.timeout)
        request.acceptsCompression = true
        return try await transfers.fetch(request, token: token)
    }

    private func attempt(_ address: String, token: CancellationToken) async throws(Failure) -> Reply {
        var request = Request(address, headers: headers, limit: 16 << 20, timeout: recipe.timeout)
        request.acceptsCompression = true
        try await addKey(to: &request, token: token)
        let parsed = Locked<JSON?>(nil)
        var response = try await transfers.fetch(
            request, token: token,
            checking: { [self] response throws(Failure) in
                let json = try json(in: response)
                do throws(Failure) { try recipe.errors.check(json) } catch {
                    guard recipe.errors.rejectsKey(json) else { throw error }
                    var failure = error
                    failure.detail = keyProblem(error.detail)
                    throw failure
                }
                parsed.withLock { $0 = json }
            })
        response.url = recipe.key?.query.map { PageAddress.without($0, in: response.url) } ?? response.url
        return Reply(json: parsed.withLock { $0 } ?? .null, response: response)
    }

    /// Adds the key or the access token to the request, in the header or the query parameter of the recipe.
    private func addKey(to request: inout Request, token: CancellationToken) async throws(Failure) {
        guard let key = recipe.key, let secret else { return }
        let word = key.token == nil ? secret.key : try await accessToken(key, secret, token: token)
        if let name = key.header {
            request.headers.append("\(name): \(key.value.replacing("{key}", with: word))")
        } else if let name = key.query {
            request.url = PageAddress(request.url, [(name, word)]).text
        }
    }

    /// Returns the access token for the client credentials; it is requested once and kept until it is rejected.
    private func accessToken(_ key: RecipeKey, _ secret: Secret, token: CancellationToken) async throws(Failure)
        -> String
    {
        if let known = accessToken.withLock({ $0 }) { return known }
        guard let source = key.token, let base = WebAddress(recipe.base),
            let address = WebAddress(source.address, relativeTo: base), address.hasOrigin(of: base)
        else { throw Failure(.policy, "the recipe's token address is not on the origin of its base address") }
        var request = Request(address.text, limit: 64 << 10, timeout: .seconds(60))
        let fields = [
            ("grant_type", "client_credentials"), ("client_id", secret.key),
            ("client_secret", secret.clientSecret ?? ""),
        ]
        request.form = fields.map { "\($0.0)=\($0.1.percentEncoded())" }.joined(separator: "&")
        let response = try await transfers.fetch(request, token: token)
        let text = (try? JSON(parsing: response.body))?["access_token"]?.text
        guard let text, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.feedParse, "the service returned no access token")
        }
        accessToken.withLock { $0 = text }
        return text
    }

    private func json(in response: Response) throws(Failure) -> JSON {
        do {
            return try JSON(parsing: redacted(response.body))
        } catch {
            let isHTML = response.body.first { $0 > 0x20 } == UInt8(ascii: "<")
            guard isHTML else { throw Failure(.feedParse, "\(error)", status: response.status) }
            throw Failure(
                recipe.errors.treatsHTMLAsBusy ? .httpTooManyRequests : .feedParse,
                "the service returned HTML instead of JSON", status: response.status)
        }
    }

    /// Replaces a failure's details by the service's message, or by a hint about the key; redacts the key.
    private func explained(_ failure: Failure) -> Failure {
        var failure = failure
        if let limit = recipe.errors.limit, failure.status == limit { failure.cause = .httpTooManyRequests }
        let reply = try? JSON(parsing: Array(failure.detail.utf8))
        let message = reply.flatMap { recipe.errors.message(in: $0) ?? $0.text }
        failure.detail = redacted(message ?? recipe.errors.fallbackMessage(for: failure) ?? failure.detail)
        failure.finalURL = failure.finalURL.map { redacted($0) }
        if [.httpClientError(401), .httpClientError(403)].contains(failure.cause) {
            failure.detail = keyProblem(message ?? "")
        }
        // The cause is named after status 429, which is not what every service sends.
        if failure.cause == .httpTooManyRequests, let status = failure.status, status != 429 {
            failure.detail = "\(recipe.name) asks to try later (status \(status)): \(failure.detail)"
        }
        return failure
    }

    /// Returns a sentence about the key: the service's message, the variable, and the address to get one.
    private func keyProblem(_ message: String) -> String {
        guard let key = recipe.key else { return message }
        let problem = secret == nil ? "requires a key in" : "rejected the key in"
        let reason = message.isEmpty ? "" : ": \(redacted(message))"
        return "\(recipe.name) \(problem) \(key.environment)\(reason); get one at \(key.from)"
    }

    /// Removes the key from a text, because a service may repeat it anywhere in a reply.
    func redacted(_ text: String) -> String { String(decoding: redacted(Array(text.utf8)), as: UTF8.self) }

    private func redacted(_ bytes: [UInt8]) -> [UInt8] {
        guard let secret else { return bytes }
        return secret.redacted(in: bytes, accessToken: accessToken.withLock { $0 })
    }

    /// Reports a download to the service, with the key.
    ///
    /// Once the service limits the rate, it reports nothing more in this run, to leave the request quota to the
    /// listings.
    func reportDownload(at address: String, token: CancellationToken) async throws(Failure) {
        guard reportsDownloads.withLock({ $0 }) else { return }
        var request = Request(address, headers: headers, limit: 1 << 20, timeout: .seconds(30))
        try await addKey(to: &request, token: token)
        do throws(Failure) {
            _ = try await transfers.fetch(request, token: token)
        } catch {
            let failure = explained(error)
            if [.httpTooManyRequests, .deferred].contains(failure.cause) { reportsDownloads.withLock { $0 = false } }
            throw failure
        }
    }
}
