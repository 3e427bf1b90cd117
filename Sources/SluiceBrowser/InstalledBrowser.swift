// SPDX-License-Identifier: MIT

package import SluiceModel
internal import SluiceSystem
internal import SluiceTransfer

/// The browser of this machine with which a run builds pages, and how it is started.
package struct InstalledBrowser: Sendable {
    /// The programs that are looked for, in this order.
    private static let names = [
        "chromium", "chromium-headless-shell", "chromium-browser", "google-chrome", "google-chrome-stable",
        "microsoft-edge", "microsoft-edge-stable", "brave-browser",
    ]

    /// The path of the program.
    package let path: String
    /// The folder with the user's profile for such runs; `nil` for a new one, which is removed at the end.
    package var profile: String?

    /// Finds a browser: that at `path`, or else the first of the known programs.
    package init(path: String? = nil, profile: String? = nil) throws(BrowserError) {
        self.profile = profile
        if let path {
            self.path = path.contains("/") ? path : Self.program(path) ?? path
            guard unsafe access(self.path, X_OK) == 0 else {
                throw BrowserError("cannot start the browser '\(path)': no such program")
            }
            return
        }
        guard let found = Self.names.lazy.compactMap(Self.program).first else {
            throw BrowserError(
                "cannot start a browser: no Chromium is installed; install the package chromium, or name Chrome or Edge"
            )
        }
        self.path = found
    }

    private static func program(_ name: String) -> String? {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// The name and version that the browser reports, for example `Chrome/156.0.8078.108`, and whether it has no
    /// network of its own.
    package func examine() async throws(Failure) -> (version: String, isIsolated: Bool) {
        let token = CancellationToken()
        let devTools = try await DevTools(self, token: token)
        defer { devTools.close() }
        let reply = try await devTools.command("Browser.getVersion", token: token)
        return (reply["product"]?.text ?? "unknown", devTools.isIsolated)
    }

    /// The arguments of the program: no window, no network, and nothing that a run does not need.
    ///
    /// A proxy without an address and a resolver without names leave a browser no way to the network that the run does
    /// not open for it. Its own sandbox stays on.
    func arguments(profile: String) -> [String] {
        [
            "headless=new", "remote-debugging-pipe", "user-data-dir=\(profile)", "log-level=3",
            "proxy-server=http://blocked.invalid:80", "proxy-bypass-list=<-loopback>",
            "host-resolver-rules=MAP * ~NOTFOUND", "disable-quic",
            "force-webrtc-ip-handling-policy=disable_non_proxied_udp",
            "no-first-run", "no-default-browser-check", "no-pings", "no-service-autorun", "mute-audio",
            "disable-background-networking", "disable-component-update", "disable-sync", "disable-breakpad",
            "disable-default-apps", "disable-extensions", "disable-domain-reliability",
            "deny-permission-prompts",
            "disable-client-side-phishing-detection", "disable-gpu", "disable-dev-shm-usage",
            "disable-background-timer-throttling", "disable-backgrounding-occluded-windows",
            "disable-renderer-backgrounding", "password-store=basic", "window-size=1280,3000",
        ].map { "--\($0)" } + ["about:blank"]
    }
}

/// Why no browser can be started, with a message for the user.
package struct BrowserError: Error, Sendable {
    package let message: String

    init(_ message: String) { self.message = message }
}

extension Failure {
    /// The failure of every page that needs the browser.
    static func browser(_ text: String) -> Failure { Failure(.scripts, text, scope: .run) }
}
