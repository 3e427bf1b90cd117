// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Which proxy a transfer goes through, if any; decided here and not by libcurl, so that the guard knows of it.
public struct ProxyRules: Sendable, Hashable {
    private var http: String?
    private var https: String?
    private var exceptions: [String] = []

    /// Every transfer goes straight to its host.
    public static let direct = ProxyRules()

    private init() {}

    /// Every transfer goes through `proxy`, but to the hosts of the environment's `no_proxy`.
    public init(through proxy: String, environment: (String) -> String? = Self.environment) {
        (http, https) = (proxy, proxy)
        exceptions = Self.exceptions(environment)
    }

    /// What the customary variables say: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    ///
    /// `HTTP_PROXY` in capitals does not count: a web server sets it from what its clients send.
    public init(environment: (String) -> String? = Self.environment) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap(environment).first { !$0.isEmpty }
        }
        http = value("http_proxy", "all_proxy", "ALL_PROXY")
        https = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = Self.exceptions(environment)
    }

    /// A variable of this process.
    public static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// What the user should know where transfers go through a proxy.
    public var note: String? {
        guard let proxy = (http ?? https).flatMap({ WebAddress($0) ?? WebAddress("http://\($0)") }) else { return nil }
        return "transfers go through the proxy \(proxy.host): whom it connects to is not checked here"
    }

    /// The proxy on the way to `address`; `nil` where the way is straight.
    func proxy(for address: WebAddress) -> String? {
        guard let proxy = address.scheme == "https" ? https : http else { return nil }
        return exceptions.contains { Self.covers($0, address) } ? nil : proxy
    }

    private static func exceptions(_ environment: (String) -> String?) -> [String] {
        let text = ["no_proxy", "NO_PROXY"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        return text.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
    }

    /// Whether an exception is the host's: `*`, a name that the host ends with, or a range that its number lies in.
    private static func covers(_ exception: String, _ address: WebAddress) -> Bool {
        if exception == "*" { return true }
        if let number = NetworkAddress(address.hostName) {
            return NetworkRange(exception)?.contains(number) ?? false
        }
        let name = exception.hasPrefix(".") ? exception.dropFirst() : exception[...]
        return address.hostName == name || address.hostName.hasSuffix(".\(name)")
    }
}
