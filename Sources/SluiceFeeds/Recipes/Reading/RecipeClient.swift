// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Asks a recipe's service: shows the key, hears what went wrong, and lets no word of the key out again.
final class RecipeClient: Sendable {
    /// A reply, read.
    struct Reply: Sendable {
        var json: JSON
        var response: Response
    }

    private let recipe: Recipe
    private let transfers: Transfers
    private let headers: [String]
    private let secret: Secret?
    private let grant = Locked<String?>(nil)
    private let isTold = Locked(true)

    init(_ recipe: Recipe, secret: Secret?, transfers: Transfers, headers: [String]) {
        self.recipe = recipe
        self.secret = secret
        self.transfers = transfers
        self.headers = recipe.headers.map { "\($0.name): \($0.value)" } + headers
    }

    /// Asks for an address of the service's own, which has no key in it.
    func ask(_ address: String, token: Token) async throws(Failure) -> Reply {
        do throws(Failure) {
            return try await attempt(address, token: token)
        } catch {
            guard error.status == 401, recipe.key?.token != nil, grant.withLock({ $0 }) != nil else {
                throw told(error)
            }
            // Tokens end before a walk does.
            grant.withLock { $0 = nil }
            do throws(Failure) { return try await attempt(address, token: token) } catch { throw told(error) }
        }
    }

    private func attempt(_ address: String, token: Token) async throws(Failure) -> Reply {
        var request = Request(address, headers: headers, limit: 16 << 20, timeout: recipe.timeout)
        request.acceptsCompression = true
        try await show(in: &request, token: token)
        let read = Locked<JSON?>(nil)
        var response = try await transfers.fetch(
            request, token: token,
            checking: { [self] response throws(Failure) in
                let json = try json(in: response)
                try recipe.errors.check(json)
                read.withLock { $0 = json }
            })
        response.url = recipe.key?.query.map { PageAddress.without($0, in: response.url) } ?? response.url
        return Reply(json: read.withLock { $0 } ?? .null, response: response)
    }

    /// Puts the key where the service looks for it.
    private func show(in request: inout Request, token: Token) async throws(Failure) {
        guard let key = recipe.key, let secret else { return }
        let word = key.token == nil ? secret.key : try await bearer(key, secret, token: token)
        if let name = key.header {
            request.headers.append("\(name): \(key.value.replacing("{key}", with: word))")
        } else if let name = key.query {
            request.url = PageAddress(request.url, [(name, word)]).text
        }
    }

    /// The token for the client's credentials, had once and kept until it is refused.
    private func bearer(_ key: RecipeKey, _ secret: Secret, token: Token) async throws(Failure) -> String {
        if let known = grant.withLock({ $0 }) { return known }
        guard let source = key.token, let base = WebAddress(recipe.base),
            let address = WebAddress(source.address, relativeTo: base), address.hasOrigin(of: base)
        else { throw Failure(.policy, "the recipe's address of tokens is not its service's") }
        var request = Request(address.text, limit: 64 << 10, timeout: .seconds(60))
        let fields = [
            ("grant_type", "client_credentials"), ("client_id", secret.key),
            ("client_secret", secret.clientSecret ?? ""),
        ]
        request.form = fields.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
        let response = try await transfers.fetch(request, token: token)
        let text = (try? JSON(parsing: response.body))?["access_token"]?.text
        guard let text, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.feedParse, "the service gave no token")
        }
        grant.withLock { $0 = text }
        return text
    }

    private func json(in response: Response) throws(Failure) -> JSON {
        do {
            return try JSON(parsing: hidden(response.body))
        } catch {
            let isPage = response.body.first { $0 > 0x20 } == UInt8(ascii: "<")
            guard isPage else { throw Failure(.feedParse, "\(error)", status: response.status) }
            throw Failure(
                recipe.errors.arePagesBusy ? .httpTooManyRequests : .feedParse,
                "a page for people came in place of the listing", status: response.status)
        }
    }

    /// A failure in the service's words, or in ours where the key is to blame; never with the key in it.
    private func told(_ failure: Failure) -> Failure {
        var failure = failure
        if let limit = recipe.errors.limit, failure.status == limit { failure.cause = .httpTooManyRequests }
        let words = (try? JSON(parsing: Array(failure.detail.utf8))).flatMap { recipe.errors.words($0) }
        failure.detail = hidden(words ?? recipe.errors.sentence(for: failure) ?? failure.detail)
        failure.finalURL = failure.finalURL.map(hidden)
        if let key = recipe.key, [.httpClientError(401), .httpClientError(403)].contains(failure.cause) {
            let trouble = secret == nil ? "\(recipe.name) wants a key in" : "\(recipe.name) refused the key in"
            failure.detail = "\(trouble) \(key.environment); get one at \(key.from)"
        }
        return failure
    }

    /// A text without the key, which a service may give back anywhere.
    func hidden(_ text: String) -> String { String(decoding: hidden(Array(text.utf8)), as: UTF8.self) }

    private func hidden(_ bytes: [UInt8]) -> [UInt8] {
        guard let secret else { return bytes }
        return secret.removed(from: bytes, and: grant.withLock { $0 })
    }

    /// The request that tells the service of a download, with the key.
    ///
    /// Once the service has heard enough, nothing more is said in this run: listings need the same requests.
    func ping(_ address: String, token: Token) async throws(Failure) {
        guard isTold.withLock({ $0 }) else { return }
        var request = Request(address, headers: headers, limit: 1 << 20, timeout: .seconds(30))
        try await show(in: &request, token: token)
        do throws(Failure) {
            _ = try await transfers.fetch(request, token: token)
        } catch {
            let failure = told(error)
            if [.httpTooManyRequests, .deferred].contains(failure.cause) { isTold.withLock { $0 = false } }
            throw failure
        }
    }
}
