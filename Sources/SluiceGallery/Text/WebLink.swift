// SPDX-License-Identifier: MIT

/// An address that a gallery may link to: http or https, and nothing that a browser would read otherwise.
struct WebLink {
    /// The address as it was given.
    let address: String
    /// Longer addresses are no one's good faith.
    private static let longest = 4000

    init?(_ address: String) {
        let bytes = address.utf8
        guard bytes.count <= Self.longest, let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = String(address[..<colon]).lowercased()
        let rest = bytes[colon...].dropFirst()
        guard scheme == "http" || scheme == "https", rest.starts(with: "//".utf8), rest.count > 2 else { return nil }
        // Browsers drop tabs and line ends out of addresses, and take a backslash for a slash: such an address is not
        // what it seems.
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        self.address = address
    }
}
