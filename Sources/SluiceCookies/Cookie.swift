// SPDX-License-Identifier: MIT

internal import CPSL
internal import SluiceModel

/// A cookie, as RFC 6265bis defines it.
///
/// It has no text form, because its value is a secret of the user.
package struct Cookie: Sendable {
    /// Which requests for files of other sites' pages carry the cookie.
    enum SameSite: Sendable {
        case none, lax, strict

        /// Reads the name in `Set-Cookie` and in browsers' exports; an unknown one counts as `Lax`, as in browsers.
        init(_ name: String) {
            switch name.lowercased() {
            case "none", "no_restriction": self = .none
            case "strict": self = .strict
            default: self = .lax
            }
        }
    }

    var name: String
    var value: String
    /// The domain in lower case, without a dot in front.
    var domain: String
    /// Whether only this host gets the cookie, and not those below it.
    var isHostOnly: Bool
    var path = "/"
    var isSecure = false
    var sameSite = SameSite.lax
    /// When the cookie expires, in seconds since 1970; `nil` for a cookie of this session.
    var expiry: Int?
    /// Whether it came from a file, a browser or over HTTPS, so that no other host may read it on its way.
    var isConfidential = true

    /// Creates a cookie of a file or a browser; a dot before the domain means that the hosts below it get it, too.
    init(_ name: String, _ value: String, domain: String, isHostOnly: Bool? = nil) {
        (self.name, self.value) = (name, value)
        let isPrefixed = domain.hasPrefix(".")
        self.domain = (isPrefixed ? String(domain.dropFirst()) : domain).lowercased()
        self.isHostOnly = isHostOnly ?? !isPrefixed
    }

    /// `name=value`, or only the value of a cookie without a name.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Whether the texts can be in a header: they have no control characters.
    var isSendable: Bool {
        !(name + value).utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } && !pair.isEmpty
    }

    /// Whether both are the same cookie, perhaps with other values.
    func replaces(_ other: Cookie) -> Bool {
        name === other.name && domain === other.domain && path === other.path && isHostOnly == other.isHostOnly
    }

    /// Whether a request carries the cookie.
    func isSent(with request: CookieRequest, now: Int) -> Bool {
        let isOfHost = isHostOnly ? request.host === domain : request.isBelow(domain)
        guard isOfHost, Self.covers(path, request.path), expiry.map({ $0 > now }) ?? true else { return false }
        guard request.isProtected || !(isSecure || isConfidential) else { return false }
        switch sameSite {
        case .none: return true
        case .lax: return request.isNavigation || request.isSameSite
        case .strict: return request.isSameSite
        }
    }

    /// Whether a cookie's path is a request's or a folder above it.
    static func covers(_ path: String, _ requested: String) -> Bool {
        guard requested.utf8.starts(with: path.utf8) else { return false }
        return path.utf8.last == UInt8(ascii: "/") || requested.utf8.count == path.utf8.count
            || requested.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }
}

/// What decides about the cookies of a request.
package struct CookieRequest: Sendable {
    /// The host in lower case, without a dot at its end.
    let host: String
    /// The path, without the query.
    let path: String
    /// Whether no other host can read the request: it uses HTTPS, or stays on this machine.
    let isProtected: Bool
    /// Whether the user or a feed asked for the address itself, as for a link in a browser.
    let isNavigation: Bool
    /// The host of the page that named the address; `nil` if none did.
    private let page: String?

    /// Describes a request; `page` is the host of the page that named its photo.
    package init(scheme: String, host: String, path: String, page: String?) {
        self.host = host
        self.path = String(path.prefix { $0 != "?" })
        (self.page, isNavigation) = (page, page == nil)
        let isLocal = host === "localhost" || host === "[::1]" || host === "::1" || host.hasPrefix("127.")
        isProtected = scheme == "https" || isLocal
    }

    /// Whether page and host have one owner.
    var isSameSite: Bool {
        guard let page, page !== host else { return true }
        return RegistrableDomain.of(page) === RegistrableDomain.of(host)
    }

    /// Whether the host is this one or below it.
    func isBelow(_ domain: String) -> Bool {
        if host === domain { return true }
        guard !RegistrableDomain.isAddress(host), host.utf8.count > domain.utf8.count else { return false }
        let start = host.utf8.count - domain.utf8.count
        return host.utf8.dropFirst(start).elementsEqual(domain.utf8)
            && host.utf8.dropFirst(start - 1).first == UInt8(ascii: ".")
    }

    /// The host and those above it: the domains that its cookies can have.
    var domains: [String] {
        if RegistrableDomain.isAddress(host) { return [host] }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }
}

/// Finds the domain under which a host's owner registered it: `example.co.uk` for `img.example.co.uk`.
///
/// Hosts of one registrable domain usually belong to one operator. The list of public suffixes is that of libpsl.
package enum RegistrableDomain {
    /// Returns the registrable domain of a host in lower case; the host itself if it is an address or a public suffix.
    package static func of(_ host: String) -> String {
        guard !isAddress(host), let list = unsafe psl_builtin() else { return host }
        // libpsl returns a part of its argument, so the argument must outlive the result.
        return unsafe host.withCString { name in
            guard let domain = unsafe psl_registrable_domain(list, name) else { return host }
            return unsafe String(cString: domain)
        }
    }
}

extension RegistrableDomain {
    /// Whether a host is a number instead of a name.
    static func isAddress(_ host: String) -> Bool {
        host.utf8.contains(UInt8(ascii: ":"))
            || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }

    /// Whether hosts of several owners are below a name in lower case: `com` and `github.io`.
    static func isPublicSuffix(_ name: String) -> Bool {
        guard let list = unsafe psl_builtin() else { return !name.utf8.contains(UInt8(ascii: ".")) }
        return unsafe psl_is_public_suffix(list, name) != 0
    }
}
