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
        guard let first = WebAddress(request.url), let last = WebAddress(response.url),
            hasSession(request, at: first), LoginForm.isShown(at: last, inPlaceOf: first, response.body)
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
        guard failure.cause == .notAnImage, LoginForm.mayBe(at: last, inPlaceOf: first) else { return failure }
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

    private static func sessionEnded(at address: WebAddress) -> Failure {
        Failure(
            .sessionEnded, "\(address.host) asks for a login", scope: .run, hint: .sendCookies)
    }
}

/// Recognises pages that ask for a password.
package enum LoginForm {
    private static let words: Set<String> = [
        "login", "signin", "sign-in", "log-in", "auth", "sso", "session", "sessions", "account", "accounts", "logon",
        "anmelden", "wp-login.php", "login.php",
    ]

    /// Whether a page has a field for a password.
    package static func isIn(_ body: [UInt8]) -> Bool {
        let text = String(decoding: body, as: UTF8.self).lowercased()
        return text.split(separator: "<input", omittingEmptySubsequences: false).dropFirst().contains { field in
            let tag = field.prefix { $0 != ">" }
            return ["type=password", "type=\"password\"", "type='password'"].contains { tag.contains($0) }
        }
    }

    /// Whether a redirect shows a login in place of another page.
    package static func isShown(at last: WebAddress, inPlaceOf first: WebAddress, _ body: [UInt8]) -> Bool {
        mayBe(at: last, inPlaceOf: first) && isIn(body)
    }

    /// Whether an address that a redirect leads to can be that of a login.
    ///
    /// Many pages have a hidden login. The address of one in place of a page names it, or the page that led to it.
    static func mayBe(at last: WebAddress, inPlaceOf first: WebAddress) -> Bool {
        guard last.isElsewhere(than: first) else { return false }
        let path = "/" + first.pathComponents.joined(separator: "/")
        let names = last.host.split(separator: ".").map(String.init) + last.pathComponents.prefix(3)
        return names.contains { words.contains($0.lowercased()) }
            || String(decoding: last.text.utf8.percentDecoded, as: UTF8.self).contains("=\(path)")
    }
}

extension WebAddress {
    /// Whether the address has another host or path than one that led to it; a slash at the end makes no difference.
    package func isElsewhere(than other: WebAddress) -> Bool {
        host !== other.host
            || pathComponents.joined(separator: "/") !== other.pathComponents.joined(separator: "/")
    }
}
