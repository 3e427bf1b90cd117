// SPDX-License-Identifier: MIT

internal import CCurl

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An address on the web, taken apart by the library that will also use it: one reading, and no second opinion.
public struct WebAddress: Sendable, Hashable {
    /// The whole address, normalised, without a user's name, a password and a fragment: fit to be shown.
    public let text: String
    /// The scheme, in small letters.
    public let scheme: String
    /// The host, in small letters and in ASCII, so that none looks like another.
    public let host: String
    /// The host as name servers know it: without brackets and without a last dot.
    let hostName: String
    /// The port, also where the address leaves it to the scheme.
    public let port: Int
    /// The path and the query, as the host is asked for them.
    let path: String
    /// What stood before the host, if anything; it is the host's own, and goes to no other.
    let credentials: Credentials?

    /// A user's name and password.
    struct Credentials: Sendable, Hashable {
        let user: String
        let password: String
    }

    /// Reads an address with any scheme; `nil` if the text is none.
    ///
    /// With a base, the text is read as it would stand in a reply from there: it may be relative.
    public init?(_ text: String, relativeTo base: WebAddress? = nil) {
        guard let handle = URLHandle(), base.map({ handle.set($0.text) }) ?? true, handle.set(text),
            let scheme = handle.part(CURLUPART_SCHEME)
        else { return nil }
        handle.spellHostInASCII()
        let user = handle.part(CURLUPART_USER, flags: CURLU_URLDECODE)
        let password = handle.part(CURLUPART_PASSWORD, flags: CURLU_URLDECODE)
        guard let whole = handle.withoutSecrets() else { return nil }
        self.text = whole
        self.scheme = scheme.lowercased()
        let query = handle.part(CURLUPART_QUERY).map { "?\($0)" } ?? ""
        path = (handle.part(CURLUPART_PATH) ?? "/") + query
        host = handle.part(CURLUPART_HOST)?.lowercased() ?? ""
        hostName = Self.bare(host)
        port = handle.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
        credentials = user.map { Credentials(user: $0, password: password ?? "") }
    }

    /// The path's parts as the names of files have them: without the query, and with what was encoded in its own letters.
    public var pathParts: [String] {
        guard let handle = URLHandle(), handle.set(text),
            let path = handle.part(CURLUPART_PATH, flags: CURLU_URLDECODE)
        else { return [] }
        return path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// The host and the port, as an address has them.
    var authority: String { "\(host):\(port)" }

    /// Whether both addresses are of one scheme, host and port: secrets for one may then go to the other.
    public func hasOrigin(of other: WebAddress) -> Bool {
        (scheme, host, port) == (other.scheme, other.host, other.port)
    }

    private static func bare(_ host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().dropLast()) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

/// The one owner of a libcurl URL handle.
@safe private struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    init?() {
        guard let handle = unsafe curl_url() else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe curl_url_cleanup(handle) }

    /// Sets the whole address; a relative one is resolved against what is set.
    borrowing func set(_ text: String) -> Bool {
        // Any scheme is read, so that a redirect to a refused one can be named; blanks, which careless feeds leave in
        // addresses, are encoded as browsers do.
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
        return unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK
    }

    /// Puts `xn--` in place of a host's other letters, where IDNA knows what they stand for.
    borrowing func spellHostInASCII() {
        guard let host = part(CURLUPART_HOST), !host.utf8.allSatisfy({ $0 < 0x80 }),
            let locale = unsafe newlocale(Int32(1 << LC_CTYPE), "C.UTF-8", nil)
        else { return }
        // libcurl reads the host in the thread's own encoding, which is plain ASCII unless somebody says otherwise.
        let former = unsafe uselocale(locale)
        defer {
            unsafe uselocale(former)
            unsafe freelocale(locale)
        }
        guard let ascii = part(CURLUPART_HOST, flags: ccurl_ascii_host) else { return }
        _ = unsafe curl_url_set(handle, CURLUPART_HOST, ascii, 0)
    }

    borrowing func withoutSecrets() -> String? {
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            _ = unsafe curl_url_set(handle, part, nil, 0)
        }
        return part(CURLUPART_URL)
    }

    borrowing func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = unsafe curl_url_get(handle, part, &text, UInt32(flags))
        // Also where it fails: libcurl 7.88 leaves the host of a name that IDNA refuses.
        defer { unsafe curl_free(text) }
        guard code == CURLUE_OK, let text = unsafe text else { return nil }
        return unsafe String(cString: text)
    }
}
