// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel
internal import SluiceSystem

/// A parsed URL; libcurl parses it, so that checks and requests agree on its meaning.
package struct WebAddress: Sendable, Hashable {
    /// The whole address, normalised, without user name, password and fragment; safe to display.
    package let text: String
    /// The scheme, in lower case.
    package let scheme: String
    /// The host, in lower case and in ASCII (Punycode), which prevents look-alike names.
    package let host: String
    /// The host as DNS uses it: without brackets and without a trailing dot.
    package let hostName: String
    /// The port; the scheme's default if the address has none.
    package let port: Int
    /// The path and the query, as they are sent to the host.
    package let path: String
    /// The user name and the password in the address.
    let password: Secret?

    /// Parses an address with any scheme; `nil` if the text is not one.
    ///
    /// With a base, the text may be relative to it.
    package init?(_ text: String, relativeTo base: WebAddress? = nil) {
        if let plain = PlainAddress(text) {
            self.init(plain, text)
            return
        }
        // A path, which many commands pass, need not load libcurl.
        guard base != nil || text.utf8Span.span.contains(UInt8(ascii: ":")) else { return nil }
        if base == nil, let known = Self.recent.withLock({ $0[text] }) {
            self = known
            return
        }
        self.init(parsing: text, relativeTo: base)
        if base == nil { Self.recent.withLock { [self] in $0.add(self, of: text) } }
    }

    /// The addresses that were parsed last: a download needs its address at four places.
    private static let recent = Locked(RecentAddresses())

    private init(_ plain: PlainAddress, _ text: String) {
        (self.text, scheme, host, hostName) = (text, plain.scheme, plain.host, plain.host)
        (port, path, password) = (plain.port, plain.path, nil)
    }

    /// Parses an address with libcurl.
    init?(parsing text: String, relativeTo base: WebAddress?) {
        // Before 8.14, libcurl took the last part of the path away if the text has only a fragment.
        let isFragment = base != nil && text.utf8.first == UInt8(ascii: "#")
        guard let handle = URLHandle(), base.map({ handle.set($0.text) }) ?? true, isFragment || handle.set(text),
            let scheme = handle.part(CURLUPART_SCHEME)
        else { return nil }
        handle.convertHostToASCII()
        let user = handle.part(CURLUPART_USER, flags: CURLU_URLDECODE)
        let password = handle.part(CURLUPART_PASSWORD, flags: CURLU_URLDECODE)
        host = handle.part(CURLUPART_HOST)?.lowercased() ?? ""
        guard let publicText = handle.removeSecrets(), Self.isSettled(publicText, host: host) else { return nil }
        self.text = publicText
        self.scheme = scheme.lowercased()
        let query = handle.part(CURLUPART_QUERY).map { "?\($0)" } ?? ""
        path = (handle.part(CURLUPART_PATH) ?? "/") + query
        hostName = Self.dnsName(of: host)
        port = handle.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
        self.password = user.map { [scheme = self.scheme, host, port] user in
            let password = password ?? ""
            let words = SecretWords.ofPassword(password, user: user)
            return Secret(
                .password(user: user, password: password), hiding: words, scheme: scheme, host: host, port: port)
        }
    }

    /// The path's components, percent-decoded and without the query.
    package var pathComponents: [String] {
        guard let handle = URLHandle(), handle.set(text),
            let path = handle.part(CURLUPART_PATH, flags: CURLU_URLDECODE)
        else { return [] }
        return path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// The host and the port, as in `a.example:443`.
    package var authority: String { "\(host):\(port)" }

    /// Whether both addresses have the same scheme, host and port, so that they may share secrets.
    package func hasOrigin(of other: WebAddress) -> Bool {
        scheme === other.scheme && host === other.host && port == other.port
    }

    /// Whether both addresses have the same origin and path, so that an entity tag means the same version.
    ///
    /// The queries may differ, because some contain a signature that expires.
    func hasResource(of other: WebAddress) -> Bool {
        hasOrigin(of: other) && resource.elementsEqual(other.resource)
    }

    /// The path's bytes, without the query.
    private var resource: Substring.UTF8View { path.utf8.prefix { $0 != UInt8(ascii: "?") } }

    /// Whether libcurl reads the same host and address in the text that it printed.
    ///
    /// It decodes escapes in hosts and converts names to ASCII after it has looked for numbers and forbidden
    /// characters: it prints `//%33/` as `//3/`, which the next reader takes for `0.0.0.3`. Plain names need no test.
    private static func isSettled(_ text: String, host: String) -> Bool {
        if PlainAddress.isName(host) { return true }
        guard let handle = URLHandle(), handle.set(text) else { return false }
        return handle.part(CURLUPART_URL) === text && (handle.part(CURLUPART_HOST)?.lowercased() ?? "") === host
    }

    private static func dnsName(of host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().dropLast()) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

/// Owns a libcurl URL handle.
@safe private struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    init?() {
        guard let handle = unsafe curl_url() else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe curl_url_cleanup(handle) }

    /// Sets the address; a relative one is resolved against the current address.
    borrowing func set(_ text: String) -> Bool {
        // Any scheme is accepted, so that a message can name a refused one. Blanks, which some feeds leave in
        // addresses, are percent-encoded as browsers do; libcurl 8 requires that they are allowed as well.
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE)
        return unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK
    }

    /// Converts an internationalised host to its `xn--` form, if IDNA allows it.
    borrowing func convertHostToASCII() {
        guard let host = part(CURLUPART_HOST), !host.utf8.allSatisfy({ $0 < 0x80 }),
            let locale = unsafe newlocale(Int32(1 << LC_CTYPE), "C.UTF-8", nil)
        else { return }
        // libcurl reads the host in the encoding of the thread's locale, which is plain ASCII by default.
        let previous = unsafe uselocale(locale)
        defer {
            unsafe uselocale(previous)
            unsafe freelocale(locale)
        }
        guard let ascii = part(CURLUPART_HOST, flags: ccurl_punycode_flag) else { return }
        _ = unsafe curl_url_set(handle, CURLUPART_HOST, ascii, 0)
    }

    /// Removes credentials and fragment, and returns the whole address.
    borrowing func removeSecrets() -> String? {
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            _ = unsafe curl_url_set(handle, part, nil, 0)
        }
        return part(CURLUPART_URL)
    }

    borrowing func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = unsafe curl_url_get(handle, part, &text, UInt32(flags))
        // Free it after a failure too: libcurl 7.88 sets it for a name that IDNA refuses.
        defer { unsafe curl_free(text) }
        guard code == CURLUE_OK, let text = unsafe text else { return nil }
        return unsafe String(cString: text)
    }
}
