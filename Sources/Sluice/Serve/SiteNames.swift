// SPDX-License-Identifier: MIT

internal import SluiceOrigin
internal import SluiceTransfer

/// The host names under which a mirror is served.
///
/// Each mirror has a name of its own, `<hash>.localhost`, which browsers resolve to this machine. So the pages of one
/// mirror never share an origin with those of another mirror that is served at the same port later.
struct SiteNames: Sendable {
    enum Kind: Sendable, Hashable {
        /// The mirror's own name, or a name of a public server.
        case own
        /// A name of this machine that other mirrors use, too.
        case shared
        case refused
    }

    /// The mirror's own name; `nil` if the server listens on an address that the name does not lead to.
    let own: String?
    /// Whether requests with any host name are answered.
    ///
    /// A server for this machine accepts only the machine's own names. Otherwise a web page could point its own host
    /// name here and read the mirror (DNS rebinding).
    let isPublic: Bool

    /// Makes the names of a mirror; `identity` differs from that of any other mirror.
    init(identity: String, listeningOn host: String, isPublic: Bool) {
        let isReachable = ["127.0.0.1", "::1", "0.0.0.0", "::", "localhost"].contains(host)
        own = isReachable ? SHA256.digest(of: Array(identity.utf8)).prefix(16) + ".localhost" : nil
        self.isPublic = isPublic
    }

    /// Returns the kind of the name in a request, which must have exactly one `Host` field.
    func kind(of hosts: [String]) -> Kind {
        guard hosts.count == 1, let name = Self.name(of: hosts[0]) else { return isPublic ? .own : .refused }
        if name == own { return .own }
        if name == "localhost" || name == "[::1]" || Self.isLoopback(name) { return own == nil ? .own : .shared }
        // Another mirror's page may still be open in a browser.
        if name.hasSuffix(".localhost") || name == "localhost." { return .refused }
        return isPublic ? .own : .refused
    }

    /// Returns the address of the same file at the mirror's own name and the port that the browser used.
    func ownAddress(for request: OriginRequest) -> String? {
        guard let own, let host = request.header("Host"), Self.name(of: host) != nil else { return nil }
        // A brackets-enclosed address contains colons, too.
        let port = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
        return "http://\(own)\(port)\(request.target)"
    }

    /// Returns the name in the value of a `Host` field in lower case; `nil` if the field is malformed.
    private static func name(of host: String) -> String? {
        guard let match = host.lowercased().wholeMatch(of: /([0-9a-z.-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/) else {
            return nil
        }
        if let port = match.2, UInt16(port) == nil { return nil }
        return String(match.1)
    }

    /// Whether the name is an IPv4 address of this machine, in the usual form.
    private static func isLoopback(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in UInt8(part).map { String($0) == part } == true }
    }
}
