// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// Decides which proxy a transfer uses, if any; libcurl does not, so that the address guard knows about the proxy.
public struct ProxyRules: Sendable, Hashable {
    private var http: String?
    private var https: String?
    private var exceptions: [String] = []

    /// No transfer uses a proxy.
    public static let direct = ProxyRules()

    /// Transfers use the proxies in the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    public static var environment: ProxyRules { ProxyRules(environment: variable) }

    private init() {}

    /// All transfers use `proxy`, except to hosts in the variable `no_proxy`.
    public init(through proxy: String) { self.init(through: proxy, environment: Self.variable) }

    package init(through proxy: String, environment: (String) -> String?) {
        (http, https) = (proxy, proxy)
        exceptions = Self.exceptions(environment)
    }

    /// Reads the variables.
    ///
    /// `HTTP_PROXY` in capitals is ignored: CGI servers set it from a header that clients control.
    package init(environment: (String) -> String?) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap(environment).first { !$0.isEmpty }
        }
        http = value("http_proxy", "all_proxy", "ALL_PROXY")
        https = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = Self.exceptions(environment)
    }

    /// Returns an environment variable of this process.
    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// A note for the user if transfers use a proxy.
    package var note: String? {
        guard let proxy = (http ?? https).flatMap({ WebAddress($0) ?? WebAddress("http://\($0)") }) else { return nil }
        return "transfers use the proxy \(proxy.host); Sluice cannot check which addresses the proxy connects to"
    }

    /// The proxy for `address`; `nil` for a direct connection.
    func proxy(for address: WebAddress) -> String? {
        guard let proxy = address.scheme == "https" ? https : http else { return nil }
        return exceptions.contains { Self.matches($0, address) } ? nil : proxy
    }

    private static func exceptions(_ environment: (String) -> String?) -> [String] {
        let text = ["no_proxy", "NO_PROXY"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        return text.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
    }

    /// Whether a `no_proxy` entry matches: `*`, a domain suffix, or a range that contains the numeric host.
    private static func matches(_ exception: String, _ address: WebAddress) -> Bool {
        if exception == "*" { return true }
        if let number = NetworkAddress(address.hostName) {
            return NetworkRange(exception)?.contains(number) ?? false
        }
        let name = exception.hasPrefix(".") ? exception.dropFirst() : exception[...]
        return address.hostName == name || address.hostName.hasSuffix(".\(name)")
    }
}
