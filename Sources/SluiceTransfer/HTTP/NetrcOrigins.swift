// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Chooses the one origin of each host that receives the host's password from `.netrc`.
///
/// The file names hosts without scheme and port, so that it alone would send a password to any service on the host. The
/// origin that the user named in SOURCE is chosen, or else the first one that a request names. A redirect to another
/// origin never chooses one.
struct NetrcOrigins {
    /// The most hosts with a chosen origin; later hosts receive no password.
    private static let maxHosts = 10_000

    private var origins: [String: WebAddress] = [:]

    /// Whether `address` may receive its host's password; `requested` is the request's address before redirects.
    mutating func allows(_ address: WebAddress, of requested: WebAddress, trusted: [WebAddress]) -> Bool {
        let named = trusted.filter { $0.host === address.host }
        guard named.isEmpty else { return named.contains { $0.hasOrigin(of: address) } }
        guard address.hasOrigin(of: requested) else { return false }
        if origins[address.host] == nil, origins.count < Self.maxHosts { origins[address.host] = address }
        return origins[address.host]?.hasOrigin(of: address) ?? false
    }
}
