// SPDX-License-Identifier: MIT

package import SluiceModel
internal import SluiceSystem
internal import Synchronization

/// The cookies of one run: those that its hosts set, and the user's own for the hosts that it asks.
///
/// It is not libcurl's cookie engine, because that knows neither `SameSite` nor who named an address, and would share
/// its cookies between threads.
package final class CookieJar: Sendable {
    /// The most domains that set cookies, and the most cookies of each, as a host may invent any number.
    private static let (maxDomains, maxCookies) = (1000, 50)

    private struct Entry {
        var cookies: [Cookie] = []
        /// When a request needed the cookies last.
        var use = 0
        /// Whether the user has cookies of the domain.
        var isUsers = false
    }

    private struct State {
        var entries: TextMap<Entry> = [:]
        /// The domains of the user's cookies that no request needed yet.
        var unread: TextSet = []
        var uses = 0
    }

    private let source: CookieSource?
    private let state: Locked<State>
    private let hasCookies: Atomic<Bool>

    /// Whether no request can get a cookie, as in most runs.
    package var isEmpty: Bool { !hasCookies.load(ordering: .relaxed) }

    /// Creates a jar; `source` has the user's cookies.
    package init(_ source: CookieSource? = nil) throws(CookieError) {
        self.source = source
        var state = State()
        if let source {
            state.unread = try source.domains()
            guard !state.unread.isEmpty else { throw CookieError("\(source) has no cookies") }
        }
        self.state = Locked(state)
        hasCookies = Atomic(source != nil)
    }

    /// Reads the user's cookies for a host, if that was not done yet; returns them as `name=value`.
    package func load(for request: CookieRequest) throws(CookieError) -> [String] {
        guard let source else { return [] }
        let wanted = state.withLock { state in
            state.unread.isEmpty ? [] : request.domains.filter { state.unread.contains($0) }
        }
        var pairs: [String] = []
        for domain in wanted {
            let cookies = try source.cookies(of: domain)
            pairs += cookies.map(\.pair)
            state.withLock { state in
                // Another request may have read them meanwhile, and a host may have replaced them.
                guard state.unread.contains(domain) else { return }
                state.unread.remove(domain)
                state.entries[domain, default: Entry()].isUsers = true
                for cookie in cookies { Self.add(cookie, to: &state) }
            }
        }
        return pairs
    }

    /// Returns the value of a request's `Cookie` header; `nil` for none.
    package func header(for request: CookieRequest) -> String? {
        state.withLock { state in
            let now = time(nil)
            state.uses += 1
            var sent: [Cookie] = []
            for domain in request.domains where state.entries[domain] != nil {
                state.entries[domain]?.use = state.uses
                sent += state.entries[domain]?.cookies.filter { $0.isSent(with: request, now: now) } ?? []
            }
            // The sort is stable: among equal paths the oldest cookie is first.
            sent.sort { $0.path.utf8.count > $1.path.utf8.count }
            return sent.isEmpty ? nil : sent.map(\.pair).joined(separator: "; ")
        }
    }

    /// Whether the user has given cookies for the host, so that its pages may ask for a login once these are invalid.
    package func hasSession(for request: CookieRequest) -> Bool {
        source != nil && state.withLock { state in request.domains.contains { state.entries[$0]?.isUsers == true } }
    }

    /// Stores the cookies of a reply; `headers` are the values of its `Set-Cookie` headers.
    package func receive(_ headers: [String], of request: CookieRequest) {
        let now = time(nil)
        let cookies = headers.compactMap { Cookie(header: $0, of: request, now: now) }
        if cookies.isEmpty { return }
        hasCookies.store(true, ordering: .relaxed)
        state.withLock { state in
            state.uses += 1
            for cookie in cookies {
                // A reply that anyone could have sent does not replace a confidential cookie.
                let isShadow = state.entries[cookie.domain]?.cookies.contains {
                    $0.name === cookie.name && ($0.isSecure || $0.isConfidential) && Cookie.covers($0.path, cookie.path)
                }
                if !cookie.isConfidential, isShadow == true { continue }
                Self.add(cookie, to: &state)
                if let expiry = cookie.expiry, expiry <= now {
                    state.entries[cookie.domain]?.cookies.removeAll { $0.replaces(cookie) }
                }
            }
            Self.dropOldest(&state)
        }
    }

    private static func add(_ cookie: Cookie, to state: inout State) {
        var entry = state.entries[cookie.domain] ?? Entry()
        entry.use = state.uses
        if let index = entry.cookies.firstIndex(where: { $0.replaces(cookie) }) {
            entry.cookies[index] = cookie
        } else {
            if entry.cookies.count >= maxCookies, !entry.isUsers { entry.cookies.removeFirst() }
            entry.cookies.append(cookie)
        }
        state.entries[cookie.domain] = entry
    }

    /// Forgets half of the domains that set cookies, if there are too many; the user's own stay.
    private static func dropOldest(_ state: inout State) {
        guard state.entries.count > maxDomains else { return }
        let others = state.entries.filter { !$0.value.isUsers }.sorted { $0.value.use < $1.value.use }
        for (domain, _) in others.prefix(max(0, state.entries.count - maxDomains / 2)) {
            state.entries.removeValue(forKey: domain)
        }
    }
}

/// Why cookies cannot be read.
package struct CookieError: Error, Sendable {
    package let message: String
    package let hint: Hint?

    package init(_ message: String, hint: Hint? = nil) { (self.message, self.hint) = (message, hint) }
}
