// SPDX-License-Identifier: MIT

internal import SluiceCookies
internal import SluiceModel

// The user's cookies, and what hosts answer once these are no longer valid.

extension CookieRequest {
    /// Describes a hop of a request.
    init(_ address: WebAddress, of request: Request) {
        self.init(scheme: address.scheme, host: address.hostName, path: address.path, page: request.page)
    }
}

extension Transfers {
    /// Reads the user's cookies for an address, if that was not done yet; returns their secret words.
    func loadCookies(for request: Request, at address: WebAddress) throws(Failure) -> [String] {
        guard request.usesCookies, let jar = options.cookies, !jar.isEmpty else { return [] }
        do throws(CookieError) {
            return try jar.load(for: CookieRequest(address, of: request)).flatMap {
                SecretWords.ofHeader("Cookie: \($0)")
            }
        } catch {
            throw Failure(.disk, error.message, scope: .run, hint: error.hint)
        }
    }

    /// Keeps the cookies of a reply.
    func keepCookies(of response: RawResponse, to request: Request, at address: WebAddress) {
        guard request.usesCookies, let jar = options.cookies else { return }
        let headers = response.headers.all("set-cookie")
        if !headers.isEmpty { jar.receive(headers, of: CookieRequest(address, of: request)) }
    }

    /// Throws if a page with the user's cookies led to a login.
    func checkSession(of request: Request, _ response: Response) throws(Failure) {
        guard let first = WebAddress(request.url), let last = WebAddress(response.url), isLogin(first, last),
            hasSession(request, at: first), LoginForm.isIn(response.body)
        else { return }
        throw Self.sessionEnded(at: first)
    }

    /// Returns the failure, or that the session has ended, if that is why a photo is none.
    @inline(never) func explained(
        _ failure: Failure, of request: Request, from first: WebAddress, at last: WebAddress,
        _ permit: any RequestPermit
    ) async -> Failure {
        guard hasSession(request, at: first) else { return failure }
        if failure.cause == .httpClientError(401) { return Self.sessionEnded(at: first) }
        guard failure.cause == .notAnImage, isLogin(first, last) else { return failure }
        // The photo's page is not kept, so it is requested once more.
        var page = Request(last.text, limit: 2 << 20, timeout: request.timeout, acceptsCompression: true)
        (page.page, page.isOptional) = (request.page, true)
        let response = try? await send(page, into: .memory, permit, { _ in }, { _ in })
        return response.map { LoginForm.isIn($0.body) } == true ? Self.sessionEnded(at: first) : failure
    }

    private func hasSession(_ request: Request, at address: WebAddress) -> Bool {
        guard request.usesCookies, let jar = options.cookies, !jar.isEmpty else { return false }
        return jar.hasSession(for: CookieRequest(address, of: request))
    }

    /// Whether a request has ended at another page.
    private func isLogin(_ first: WebAddress, _ last: WebAddress) -> Bool {
        first.path !== last.path || first.host !== last.host
    }

    private static func sessionEnded(at address: WebAddress) -> Failure {
        Failure(
            .sessionEnded, "\(address.host) asks for a login", scope: .run, hint: .sendCookies)
    }
}

/// Recognises pages that ask for a password.
enum LoginForm {
    /// Whether a page has a field for a password.
    static func isIn(_ body: [UInt8]) -> Bool {
        let text = String(decoding: body, as: UTF8.self).lowercased()
        return text.split(separator: "<input").dropFirst().contains { field in
            let tag = field.prefix { $0 != ">" }
            return ["type=password", "type=\"password\"", "type='password'"].contains { tag.contains($0) }
        }
    }
}
