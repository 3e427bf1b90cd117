// SPDX-License-Identifier: MIT

/// The special purpose of an address range, such as private networks or loopback.
struct SpecialUse: Sendable, Hashable {
    /// The purpose as it follows "is" in a message: `link-local`.
    let name: String
    let range: NetworkRange

    /// Finds the purpose of an address; `nil` for an ordinary public address.
    init?(of address: NetworkAddress) {
        guard let found = Self.all.first(where: { $0.range.contains(address) }) else { return nil }
        self = found
    }

    private init(_ range: String, _ name: String) {
        self.range = .literal(range)
        self.name = name
    }

    /// The IANA special-purpose registries (RFC 6890 and later); narrower ranges come before wider ones.
    private static let all = [
        SpecialUse("0.0.0.0/8", "this machine"), SpecialUse("10.0.0.0/8", "private"),
        SpecialUse("100.64.0.0/10", "shared by a provider's customers"), SpecialUse("127.0.0.0/8", "loopback"),
        SpecialUse("168.63.129.16", "a cloud's own service"), SpecialUse("169.254.0.0/16", "link-local"),
        SpecialUse("172.16.0.0/12", "private"), SpecialUse("192.0.0.0/24", "reserved for protocols"),
        SpecialUse("192.0.2.0/24", "for documentation"), SpecialUse("192.88.99.0/24", "a 6to4 relay"),
        SpecialUse("192.168.0.0/16", "private"), SpecialUse("198.18.0.0/15", "for benchmarks"),
        SpecialUse("198.51.100.0/24", "for documentation"), SpecialUse("203.0.113.0/24", "for documentation"),
        SpecialUse("224.0.0.0/4", "multicast"), SpecialUse("240.0.0.0/4", "reserved"),

        SpecialUse("::", "this machine"), SpecialUse("::1", "loopback"), SpecialUse("fe80::/10", "link-local"),
        SpecialUse("fec0::/10", "site-local"), SpecialUse("fc00::/7", "private"), SpecialUse("ff00::/8", "multicast"),
        SpecialUse("100::/64", "for discarded traffic"),
        SpecialUse("64:ff9b:1::/48", "for translation within a network"),
        SpecialUse("2001:2::/48", "for benchmarks"), SpecialUse("2001:10::/28", "reserved"),
        SpecialUse("2001:20::/28", "an identifier without a location"),
        SpecialUse("2001:db8::/32", "for documentation"),
        SpecialUse("3fff::/20", "for documentation"),
        // Public hosts have addresses in 2000::/3.
        SpecialUse("::/3", "reserved"), SpecialUse("4000::/2", "reserved"), SpecialUse("8000::/1", "reserved"),
    ]
}

extension NetworkAddress {
    /// The addresses that a connection may reach: translators and tunnels embed IPv4 addresses in IPv6 ones.
    var reachableAddresses: [NetworkAddress] {
        guard bytes.count == 16, !Self.unspecifiedAndLoopback.contains(self) else { return [self] }
        let last = NetworkAddress(bytes[12...])
        // These forms stand for the IPv4 address itself.
        if Self.mappedRanges.contains(where: { $0.contains(self) }) { return [last] }
        if Self.sixToFour.contains(self) { return [self, NetworkAddress(bytes[2..<6])] }
        // Teredo: the server's address, and the client's with all bits inverted.
        if Self.teredo.contains(self) {
            return [self, NetworkAddress(bytes[4..<8]), NetworkAddress(last.bytes.map { ~$0 })]
        }
        // ISATAP: a tunnel to the address after the marker bytes.
        if [0, 2].contains(bytes[8]), Array(bytes[9..<12]) == [0, 0x5E, 0xFE] { return [self, last] }
        return [self]
    }

    /// `::` and `::1`, which would otherwise match the IPv4-compatible form.
    private static let unspecifiedAndLoopback = NetworkRange.literal("::/127")
    /// IPv4-mapped, IPv4-translated, NAT64, and the old IPv4-compatible form.
    private static let mappedRanges = ["::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "::/96"]
        .map(NetworkRange.literal)
    private static let sixToFour = NetworkRange.literal("2002::/16")
    private static let teredo = NetworkRange.literal("2001::/32")
}
