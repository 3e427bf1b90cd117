// SPDX-License-Identifier: MIT

/// What an address is set aside for, where it is not simply a host on the internet.
struct SpecialUse: Sendable, Hashable {
    /// What it is, to follow the word "is": `link-local`.
    let name: String
    /// The addresses that are so.
    let range: NetworkRange

    /// What the address is set aside for; `nil` for the internet at large.
    init?(of address: NetworkAddress) {
        guard let found = Self.all.first(where: { $0.range.contains(address) }) else { return nil }
        self = found
    }

    private init(_ range: String, _ name: String) {
        self.range = .known(range)
        self.name = name
    }

    /// The registries of special addresses (RFC 6890 and what came after), the narrower before the wider.
    private static let all = [
        SpecialUse("0.0.0.0/8", "this machine"), SpecialUse("10.0.0.0/8", "private"),
        SpecialUse("100.64.0.0/10", "shared by a provider's customers"), SpecialUse("127.0.0.0/8", "loopback"),
        SpecialUse("168.63.129.16", "a cloud's own service"), SpecialUse("169.254.0.0/16", "link-local"),
        SpecialUse("172.16.0.0/12", "private"), SpecialUse("192.0.0.0/24", "set aside for protocols"),
        SpecialUse("192.0.2.0/24", "for documentation"), SpecialUse("192.88.99.0/24", "a relay's"),
        SpecialUse("192.168.0.0/16", "private"), SpecialUse("198.18.0.0/15", "for benchmarks"),
        SpecialUse("198.51.100.0/24", "for documentation"), SpecialUse("203.0.113.0/24", "for documentation"),
        SpecialUse("224.0.0.0/4", "multicast"), SpecialUse("240.0.0.0/4", "reserved"),

        SpecialUse("::", "this machine"), SpecialUse("::1", "loopback"), SpecialUse("fe80::/10", "link-local"),
        SpecialUse("fec0::/10", "site-local"), SpecialUse("fc00::/7", "private"), SpecialUse("ff00::/8", "multicast"),
        SpecialUse("100::/64", "for discarding"), SpecialUse("64:ff9b:1::/48", "for translation within a network"),
        SpecialUse("2001:2::/48", "for benchmarks"), SpecialUse("2001:10::/28", "reserved"),
        SpecialUse("2001:20::/28", "no place"), SpecialUse("2001:db8::/32", "for documentation"),
        SpecialUse("3fff::/20", "for documentation"),
        // Hosts on the internet have addresses of 2000::/3.
        SpecialUse("::/3", "reserved"), SpecialUse("4000::/2", "reserved"), SpecialUse("8000::/1", "reserved"),
    ]
}

extension NetworkAddress {
    /// The address itself and each that it leads on to: translators and tunnels carry IPv4 addresses within IPv6 ones.
    var ways: [NetworkAddress] {
        guard bytes.count == 16, !Self.ownRange.contains(self) else { return [self] }
        let last = NetworkAddress(bytes[12...])
        // An address of IPv4 in another dress is that address, and is set aside for nothing of its own.
        if Self.dresses.contains(where: { $0.contains(self) }) { return [last] }
        if Self.sixToFour.contains(self) { return [self, NetworkAddress(bytes[2..<6])] }
        // Teredo: the server's address, and the client's with all bits turned.
        if Self.teredo.contains(self) {
            return [self, NetworkAddress(bytes[4..<8]), NetworkAddress(last.bytes.map { ~$0 })]
        }
        // ISATAP: a tunnel to the address behind the mark.
        if [0, 2].contains(bytes[8]), Array(bytes[9..<12]) == [0, 0x5E, 0xFE] { return [self, last] }
        return [self]
    }

    /// `::` and `::1`, which look like the old form of an IPv4 address.
    private static let ownRange = NetworkRange.known("::/127")
    /// IPv4-mapped, translated, NAT64, and the old IPv4-compatible form.
    private static let dresses = ["::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "::/96"].map(NetworkRange.known)
    private static let sixToFour = NetworkRange.known("2002::/16")
    private static let teredo = NetworkRange.known("2001::/32")
}
