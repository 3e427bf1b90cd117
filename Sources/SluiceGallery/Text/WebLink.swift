// SPDX-License-Identifier: MIT

/// A URL that a gallery may link to: http or https, without characters that browsers ignore or reinterpret.
struct WebLink {
    /// The URL as given.
    let address: String
    /// The length limit in bytes; longer URLs are not plausible.
    private static let maxBytes = 4000

    init?(_ address: String) {
        let bytes = address.utf8
        guard bytes.count <= Self.maxBytes, let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = String(address[..<colon]).lowercased()
        let rest = bytes[colon...].dropFirst()
        guard scheme == "http" || scheme == "https", rest.starts(with: "//".utf8), rest.count > 2 else { return nil }
        // Browsers remove tabs and line breaks from URLs and read a backslash as a slash, so the target may differ.
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        self.address = address
    }
}
