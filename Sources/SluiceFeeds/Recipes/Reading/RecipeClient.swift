// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Sends requests to a recipe's service: adds the key, recognises errors, and redacts the key in replies.
final class RecipeClient: Sendable {
    struct Reply: Sendable {
        var json: JSON
        var response: Response
    }

    private let recipe: Recipe
    private let transfers: Transfers
    private let headers: [String]
    private let access: RecipeKey.Access?
    private let accessToken = Locked<Secret?>(nil)
    private let reportsDownloads = Locked(true)

    init(_ recipe: Recipe, access: RecipeKey.Access?, transfers: Transfers) {
        (self.recipe, self.access, self.transfers) = (recipe, access, transfers)
        headers = recipe.headers.map { "\($0.name): \($0.value)" }
    }

    /// Loads an address of the service, given without the key; a cursor may name another one, which is refused.
    func load(_ address: String, token: CancellationToken) async throws(Failure) -> Reply {
        guard let base = WebAddress(recipe.base), WebAddress(address)?.hasOrigin(of: base) == true else {
            throw .foreignPage(address, of: recipe.base)
        }
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
        request.secrets = try await secrets(token: token)
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
        response.url = recipe.key?.query.map(response.url.withoutQueryParameter) ?? response.url
        return Reply(json: parsed.withLock { $0 } ?? .null, response: response)
    }

    /// The key or the access token, which each request to the service carries.
    private func secrets(token: CancellationToken) async throws(Failure) -> [Secret] {
        switch access {
        case nil: []
        case .key(let key): [key]
        case .grant(let form): [try await accessToken(for: form, token: token)]
        }
    }

    /// Returns the access token for a form; it is requested once and kept until it is rejected.
    private func accessToken(for form: Secret, token: CancellationToken) async throws(Failure) -> Secret {
        if let known = accessToken.withLock({ $0 }) { return known }
        guard let key = recipe.key, let grant = key.token, let base = WebAddress(recipe.base),
            let address = WebAddress(grant.address, relativeTo: base), address.hasOrigin(of: base)
        else { throw Failure(.policy, "the recipe's token address is not on the origin of its base address") }
        var request = Request(address.text, limit: 64 << 10, timeout: .seconds(60))
        request.secrets = [form]
        let response = try await transfers.fetch(request, token: token)
        let text = (try? JSON(parsing: response.body))?["access_token"]?.text
        guard let text, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.feedParse, "the service returned no access token")
        }
        let secret = key.secret(text, for: base)
        accessToken.withLock { $0 = secret }
        return secret
    }

    private func json(in response: Response) throws(Failure) -> JSON {
        do {
            return transfers.redaction.redacted(try JSON(parsing: response.body))
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
        let problem = access == nil ? "requires a key in" : "rejected the key in"
        let reason = message.isEmpty ? "" : ": \(redacted(message))"
        return "\(recipe.name) \(problem) \(key.environment)\(reason); get one at \(key.from)"
    }

    /// Removes the key from a text, because a service may repeat it anywhere in a reply.
    func redacted(_ text: String) -> String { transfers.redaction.redacted(text) }

    /// Reports a download to the service, with the key.
    ///
    /// Once the service limits the rate, it reports nothing more in this run, to leave the request quota to the
    /// listings.
    func reportDownload(at address: String, token: CancellationToken) async throws(Failure) {
        guard reportsDownloads.withLock({ $0 }) else { return }
        var request = Request(address, headers: headers, limit: 1 << 20, timeout: .seconds(30))
        request.secrets = try await secrets(token: token)
        do throws(Failure) {
            _ = try await transfers.fetch(request, token: token)
        } catch {
            let failure = explained(error)
            if [.httpTooManyRequests, .deferred].contains(failure.cause) { reportsDownloads.withLock { $0 = false } }
            throw failure
        }
    }
}
